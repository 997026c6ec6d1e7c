/* SPDX-License-Identifier: Apache-2.0 */
/* codeheap.c - see codeheap.h. */
#define _GNU_SOURCE
#include "hotspot/codeheap.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>

#include "hotspot/vmstructs.h"

#define HEAPS	   8
#define SEGMENTS   8 /* of libjvm.so in memory */
#define FREE	   0xff
#define LEAST_LOG2 4
#define MOST_LOG2  16
#define SPAN	   1024 /* all needed fields lie in so many bytes of a blob */
#define CACHE_BITS 13
#define NAME_MAX_  16
#define WORDS_MAX  0x7fffu
#define NATIVE	   0x8000u

static struct {
	size_t memory, segmap, log2, low, high; /* CodeHeap, VirtualSpace */
	size_t used, header;			/* HeapBlock */
	size_t name, words, stub, id, method;	/* CodeBlob, nmethod */
} at;

static struct heap {
	uintptr_t low, segmap;
	const uintptr_t *high; /* it grows */
	int log2;
} heaps[HEAPS];
static uint32_t nheaps;

/* Where the VM's own string constants may lie. */
static struct {
	uintptr_t low, high;
} segments[SEGMENTS];
static uint32_t nsegments;

/*
 * Cache by address. `value` is id << 32 | distance to the blob. `key` is address | words << 48,
 * xored with a hash of `value`, so that two halves of different entries do not match. `note` is the
 * upper half of that hash << 32 | the number.
 */
static struct {
	_Alignas(32) _Atomic uint64_t key;
	_Atomic uint64_t value, note;
} cache[1u << CACHE_BITS];

/* [handler] */
static uintptr_t word(uintptr_t p)
{
	return *(const uintptr_t *)p;
}

/* ---- start ----------------------------------------------------------------------------- */

static int find_libjvm(struct dl_phdr_info *info, size_t size, void *inside)
{
	bool ours = false;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + p->p_vaddr;
		if (p->p_type != PT_LOAD || !(p->p_flags & PF_R) || nsegments == SEGMENTS)
			continue;
		segments[nsegments].low = low;
		segments[nsegments++].high = low + p->p_memsz;
		ours = ours || ((uintptr_t)inside >= low && (uintptr_t)inside < low + p->p_memsz);
	}
	if (!ours)
		nsegments = 0;
	return ours;
}

/*
 * Adds one of the VM's code heaps. Heaps of ahead-of-time compiled code (JDK 11) look different and
 * are skipped.
 */
static void read_heap(uintptr_t h)
{
	struct heap one = {
		.low = word(h + at.memory + at.low),
		.high = (const uintptr_t *)(h + at.memory + at.high),
		.segmap = word(h + at.segmap + at.low),
		.log2 = *(const int *)(h + at.log2),
	};
	uintptr_t map = word(h + at.segmap + at.high) - one.segmap;

	if (nheaps < HEAPS && one.low && *one.high > one.low && one.segmap &&
	    one.log2 >= LEAST_LOG2 && one.log2 <= MOST_LOG2 &&
	    map >= (*one.high - one.low) >> one.log2)
		heaps[nheaps++] = one;
}

static void read_heaps(const uintptr_t *list, size_t length, size_t data)
{
	uintptr_t array = *list;
	int n = array ? *(const int *)(array + length) : 0;

	for (int i = 0; i < n; i++)
		read_heap(word(word(array + data) + (uintptr_t)i * sizeof(uintptr_t)));
}

bool codeheap_init(void *dl)
{
	uintptr_t *list = NULL, *any = NULL;
	size_t length = 0, data = 0, method = 0;
	const struct vmstructs_wanted wanted[] = {
		{ "CodeHeap", "_memory", .offset = &at.memory },
		{ "CodeHeap", "_segmap", .offset = &at.segmap },
		{ "CodeHeap", "_log2_segment_size", .offset = &at.log2 },
		{ "VirtualSpace", "_low", .offset = &at.low },
		{ "VirtualSpace", "_high", .offset = &at.high },
		{ "HeapBlock::Header", "_used", .offset = &at.used },
		{ "CodeBlob", "_name", .offset = &at.name },
		{ "CodeBlob", "_frame_size", .offset = &at.words },
		{ "nmethod", "_stub_offset", .offset = &at.stub },
		{ "nmethod", "_compile_id", .offset = &at.id },
		{ "GrowableArray<int>", "_data", .offset = &data },
		{ "CodeCache", "_heaps", .address = &list },
	};
	const size_t n = sizeof wanted / sizeof wanted[0];
	/* names changed with JDK 16 and 23; the length always comes first */
	const struct vmstructs_wanted either[] = {
		{ "nmethod", "_method", .offset = &method },
		{ "CompiledMethod", "_method", .offset = &method },
	};
	const struct vmstructs_wanted lengths[] = {
		{ "GenericGrowableArray", "_len", .offset = &length },
		{ "GrowableArrayBase", "_len", .offset = &length },
	};

	if (nheaps > 0)
		return true;
	any = dlsym(dl, "gHotSpotVMStructs");
	if (!any || vmstructs_find(dl, wanted, n) != n || !vmstructs_find(dl, either, 2) ||
	    !vmstructs_find(dl, lengths, 2) || !list || !*list)
		return false;
	at.method = method;
	at.header = vmstructs_type_size(dl, "HeapBlock");
	dl_iterate_phdr(find_libjvm, any);
	if (at.header && nsegments)
		read_heaps(list, length, data);
	return nheaps > 0;
}

/* ---- blobs ----------------------------------------------------------------------------- */

/* [handler] */
static const struct heap *heap_of(uintptr_t p, size_t n)
{
	for (uint32_t i = 0; i < nheaps; i++)
		if (p >= heaps[i].low && p < *heaps[i].high && *heaps[i].high - p >= n)
			return &heaps[i];
	return NULL;
}

bool codeheap_has(uintptr_t from, size_t n)
{
	return heap_of(from, n) != NULL;
}

/* [handler] Finds the first segment of the block. The map leads to it in steps. */
static uintptr_t blob_of(uintptr_t pc)
{
	const struct heap *h = heap_of(pc, 1);
	if (!h)
		return 0;
	const unsigned char *map = (const unsigned char *)h->segmap;
	size_t s = (pc - h->low) >> h->log2;
	while (map[s] != 0) {
		if (map[s] == FREE || map[s] > s)
			return 0;
		s -= map[s];
	}
	uintptr_t block = h->low + (s << h->log2), blob = block + at.header;
	return heap_of(block, at.header + SPAN) && *(const bool *)(block + at.used) && pc > blob
		       ? blob
		       : 0;
}

/*
 * [handler] Whether a blob has this name. Names of compilations are the VM's constants; other
 * names may be anywhere.
 */
static bool is_named(const char *name, const char *wanted)
{
	for (uint32_t i = 0; i < nsegments; i++)
		if ((uintptr_t)name >= segments[i].low &&
		    (uintptr_t)name + NAME_MAX_ <= segments[i].high)
			return strcmp(name, wanted) == 0;
	return false;
}

/* [handler] */
static bool look_up(uintptr_t pc, struct code_at *to)
{
	static const char *_Atomic compiled, *_Atomic glue; /* their names, once seen */
	uintptr_t blob = blob_of(pc);
	if (!blob)
		return false;
	const char *name = (const char *)word(blob + at.name);
	int words = *(const int *)(blob + at.words);
	bool is_glue = name == atomic_load_explicit(&glue, memory_order_relaxed);
	bool is_code = is_glue || name == atomic_load_explicit(&compiled, memory_order_relaxed);

	if (words < 2 || (uint32_t)words > WORDS_MAX)
		return false;
	if (!is_code && is_named(name, "nmethod")) {
		atomic_store_explicit(&compiled, name, memory_order_relaxed);
		is_code = true;
	} else if (!is_code && is_named(name, "native nmethod")) {
		atomic_store_explicit(&glue, name, memory_order_relaxed);
		is_code = is_glue = true;
	}
	*to = (struct code_at){ .blob = blob, .words = (uint32_t)words };
	if (!is_code)
		return true;
	if (pc >= blob + *(const uint32_t *)(blob + at.stub))
		return false;
	to->id = *(const uint32_t *)(blob + at.id);
	to->native = is_glue;
	return to->id != 0;
}

/* [handler] */
static uint32_t cache_slot(uintptr_t pc)
{
	return (uint32_t)((pc * 0x9e3779b97f4a7c15u) >> (64 - CACHE_BITS));
}

/* [handler] */
static uint64_t value_of(const struct code_at *c, uintptr_t pc)
{
	return (uint64_t)c->id << 32 | (uint32_t)(pc - c->blob);
}

/* [handler] Hash of a value at an address. */
static uint64_t hash_of(uint64_t value, uintptr_t pc)
{
	return (value ^ pc << 16) * 0xd6e8feb86659fd93u;
}

/* [handler] */
static bool cached(uintptr_t pc, struct code_at *to)
{
	uint32_t slot = cache_slot(pc);
	uint64_t value = atomic_load_explicit(&cache[slot].value, memory_order_relaxed);
	uint64_t hash = hash_of(value, pc);
	uint64_t key = atomic_load_explicit(&cache[slot].key, memory_order_relaxed) ^ hash;
	uint64_t note = atomic_load_explicit(&cache[slot].note, memory_order_acquire);

	if (!value || (key & 0xffffffffffffu) != pc)
		return false;
	*to = (struct code_at){ .blob = pc - (uint32_t)value,
				.id = (uint32_t)(value >> 32),
				.words = (uint32_t)(key >> 48) & WORDS_MAX,
				.native = key >> 48 & NATIVE,
				.noted = note >> 32 == hash >> 32 ? (uint32_t)note : 0 };
	__builtin_prefetch((const void *)(to->blob + at.id));
	return true;
}

bool codeheap_holds(uintptr_t blob, uint32_t id)
{
	return *(const uint32_t *)(blob + at.id) == id;
}

bool codeheap_at(uintptr_t pc, bool anew, struct code_at *to)
{
	uint32_t slot = cache_slot(pc);

	if (!anew && cached(pc, to))
		return true;
	if (!look_up(pc, to))
		return false;
	if (!to->id || pc >> 48 || pc - to->blob > UINT32_MAX)
		return true; /* nothing tells later whether a stub is still the same */
	uint64_t value = value_of(to, pc);
	uint64_t key = pc | (uint64_t)(to->words | (to->native ? NATIVE : 0)) << 48;
	atomic_store_explicit(&cache[slot].key, 0, memory_order_relaxed);
	atomic_store_explicit(&cache[slot].value, value, memory_order_relaxed);
	atomic_store_explicit(&cache[slot].key, key ^ hash_of(value, pc), memory_order_relaxed);
	return true;
}

void codeheap_note(const struct code_at *c, uintptr_t pc, uint32_t number)
{
	uint32_t slot = cache_slot(pc);
	uint64_t value = value_of(c, pc);

	if (atomic_load_explicit(&cache[slot].value, memory_order_relaxed) == value)
		atomic_store_explicit(&cache[slot].note, hash_of(value, pc) >> 32 << 32 | number,
				      memory_order_release);
}

uintptr_t codeheap_method(const struct code_at *c)
{
	return word(c->blob + at.method);
}

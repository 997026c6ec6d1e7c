/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scopes.c - see scopes.h. HotSpot's scopeDesc.hpp, pcDesc.hpp and compressedStream.hpp describe
 * the format.
 */
#include "hotspot/scopes.h"

#include <stdatomic.h>
#include <string.h>

#include "core/peek.h"
#include "core/tiers.h"
#include "hotspot/vmstructs.h"

#define METHOD_BITS 11
#define METHOD_HEAD 64 /* bytes of a Method or ConstMethod that are read at once */
#define SCOPE_BYTES 16 /* three numbers of at most five bytes each */
#define LARGE	    (64u << 20)
#define ACC_NATIVE  0x100u
#define NATIVE_BCI  (-3)
#define POOL	    (1u << 17) /* frames of all addresses */
#define ADDRESSES   512	       /* slots of the first tier */
#define EXCLUDES    20	       /* from this JDK on, the bytes of a number are never 0 */

static struct {
	size_t const_method, access, constants, idnum, holder, ids, const_size;
	size_t pcs, pcs_end, data, metadata, code;
	size_t immutable, mutable, relocation; /* JDK 25; in older ones all is in the blob */
	bool differing;
	uint32_t excludes;
} at;

/*
 * Cache of the ids of Methods. `key` is the Method ^ a hash of the id, so that two halves of
 * different entries do not match.
 */
static struct {
	_Atomic uint64_t key, id;
} methods[1u << METHOD_BITS];

/*
 * Decoded addresses. The value is a position in the pool, where a frame that holds their number
 * precedes the frames.
 */
static struct tiers_slot address_slots[TIERS_SLOTS(ADDRESSES)];
static const struct tiers addresses = { address_slots, ADDRESSES };
static struct wire_frame pool[POOL];
static _Atomic uint32_t pool_used = 1;

static uintptr_t word(uintptr_t p)
{
	return *(const uintptr_t *)p;
}

static uintptr_t word_in(const unsigned char *p)
{
	uintptr_t w;
	memcpy(&w, p, sizeof w);
	return w;
}

/* ---- start ----------------------------------------------------------------------------- */

static bool find_methods(void *dl)
{
	const struct vmstructs_wanted wanted[] = {
		{ "Method", "_constMethod", .offset = &at.const_method },
		{ "Method", "_access_flags", .offset = &at.access },
		{ "ConstMethod", "_constants", .offset = &at.constants },
		{ "ConstMethod", "_method_idnum", .offset = &at.idnum },
		{ "ConstantPool", "_pool_holder", .offset = &at.holder },
		{ "InstanceKlass", "_methods_jmethod_ids", .offset = &at.ids },
	};
	const size_t n = sizeof wanted / sizeof wanted[0];

	at.const_size = vmstructs_type_size(dl, "ConstMethod");
	return vmstructs_find(dl, wanted, n) == n && at.const_size &&
	       at.const_method + 8 <= METHOD_HEAD && at.access + 4 <= METHOD_HEAD &&
	       at.constants + 8 <= METHOD_HEAD && at.idnum + 2 <= METHOD_HEAD;
}

/* Up to JDK 22 or so all is in the blob. In JDK 25 it is in two pieces of memory outside. */
static bool find_scopes(void *dl)
{
	const struct vmstructs_wanted beside[] = {
		{ "nmethod", "_scopes_pcs_offset", .offset = &at.pcs },
		{ "nmethod", "_scopes_data_offset", .offset = &at.pcs_end },
		{ "nmethod", "_immutable_data", .offset = &at.immutable },
		{ "CodeBlob", "_mutable_data", .offset = &at.mutable },
		{ "CodeBlob", "_relocation_size", .offset = &at.relocation },
		{ "CodeBlob", "_code_offset", .offset = &at.code },
	};
	const struct vmstructs_wanted inside[] = {
		{ "nmethod", "_scopes_pcs_offset", .offset = &at.pcs },
		{ "nmethod", "_dependencies_offset", .offset = &at.pcs_end },
		{ "nmethod", "_metadata_offset", .offset = &at.metadata },
		{ "CodeBlob", "_code_begin", .offset = &at.code },
	};
	const struct vmstructs_wanted data[] = {
		{ "CompiledMethod", "_scopes_data_begin", .offset = &at.data },
		{ "nmethod", "_scopes_data_begin", .offset = &at.data },
	};
	const size_t nbeside = sizeof beside / sizeof beside[0],
		     ninside = sizeof inside / sizeof inside[0];

	at.differing = vmstructs_find(dl, beside, nbeside) == nbeside;
	return at.differing ||
	       (vmstructs_find(dl, inside, ninside) == ninside && vmstructs_find(dl, data, 2) > 0);
}

bool scopes_init(void *dl, int jdk, uintptr_t known)
{
	uintptr_t method = 0;

	at.excludes = jdk >= EXCLUDES;
	return find_methods(dl) && find_scopes(dl) && peek(known, &method, sizeof method) &&
	       (scopes_method(method) & ~(uint64_t)1) == known;
}

/* ---- methods --------------------------------------------------------------------------- */

/* The id, read where the VM keeps it. */
static uint64_t find_id(uintptr_t method)
{
	unsigned char head[METHOD_HEAD], rest[METHOD_HEAD];
	uintptr_t holder, ids, count, id, back;
	uint16_t number;
	uint32_t access;

	if (method % sizeof method || !peek(method, head, sizeof head) ||
	    !peek(word_in(head + at.const_method), rest, sizeof rest))
		return 0;
	memcpy(&number, rest + at.idnum, sizeof number);
	memcpy(&access, head + at.access, sizeof access);
	if (!peek(word_in(rest + at.constants) + at.holder, &holder, sizeof holder) ||
	    !peek(holder + at.ids, &ids, sizeof ids) || !ids || !peek(ids, &count, sizeof count) ||
	    number >= count || !peek(ids + (number + 1ul) * sizeof id, &id, sizeof id) || !id ||
	    id % sizeof id || !peek(id, &back, sizeof back) || back != method)
		return 0;
	return id | (access & ACC_NATIVE ? 1 : 0);
}

uint64_t scopes_method(uintptr_t method)
{
	uint32_t slot = (uint32_t)((method * 0x9e3779b97f4a7c15u) >> (64 - METHOD_BITS));
	uint64_t id = atomic_load_explicit(&methods[slot].id, memory_order_relaxed);
	uint64_t key = atomic_load_explicit(&methods[slot].key, memory_order_relaxed);

	/*
	 * The memory of a Method may be reused for another one. The memory that an id points to is
	 * never freed.
	 */
	if (id && (key ^ id * 0xd6e8feb86659fd93u) == method && word(id & ~(uint64_t)1) == method)
		return id;
	id = find_id(method);
	if (!id)
		return 0;
	atomic_store_explicit(&methods[slot].id, 0, memory_order_relaxed);
	atomic_store_explicit(&methods[slot].key, method ^ id * 0xd6e8feb86659fd93u,
			      memory_order_relaxed);
	atomic_store_explicit(&methods[slot].id, id, memory_order_relaxed);
	return id;
}

static struct wire_frame frame_of(uint64_t id, int32_t bci)
{
	struct wire_frame f;

	memset(&f, 0, sizeof f); /* it is hashed as a whole */
	f.method = id & ~(uint64_t)1;
	f.bci = id & 1 ? NATIVE_BCI : bci;
	return f;
}

bool scopes_interpreted(uintptr_t method, uintptr_t bytecode, struct wire_frame *to)
{
	uint64_t id = scopes_method(method);
	uintptr_t rest = 0;

	if (!id)
		return false;
	/* its id points back to it, so it is a Method */
	rest = word(method + at.const_method) + at.const_size;
	if (!(id & 1) && (bytecode < rest || bytecode - rest > UINT16_MAX))
		return false;
	*to = frame_of(id, (int32_t)(bytecode - rest));
	return true;
}

/* ---- scopes ---------------------------------------------------------------------------- */

/* The scopes of one compilation. */
struct scopes {
	uintptr_t pcs, pcs_end, data, metadata, code;
};

struct pc_desc {
	int32_t pc, scope, objects, flags;
};

static bool copy(uintptr_t from, void *to, size_t n)
{
	if (!codeheap_has(from, n))
		return peek(from, to, n);
	memcpy(to, (const void *)from, n);
	return true;
}

static uint32_t offset_in(uintptr_t p)
{
	return *(const uint32_t *)p;
}

static struct scopes scopes_of(uintptr_t blob)
{
	uintptr_t base = at.differing ? word(blob + at.immutable) : blob;
	struct scopes s = { .pcs = base + offset_in(blob + at.pcs),
			    .pcs_end = base + offset_in(blob + at.pcs_end) };

	if (at.differing) {
		s.data = s.pcs_end;
		s.metadata = word(blob + at.mutable) +
			     ((offset_in(blob + at.relocation) + 7u) & ~(uintptr_t)7);
		s.code = blob + offset_in(blob + at.code);
	} else {
		s.data = word(blob + at.data);
		s.metadata = blob + offset_in(blob + at.metadata);
		s.code = word(blob + at.code);
	}
	return s;
}

/* The scope at a return address; 0: none. */
static uint32_t scope_at(const struct scopes *s, uintptr_t pc)
{
	size_t low = 0, high = (s->pcs_end - s->pcs) / sizeof(struct pc_desc);
	int32_t wanted = (int32_t)(pc - s->code);
	struct pc_desc d;

	if (s->pcs_end < s->pcs || s->pcs_end - s->pcs > LARGE)
		return 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (!copy(s->pcs + middle * sizeof d, &d, sizeof d))
			return 0;
		if (d.pc == wanted)
			return d.scope > 0 && (uint32_t)d.scope < LARGE ? (uint32_t)d.scope : 0;
		if (d.pc < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return 0;
}

/* A number of one to five bytes. */
static uint32_t next_number(const unsigned char **p)
{
	const uint32_t x = at.excludes, low = 192 - x;
	uint32_t sum = *(*p)++ - x;

	for (uint32_t i = 1, b = sum; b >= low && i < 5; i++) {
		b = *(*p)++ - x;
		sum += b << 6 * i;
	}
	return sum;
}

/* Reads one scope. *scope becomes the caller's scope, or 0. */
static bool scope_frame(const struct scopes *s, uint32_t *scope, struct wire_frame *to,
			uintptr_t *method)
{
	unsigned char bytes[SCOPE_BYTES];
	const unsigned char *p = bytes;

	if (!copy(s->data + *scope, bytes, sizeof bytes))
		return false;
	*scope = next_number(&p);
	uint32_t index = next_number(&p), bci = next_number(&p);
	if (*scope >= LARGE || !index || index >= LARGE ||
	    !copy(s->metadata + (index - 1ul) * sizeof *method, method, sizeof *method))
		return false;
	uint64_t id = scopes_method(*method);
	/* stored as bci + 1; -1 is the entry of a synchronized method, which JVMTI reports as 0 */
	*to = frame_of(id, bci ? (int32_t)bci - 1 : 0);
	return id && bci <= UINT16_MAX + 1;
}

static uint32_t decode(const struct code_at *c, uintptr_t pc, struct wire_frame *to)
{
	const struct scopes s = scopes_of(c->blob);
	uint32_t scope = scope_at(&s, pc), n = 0;
	uintptr_t method = 0;

	while (scope && n < SCOPES_MAX)
		if (!scope_frame(&s, &scope, &to[n++], &method))
			return 0;
	return n && !scope && method == codeheap_method(c) ? n : 0;
}

/* ---- what was decoded ------------------------------------------------------------------ */

static uint32_t copy_from_pool(uint32_t first, struct wire_frame *to)
{
	uint32_t n = (uint32_t)pool[first].bci;

	memcpy(to, &pool[first + 1], n * sizeof *to);
	return n;
}

/* Stores the frames in the pool. Returns their position; 0: not stored. */
static uint32_t remember(uint64_t key, const struct wire_frame *frames, uint32_t n)
{
	bool mine = false;
	struct tiers_slot *slot = NULL;

	if (atomic_load_explicit(&pool_used, memory_order_relaxed) + SCOPES_MAX + 1 < POOL)
		slot = tiers_claim(&addresses, key, &mine);
	if (!slot || !mine)
		return 0;
	uint32_t first = atomic_fetch_add(&pool_used, n + 1);
	if (first + n + 1 > POOL)
		return 0;
	pool[first].bci = (int32_t)n;
	memcpy(&pool[first + 1], frames, n * sizeof *frames);
	atomic_store_explicit(&slot->value, first, memory_order_release);
	return first;
}

uint32_t scopes_compiled(const struct code_at *c, uintptr_t pc, struct wire_frame *to)
{
	uint64_t key = ((pc << 17 | pc >> 47) ^ (uint64_t)c->id * 0x9e3779b97f4a7c15u) | 1;
	uint32_t first = c->noted, n = 0;

	if (c->native) {
		uint64_t id = scopes_method(codeheap_method(c));
		to[0] = frame_of(id, 0);
		return id & 1;
	}
	if (first)
		return copy_from_pool(first, to);
	const struct tiers_slot *slot = tiers_find(&addresses, key);
	first = slot ? atomic_load_explicit(&slot->value, memory_order_acquire) : 0;
	if (first)
		n = copy_from_pool(first, to);
	else if ((n = decode(c, pc, to)) > 0)
		first = remember(key, to, n);
	if (first)
		codeheap_note(c, pc, first);
	return n;
}

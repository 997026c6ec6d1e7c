/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scopes.c - see scopes.h. HotSpot's scopeDesc.hpp, pcDesc.hpp and compressedStream.hpp describe
 * the format.
 */
#include "hotspot/metadata/scopes.h"

#include <stdatomic.h>
#include <string.h>

#include "core/hashtable.h"
#include "core/peek.h"
#include "hotspot/metadata/metadata.h"
#include "hotspot/metadata/metadata_private.h"
#include "hotspot/vmstructs.h"

#define SCOPE_BYTES 16 /* three numbers of at most five bytes each */
#define LARGE	    (64u << 20)
#define NATIVE_BCI  (-3)
#define POOL	    (1u << 17) /* frames of all addresses */
#define ADDRESSES   512	       /* slots of the first tier */

static struct {
	size_t pcs, pcs_end, data, metadata, code;
	size_t immutable, mutable, relocation; /* JDK 25; in older ones all is in the blob */
	bool differing;
} at;

/*
 * Decoded addresses. The value is a position in the pool, where a frame that holds their number
 * precedes the frames.
 */
static struct hashtable_slot address_slots[HASHTABLE_SLOTS(ADDRESSES)];
static const struct hashtable addresses = { address_slots, ADDRESSES };
static struct wire_frame pool[POOL];
static _Atomic uint32_t pool_used = 1;

/* [handler] */
static uintptr_t word(uintptr_t p)
{
	return *(const uintptr_t *)p;
}

/* ---- start ----------------------------------------------------------------------------- */

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

bool scopes_init(void *dl)
{
	return find_scopes(dl);
}

/* ---- methods ---------------------------------------------------------------------------- */

/* [handler] */
static struct wire_frame frame_of(uint64_t number, int32_t bci)
{
	struct wire_frame f;

	memset(&f, 0, sizeof f); /* it is hashed as a whole */
	f.method = number & ~(uint64_t)METADATA_BITS;
	f.bci = number & METADATA_NATIVE ? NATIVE_BCI : bci;
	return f;
}

bool scopes_interpreted(uintptr_t method, uintptr_t bytecode, struct wire_frame *to)
{
	uint64_t number = metadata_number(method);
	uintptr_t first = number ? metadata_bytecodes(method) : 0;

	if (!number ||
	    (!(number & METADATA_NATIVE) && (bytecode < first || bytecode - first > UINT16_MAX)))
		return false;
	*to = frame_of(number, (int32_t)(bytecode - first));
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

/* [handler] */
static bool copy(uintptr_t from, void *to, size_t n)
{
	if (!codeheap_has(from, n))
		return peek(from, to, n);
	memcpy(to, (const void *)from, n);
	return true;
}

/* [handler] */
static uint32_t offset_in(uintptr_t p)
{
	return *(const uint32_t *)p;
}

/* [handler] */
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

/*
 * [handler] The scope at a return address, or `near` any address: the next that has one. 0: none.
 */
static uint32_t scope_at(const struct scopes *s, uintptr_t pc, bool near)
{
	size_t count = (s->pcs_end - s->pcs) / sizeof(struct pc_desc), low = 0, high = count;
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
	if (!near || low == count || !copy(s->pcs + low * sizeof d, &d, sizeof d))
		return 0;
	return d.scope > 0 && (uint32_t)d.scope < LARGE ? (uint32_t)d.scope : 0;
}

/* [handler] Reads one scope. *scope becomes the caller's scope, or 0. */
static bool scope_frame(const struct scopes *s, uint32_t *scope, struct wire_frame *to,
			uintptr_t *method)
{
	unsigned char bytes[SCOPE_BYTES];
	const unsigned char *p = bytes;

	if (!copy(s->data + *scope, bytes, sizeof bytes))
		return false;
	*scope = metadata_next(&p);
	uint32_t index = metadata_next(&p), bci = metadata_next(&p);
	if (*scope >= LARGE || !index || index >= LARGE ||
	    !copy(s->metadata + (index - 1ul) * sizeof *method, method, sizeof *method))
		return false;
	uint64_t number = metadata_number(*method);
	/* stored as bci + 1; -1 is the entry of a synchronized method, which JVMTI reports as 0 */
	*to = frame_of(number, bci ? (int32_t)bci - 1 : 0);
	return number && bci <= UINT16_MAX + 1;
}

/* [handler] */
static uint32_t decode(const struct code_at *c, uintptr_t pc, bool near, struct wire_frame *to)
{
	const struct scopes s = scopes_of(c->blob);
	uint32_t scope = scope_at(&s, pc, near), n = 0;
	uintptr_t method = 0;

	while (scope && n < SCOPES_MAX)
		if (!scope_frame(&s, &scope, &to[n++], &method))
			return 0;
	return n && !scope && method == codeheap_method(c) ? n : 0;
}

/* ---- what was decoded ------------------------------------------------------------------ */

/* [handler] */
static uint32_t copy_from_pool(uint32_t first, struct wire_frame *to)
{
	uint32_t n = (uint32_t)pool[first].bci;

	memcpy(to, &pool[first + 1], n * sizeof *to);
	return n;
}

/* [handler] Stores the frames in the pool. Returns their position; 0: not stored. */
static uint32_t remember(uint64_t key, const struct wire_frame *frames, uint32_t n)
{
	bool mine = false;
	struct hashtable_slot *slot = NULL;

	if (atomic_load_explicit(&pool_used, memory_order_relaxed) + SCOPES_MAX + 1 < POOL)
		slot = hashtable_claim(&addresses, key, &mine);
	if (!slot || !mine)
		return 0;
	uint32_t first = atomic_fetch_add_explicit(&pool_used, n + 1, memory_order_relaxed);
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
		uint64_t number = metadata_number(codeheap_method(c));
		to[0] = frame_of(number, 0);
		return number & METADATA_NATIVE;
	}
	if (first)
		return copy_from_pool(first, to);
	const struct hashtable_slot *slot = hashtable_find(&addresses, key);
	first = slot ? atomic_load_explicit(&slot->value, memory_order_acquire) : 0;
	if (first)
		n = copy_from_pool(first, to);
	else if ((n = decode(c, pc, false, to)) > 0)
		first = remember(key, to, n);
	if (first)
		codeheap_note(c, pc, first);
	return n;
}

uint32_t scopes_near(const struct code_at *c, uintptr_t pc, struct wire_frame *to)
{
	uint32_t n = c->native ? scopes_compiled(c, pc, to) : decode(c, pc + 1, true, to);
	uint64_t number = n ? 0 : metadata_number(codeheap_method(c));

	if (n || !number)
		return n;
	to[0] = frame_of(number, -1);
	return 1;
}

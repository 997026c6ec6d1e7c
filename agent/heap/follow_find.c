/* SPDX-License-Identifier: Apache-2.0 */
/*
 * follow_find.c - look-ups in the table of followed objects (follow.h), in handlers: by address, or
 * by class. A found object existed at the time of the look-up: its header is read, and the epoch
 * and the entry must be the same before and after.
 */
#include "core/peek.h"
#include "heap/follow.h"
#include "hotspot/metadata/layout.h"

#define HEADER 24u /* bytes of an object with class word and length */
#define PICKS  32u /* entries tried for an old object of a class, and as many for any */

/* [handler] Whether the object at `start` matches the entry. */
static bool is_there(const struct follow_entry *e, uintptr_t start)
{
	unsigned char header[HEADER];
	const unsigned char *at = header;
	const struct klass *k = class_by_id(e->class_id);

	if (!k)
		return false;
	if (!peek_works())
		at = (const unsigned char *)
			start; /* then this is a handler, and the object does not move */
	else if (!peek(start, header, layout.length_offset + 4))
		return false; /* a collection has come meanwhile and shrunk the heap */
	return layout_klass(at) == atomic_load_explicit(&k->word, memory_order_relaxed) &&
	       (!k->array || *(const uint32_t *)(at + layout.length_offset) == e->array_length);
}

/*
 * [handler] The object of an entry, if it is at `at` in `epoch`. `metadata`: the metadata bits of
 * addresses in code.
 */
static bool found(uint32_t i, uintptr_t at, uintptr_t metadata, uint64_t epoch, struct followed *to)
{
	const struct follow_entry *e = &follow_table.entries[i];
	const struct follow_place *p = &follow_table.places[i];

	*to = (struct followed){
		.ref = { i, atomic_load_explicit(&e->claim, memory_order_acquire) & ~1u },
		.context = e->context,
		.class_id = e->class_id,
		.array_length = e->array_length,
		.start = at + metadata,
		.size = p->size,
		.weight = atomic_load_explicit(&e->weight, memory_order_relaxed),
		.taken = atomic_load_explicit(&e->claim, memory_order_acquire) & 1,
		.born = e->born,
		.owner = e->owner,
		.thread = e->thread,
	};
	atomic_thread_fence(memory_order_acquire); /* what was read comes before these checks */
	return follow_state(e) == FOLLOW_FOLLOWED && is_there(e, at + metadata) &&
	       atomic_load_explicit(&p->at, memory_order_seq_cst) == at && epoch_is(epoch);
}

enum follow_found follow_find(uintptr_t address, uint64_t epoch, struct followed *to)
{
	const struct follow_block *blocks = follow_table.blocks;
	uintptr_t a = follow_plain(address);
	uint32_t n = follow_used();

	if (!follow_table.entries)
		return FOLLOW_NONE;
	if (atomic_load_explicit(&follow_table.complete, memory_order_acquire) != epoch)
		return FOLLOW_UNKNOWN;
	for (uint32_t b = 0; b * FOLLOW_BLOCK < n; b++) {
		if (a < atomic_load_explicit(&blocks[b].low, memory_order_relaxed) ||
		    a >= atomic_load_explicit(&blocks[b].high, memory_order_relaxed))
			continue;
		for (uint32_t i = b * FOLLOW_BLOCK; i < (b + 1) * FOLLOW_BLOCK; i++) {
			const struct follow_place *p = &follow_table.places[i];
			uintptr_t at = atomic_load_explicit(&p->at, memory_order_acquire);
			if (!at || a - at >= p->size ||
			    atomic_load_explicit(&p->epoch, memory_order_seq_cst) != epoch)
				continue;
			bool there = found(i, at, address - a, epoch, to);
			to->offset = a - at;
			return there ? FOLLOW_FOUND : FOLLOW_UNKNOWN;
		}
	}
	return FOLLOW_NONE;
}

uint32_t follow_hit(struct follow_ref ref, uint32_t times)
{
	return atomic_fetch_add_explicit(&follow_table.entries[ref.entry].hits, times,
					 memory_order_relaxed) +
	       1;
}

/*
 * [handler] Whether an entry may be of an object of this class whose use has not been seen. `old`:
 * only if it has survived a collection.
 */
static bool fits(uint32_t i, uint32_t class_id, uint64_t epoch, bool old)
{
	const struct follow_entry *e = &follow_table.entries[i];

	return follow_state(e) == FOLLOW_FOLLOWED && e->class_id == class_id &&
	       !(atomic_load_explicit(&e->claim, memory_order_acquire) & 1) &&
	       (!old || e->born != epoch) &&
	       atomic_load_explicit(&follow_table.places[i].epoch, memory_order_seq_cst) == epoch;
}

bool follow_pick(uint32_t class_id, uint64_t epoch, uintptr_t like, uint64_t *random,
		 struct followed *to)
{
	uint32_t n = follow_used();

	/*
	 * In many programs most young objects are already dead, and watches of allocations cover
	 * them anyway.
	 */
	for (uint32_t k = 0; follow_table.entries && n && k < 2 * PICKS; k++) {
		uint32_t i = (uint32_t)random_below(random, n);
		if (!fits(i, class_id, epoch, k < PICKS))
			continue;
		uintptr_t at =
			atomic_load_explicit(&follow_table.places[i].at, memory_order_seq_cst);
		if (at && found(i, at, like - follow_plain(like), epoch, to))
			return true;
	}
	return false;
}

bool follow_claim(struct follow_ref ref)
{
	uint32_t unclaimed = ref.claim;

	return !ref.claim || atomic_compare_exchange_strong_explicit(
				     &follow_table.entries[ref.entry].claim, &unclaimed,
				     unclaimed | 1, memory_order_acq_rel, memory_order_acquire);
}

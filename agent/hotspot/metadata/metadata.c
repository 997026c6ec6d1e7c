/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metadata.c - see metadata.h. Remembers the numbers of methods; metadata_records.c computes them.
 *
 * A method's number is a hash of its names and of what differs between versions of it: sizes and
 * line numbers. A class that is loaded again and again keeps its numbers.
 */
#include "hotspot/metadata/metadata.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "core/hashtable.h"
#include "core/state.h"
#include "hotspot/metadata/metadata_private.h"

#define FIRST 1024	 /* slots of the first tier */
#define ROOM  (1u << 16) /* most numbers whose Methods are kept */

/* By number, the position plus 1 of its Method. */
static struct hashtable_slot slots[HASHTABLE_SLOTS(FIRST)];
static const struct hashtable table = { slots, FIRST };
static _Atomic uintptr_t places[ROOM];
static _Atomic uint32_t nplaces;

void metadata_where_set(uint64_t number, uintptr_t method)
{
	bool mine = false;
	struct hashtable_slot *slot = hashtable_claim(&table, number, &mine);
	uint32_t place = slot ? atomic_load_explicit(&slot->value, memory_order_acquire) : 0;

	if (mine)
		place = atomic_load_explicit(&nplaces, memory_order_relaxed) < ROOM
				? atomic_fetch_add_explicit(&nplaces, 1, memory_order_relaxed) + 1
				: 0;
	if (!place || place > ROOM)
		return;
	atomic_store_explicit(&places[place - 1], method, memory_order_release);
	if (mine)
		atomic_store_explicit(&slot->value, place, memory_order_release);
}

uintptr_t metadata_where(uint64_t number)
{
	const struct hashtable_slot *slot = hashtable_find(&table, number);
	uint32_t place = slot ? atomic_load_explicit(&slot->value, memory_order_acquire) : 0;

	return place ? atomic_load_explicit(&places[place - 1], memory_order_acquire) : 0;
}

/* ---- cache ----------------------------------------------------------------------------- */

#define CACHE_BITS 13

bool metadata_on;

#define at metadata_at

/*
 * `turn` is odd while an entry is written. An entry holds in its epoch, as no class is unloaded
 * within one. Later it has to be proved again.
 */
static struct entry {
	_Atomic uint32_t turn;
	uint64_t epoch, number;
	uintptr_t method;
	struct metadata_known known;
} cache[1u << CACHE_BITS];

/* [handler] */
static struct entry *entry_of(uintptr_t method)
{
	return &cache[(uint32_t)((method * 0x9e3779b97f4a7c15u) >> (64 - CACHE_BITS))];
}

/* [handler] A copy of the entry, if it is of this method and nobody writes it. */
static bool entry_read(uintptr_t method, struct entry *copy)
{
	struct entry *e = entry_of(method);
	uint32_t turn = atomic_load_explicit(&e->turn, memory_order_acquire);

	if (turn & 1 || e->method != method)
		return false;
	copy->epoch = e->epoch;
	copy->number = e->number;
	copy->known = e->known;
	copy->method = e->method;
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&e->turn, memory_order_relaxed) == turn &&
	       copy->method == method;
}

/* [handler] Leaves it, if another thread writes the entry. */
static void entry_write(const struct entry *from)
{
	struct entry *e = entry_of(from->method);
	uint32_t turn = atomic_load_explicit(&e->turn, memory_order_relaxed);

	if (turn & 1 ||
	    !atomic_compare_exchange_strong_explicit(&e->turn, &turn, turn + 1,
						     memory_order_acq_rel, memory_order_acquire))
		return;
	atomic_thread_fence(memory_order_release);
	e->epoch = from->epoch;
	e->number = from->number;
	e->method = from->method;
	e->known = from->known;
	atomic_store_explicit(&e->turn, turn + 2, memory_order_release);
}

uint64_t metadata_number(uintptr_t method)
{
	uint64_t now = epoch_now();
	struct metadata_records r;
	struct metadata_texts t;
	struct entry e;

	if (entry_read(method, &e)) {
		if (e.epoch == now && now != UINT64_MAX &&
		    *(const uintptr_t *)(method + at.const_method) == e.known.proof.const_method)
			return e.number;
		if (metadata_proved(method, &e.known)) {
			e.epoch = now;
			entry_write(&e);
			return e.number;
		}
	}
	if (!metadata_find(method, &r) || !metadata_read_texts(&r, &t))
		return 0;
	e = (struct entry){ .epoch = now, .method = method, .number = metadata_hash(&r, &t) };
	metadata_where_set(e.number & ~(uint64_t)METADATA_BITS, method);
	if (metadata_prove(&r, &t, &e.known))
		entry_write(&e);
	return e.number;
}

bool metadata_remembered(uintptr_t method, uint64_t number, struct metadata_known *to)
{
	struct entry e;

	if (!entry_read(method, &e) || ((e.number ^ number) & ~(uint64_t)METADATA_BITS))
		return false;
	*to = e.known;
	return true;
}

uint64_t metadata_number_of(jmethodID id)
{
	if (!metadata_on)
		return (uint64_t)(uintptr_t)id;
	/* the memory that an id points to is never freed */
	uintptr_t method = id ? *(const uintptr_t *)(const void *)id : 0;
	return method ? metadata_number(method) & ~(uint64_t)METADATA_BITS : 0;
}

uintptr_t metadata_bytecodes(uintptr_t method)
{
	return *(const uintptr_t *)(method + at.const_method) + at.const_size;
}

bool metadata_known(void)
{
	return metadata_on;
}

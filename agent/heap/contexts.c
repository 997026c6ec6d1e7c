/* SPDX-License-Identifier: Apache-2.0 */
/*
 * contexts.c - two hash tables: (class, stack) to context id, (context, size) to stratum.
 *
 * Look-ups take no lock: an insertion writes the value last, and nothing is removed. Insertions
 * take a lock.
 */
#include "heap/contexts.h"

#include "core/hashtable.h"
#include "core/link.h"

#define CONTEXTS    1024 /* slots of the first tier */
#define STRATA	    512
#define STRATUM_MAX WIRE_MOST_SIZES
#define KEPT	    64	       /* positions in a reservoir */
#define ROOM	    (1u << 14) /* reservoirs */

_Static_assert(HASHTABLE_SLOTS(CONTEXTS) == WIRE_MOST_CONTEXTS, "room for contexts");

static struct hashtable_slot context_slots[HASHTABLE_SLOTS(CONTEXTS)],
	stratum_slots[HASHTABLE_SLOTS(STRATA)];
static const struct hashtable contexts = { context_slots, CONTEXTS };
static const struct hashtable index_of = { stratum_slots,
					   STRATA }; /* to the position in strata plus 1 */
static uint32_t last_id;

/* In the order of first use, so that only used memory is touched. */
static struct stratum strata[STRATUM_MAX];
static uint32_t nstrata;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static _Atomic uint32_t rooms[ROOM][KEPT]; /* positions plus 1; the first room stays empty */
static _Atomic uint32_t last_room;

/* [handler] */
static uint32_t known(const struct hashtable *t, uint64_t key)
{
	const struct hashtable_slot *s = hashtable_find(t, key);

	return s ? atomic_load_explicit(&s->value, memory_order_acquire) : 0;
}

static uint32_t define(uint32_t class_id, uint32_t stack_id)
{
	struct wire_context *rec = link_define_reserve(sizeof *rec);
	if (!rec)
		return 0;
	rec->id = ++last_id;
	rec->class_id = class_id;
	rec->stack_id = stack_id;
	rec->pad = 0;
	link_define(rec, WIRE_CONTEXT);
	return last_id;
}

uint32_t contexts_intern(uint32_t class_id, uint32_t stack_id)
{
	uint64_t key = (uint64_t)class_id << 32 | stack_id;
	uint32_t id = known(&contexts, key);
	bool mine;

	if (id)
		return id;
	pthread_mutex_lock(&lock);
	struct hashtable_slot *s = hashtable_claim(&contexts, key, &mine);
	id = s ? atomic_load_explicit(&s->value, memory_order_acquire) : 0;
	if (s && !id && (id = define(class_id, stack_id)) != 0)
		atomic_store_explicit(&s->value, id, memory_order_release);
	pthread_mutex_unlock(&lock);
	if (!s)
		limit_reached(WIRE_LIMIT_CONTEXTS);
	return id;
}

/* [handler] */
static uint64_t stratum_key(uint32_t context, uint32_t array_length)
{
	return (uint64_t)context << 32 | array_length;
}

struct stratum *contexts_stratum(uint32_t context, uint32_t array_length)
{
	struct stratum *found = contexts_stratum_known(context, array_length);
	bool mine;

	if (found)
		return found;
	pthread_mutex_lock(&lock);
	struct hashtable_slot *s =
		hashtable_claim(&index_of, stratum_key(context, array_length), &mine);
	uint32_t at = s ? atomic_load_explicit(&s->value, memory_order_acquire) : 0;
	if (s && !at && nstrata < STRATUM_MAX) {
		at = ++nstrata;
		atomic_store_explicit(&s->value, at, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
	if (!at)
		limit_reached(WIRE_LIMIT_SIZES);
	return at ? &strata[at - 1] : NULL;
}

struct stratum *contexts_stratum_known(uint32_t context, uint32_t array_length)
{
	uint32_t at = known(&index_of, stratum_key(context, array_length));

	return at ? &strata[at - 1] : NULL;
}

/* ---- positions ------------------------------------------------------------------------- */

/* [handler] The room of a reservoir's positions; NULL if none is left. */
static _Atomic uint32_t *room_of(struct reservoir *r)
{
	uint32_t at = atomic_load_explicit(&r->room, memory_order_relaxed);

	if (!at) {
		if (atomic_load_explicit(&last_room, memory_order_relaxed) >= ROOM - 1)
			return NULL;
		uint32_t next = atomic_fetch_add_explicit(&last_room, 1, memory_order_relaxed) + 1;
		if (next >= ROOM)
			return NULL;
		if (atomic_compare_exchange_strong_explicit(
			    &r->room, &at, next, memory_order_acq_rel, memory_order_acquire))
			at = next;
	}
	return rooms[at];
}

void reservoir_add(struct reservoir *r, uint32_t position, uint64_t *random)
{
	uint32_t n = atomic_fetch_add_explicit(&r->seen, 1, memory_order_acq_rel);
	uint64_t i = n < KEPT ? n : random_below(random, (uint64_t)n + 1);
	_Atomic uint32_t *room = i < KEPT ? room_of(r) : NULL;

	if (room)
		atomic_store_explicit(&room[i], position + 1, memory_order_relaxed);
}

bool reservoir_draw(struct reservoir *r, uint32_t *position, uint64_t *random)
{
	uint32_t n = atomic_load_explicit(&r->seen, memory_order_acquire),
		 at = atomic_load_explicit(&r->room, memory_order_acquire);
	uint64_t i = n ? random_below(random, n < KEPT ? n : KEPT) : 0;
	uint32_t there = atomic_load_explicit(&rooms[at][i], memory_order_relaxed);

	*position = there - 1;
	return there != 0; /* another thread may have counted its position and not written it yet */
}

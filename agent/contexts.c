/* SPDX-License-Identifier: Apache-2.0 */
/*
 * contexts.c - two hash tables: (class, stack) to context id, (context, size) to stratum.
 *
 * Look-ups take no lock: a key is written last, and nothing is removed. Insertions take one.
 */
#include "contexts.h"

#include "link.h"

#define CONTEXT_SLOTS (1u << 17)
#define STRATUM_SLOTS (1u << 15)
#define STRATUM_MAX   (STRATUM_SLOTS / 2)
#define PROBES	      64

static struct {
	_Atomic uint64_t key; /* class << 32 | stack, plus 1 */
	uint32_t id;
} table[CONTEXT_SLOTS];
static uint32_t last_id;

/* Strata lie in the order of their first use, found through an index: memory is touched as needed. */
static _Atomic uint32_t strata_index[STRATUM_SLOTS]; /* position in strata plus 1 */
static struct stratum strata[STRATUM_MAX];
static uint32_t nstrata;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uint32_t slot_of(uint64_t key, uint32_t slots)
{
	uint64_t state = key;
	return (uint32_t)random_next(&state) & (slots - 1);
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

/* Finds the key, or the free slot where it belongs; SLOTS where neither is near. */
static uint32_t find_context(uint64_t key, bool *found)
{
	uint32_t start = slot_of(key, CONTEXT_SLOTS);
	for (uint32_t i = 0; i < PROBES; i++) {
		uint32_t slot = (start + i) & (CONTEXT_SLOTS - 1);
		uint64_t there = atomic_load_explicit(&table[slot].key, memory_order_acquire);
		*found = there == key;
		if (*found || !there)
			return slot;
	}
	return CONTEXT_SLOTS;
}

uint32_t contexts_intern(uint32_t class_id, uint32_t stack_id)
{
	uint64_t key = ((uint64_t)class_id << 32 | stack_id) + 1;
	bool found = false;
	uint32_t slot = find_context(key, &found), id = 0;

	if (found)
		return table[slot].id;
	pthread_mutex_lock(&lock);
	slot = find_context(key, &found);
	if (found) {
		id = table[slot].id;
	} else if (slot < CONTEXT_SLOTS && (id = define(class_id, stack_id)) != 0) {
		table[slot].id = id;
		atomic_store_explicit(&table[slot].key, key, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
	if (!id)
		status_add(defs_lost, 1);
	return id;
}

/* Finds the key's slot in the index, or the free one where it belongs; SLOTS where neither is near. */
static uint32_t find_stratum(uint64_t key, struct stratum **found)
{
	uint32_t start = slot_of(key, STRATUM_SLOTS);

	*found = NULL;
	for (uint32_t i = 0; i < PROBES; i++) {
		uint32_t slot = (start + i) & (STRATUM_SLOTS - 1);
		uint32_t at = atomic_load_explicit(&strata_index[slot], memory_order_acquire);
		if (!at)
			return slot;
		if (strata[at - 1].key == key) {
			*found = &strata[at - 1];
			return slot;
		}
	}
	return STRATUM_SLOTS;
}

struct stratum *contexts_stratum(uint32_t context, uint32_t extent)
{
	uint64_t key = (uint64_t)context << 32 | extent;
	struct stratum *s;

	find_stratum(key, &s);
	if (s)
		return s;
	pthread_mutex_lock(&lock);
	uint32_t slot = find_stratum(key, &s);
	if (!s && slot < STRATUM_SLOTS && nstrata < STRATUM_MAX) {
		s = &strata[nstrata++];
		s->key = key;
		atomic_store_explicit(&strata_index[slot], nstrata, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
	return s;
}

struct stratum *contexts_stratum_known(uint32_t context, uint32_t extent)
{
	struct stratum *s;

	find_stratum((uint64_t)context << 32 | extent, &s);
	return s;
}

/* ---- positions of sampled accesses ----------------------------------------------------- */

void stratum_add_sampled(struct stratum *s, uint32_t position, uint64_t *random)
{
	uint32_t n = atomic_fetch_add(&s->sampled_seen, 1);
	uint64_t i = n < SAMPLED_SEEDS ? n : random_below(random, (uint64_t)n + 1);

	if (i < SAMPLED_SEEDS)
		atomic_store_explicit(&s->sampled[i], position + 1, memory_order_relaxed);
}

bool stratum_draw_sampled(struct stratum *s, uint32_t *position, uint64_t *random)
{
	uint32_t n = atomic_load(&s->sampled_seen);
	uint64_t i = n ? random_below(random, n < SAMPLED_SEEDS ? n : SAMPLED_SEEDS) : 0;
	uint32_t there = atomic_load_explicit(&s->sampled[i], memory_order_relaxed);

	*position = there - 1;
	return there != 0; /* whoever counted itself may not have written yet */
}

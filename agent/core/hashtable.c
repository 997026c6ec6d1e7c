/* SPDX-License-Identifier: Apache-2.0 */
/* hashtable.c - see hashtable.h. */
#include "core/hashtable.h"

#include <stddef.h>

#define FURTHER 8 /* buckets of the last tier that are tried if the key's own is full */

/*
 * [handler] Each tier uses other bits of this. Otherwise keys that share a bucket would share the
 * next one, too.
 */
static uint64_t mixed(uint64_t key)
{
	key = (key ^ (key >> 32)) * 0x9e3779b97f4a7c15u;
	return key ^ (key >> 29);
}

/* [handler] The key's bucket in a tier, or the one that comes so many after it. */
static struct hashtable_slot *bucket(const struct hashtable *t, uint64_t hash, uint32_t tier,
				     uint32_t after)
{
	uint64_t size = (uint64_t)t->first << 2 * tier;
	uint64_t before = t->first * ((((uint64_t)1 << 2 * tier) - 1) / 3);
	uint64_t which = (hash >> 16 * tier | hash << (64 - 16 * tier) % 64) + after;

	return &t->slots[before + (which * HASHTABLE_BUCKET & (size - 1))];
}

/* [handler] The slot of the key, or the one that it would get; NULL: no tier has room. */
static struct hashtable_slot *place(const struct hashtable *t, uint64_t key, uint64_t *there)
{
	uint64_t hash = mixed(key);

	for (uint32_t n = 0; n < HASHTABLE_TIERS + FURTHER; n++) {
		uint32_t tier = n < HASHTABLE_TIERS ? n : HASHTABLE_TIERS - 1;
		struct hashtable_slot *s = bucket(t, hash, tier, n - tier);
		for (uint32_t i = 0; i < HASHTABLE_BUCKET; i++) {
			*there = atomic_load_explicit(&s[i].key, memory_order_acquire);
			if (*there == key || *there == 0)
				return &s[i];
		}
	}
	return NULL;
}

struct hashtable_slot *hashtable_find(const struct hashtable *t, uint64_t key)
{
	uint64_t there = 0;
	struct hashtable_slot *s = place(t, key, &there);

	return s && there == key ? s : NULL;
}

struct hashtable_slot *hashtable_claim(const struct hashtable *t, uint64_t key, bool *mine)
{
	for (;;) {
		uint64_t there = 0;
		struct hashtable_slot *s = place(t, key, &there);
		*mine = s && there == 0 &&
			atomic_compare_exchange_strong_explicit(
				&s->key, &there, key, memory_order_acq_rel, memory_order_acquire);
		if (!s || *mine || there == key)
			return s;
		/* another key has just taken it */
	}
}

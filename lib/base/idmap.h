/* SPDX-License-Identifier: Apache-2.0 */
/*
 * idmap.h - a hash map from numbers to pointers.
 *
 * The numbers come from other processes, so they are never used as indices, and they are hashed
 * before they choose a slot. Each event needs a lookup; with open addressing it touches one or two
 * cache lines. The map does not own its values.
 */
#ifndef OJX_IDMAP_H
#define OJX_IDMAP_H

#define XXH_INLINE_ALL

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

#include "base/arena.h"
#include "base/xmalloc.h"

struct idmap_slot {
	uint64_t key;
	void *value; /* NULL: free */
};

struct idmap {
	struct idmap_slot *slots;
	size_t mask; /* slots - 1, slots being a power of two; undefined without slots */
	size_t count;
};

/* Adds `value` (not NULL) under `key`, which must not be there yet. 0, or -1 with ENOMEM. */
int idmap_put(struct idmap *map, uint64_t key, void *value);
/* The same for reports (xmalloc.h). */
static inline void xidmap_put(struct idmap *map, uint64_t key, void *value)
{
	if (idmap_put(map, key, value) < 0)
		out_of_memory();
}
void idmap_release(struct idmap *map);

/* Spreads keys that differ in few bits over all slots. */
static inline size_t idmap_hash(uint64_t key)
{
	key = (key ^ (key >> 32)) * 0xd6e8feb86659fd93u;
	key = (key ^ (key >> 32)) * 0xd6e8feb86659fd93u;
	return (size_t)(key ^ (key >> 32));
}

/* NULL if the key is not there. */
static inline void *idmap_get(const struct idmap *map, uint64_t key)
{
	if (!map->slots)
		return NULL;
	for (size_t i = idmap_hash(key);; i++) {
		const struct idmap_slot *s = &map->slots[i & map->mask];
		if (!s->value || s->key == key)
			return s->value;
	}
}

/*
 * ---- numbers for things that a file describes once and mentions many times. They are 0, 1,
 * 2... in the order of first mention, so that each thing is described when it is first
 * mentioned. A thing is identified by its 128-bit hash alone.
 */

struct hash_numbers {
	struct idmap map; /* keyed by the lower half of the hash, or the next free key */
	struct arena arena;
	uint32_t n; /* things that have numbers */
};
#define HASH_NUMBERS_INIT \
	{                 \
		.n = 0    \
	}

/*
 * Returns the number of the thing with this hash; *is_new: the number is new. 0, or -1 if out of
 * memory.
 */
int hash_numbers_of(struct hash_numbers *t, XXH128_hash_t hash, uint32_t *number, bool *is_new);
/* The same for reports (xmalloc.h). */
static inline uint32_t xhash_numbers_of(struct hash_numbers *t, XXH128_hash_t hash, bool *is_new)
{
	uint32_t number;

	if (hash_numbers_of(t, hash, &number, is_new) < 0)
		out_of_memory();
	return number;
}
void hash_numbers_release(struct hash_numbers *t);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* idmap.c - see idmap.h. */
#include "base/idmap.h"

#include <stdlib.h>

#include "base/big.h"

struct numbered {
	XXH128_hash_t hash;
	uint32_t number;
};

int hash_numbers_of(struct hash_numbers *t, XXH128_hash_t hash, uint32_t *number, bool *is_new)
{
	struct numbered *found;
	uint64_t key = hash.low64;

	*is_new = false;
	for (; (found = idmap_get(&t->map, key)); key++) {
		if (!XXH128_isEqual(found->hash, hash))
			continue;
		*number = found->number;
		return 0;
	}
	found = arena_alloc(&t->arena, sizeof *found);
	if (!found)
		return -1;
	*found = (struct numbered){ hash, t->n };
	if (idmap_put(&t->map, key, found) < 0)
		return -1;
	*is_new = true;
	*number = t->n++;
	return 0;
}

void hash_numbers_release(struct hash_numbers *t)
{
	idmap_release(&t->map);
	arena_release(&t->arena);
	*t = (struct hash_numbers)HASH_NUMBERS_INIT;
}

#define FIRST_SLOTS 64u

static void insert(struct idmap *map, uint64_t key, void *value)
{
	size_t i = idmap_hash(key);

	while (map->slots[i & map->mask].value)
		i++;
	map->slots[i & map->mask] = (struct idmap_slot){ .key = key, .value = value };
	map->count++;
}

static int grow(struct idmap *map)
{
	size_t slots = map->slots ? 2 * (map->mask + 1) : FIRST_SLOTS;
	struct idmap bigger = { .slots = big_zeroed(slots, sizeof *bigger.slots),
				.mask = slots - 1 };

	if (!bigger.slots)
		return -1;
	for (size_t i = 0; map->slots && i <= map->mask; i++)
		if (map->slots[i].value)
			insert(&bigger, map->slots[i].key, map->slots[i].value);
	free(map->slots);
	*map = bigger;
	return 0;
}

int idmap_put(struct idmap *map, uint64_t key, void *value)
{
	/* at most half full: probes are short and end */
	if ((!map->slots || map->count >= (map->mask + 1) / 2) && grow(map) < 0)
		return -1;
	insert(map, key, value);
	return 0;
}

void idmap_release(struct idmap *map)
{
	free(map->slots);
	*map = (struct idmap){ 0 };
}

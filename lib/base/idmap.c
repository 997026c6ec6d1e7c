/* SPDX-License-Identifier: Apache-2.0 */
/* idmap.c - see idmap.h. */
#include "base/idmap.h"

#include <stdlib.h>

#include "base/big.h"

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

/* SPDX-License-Identifier: Apache-2.0 */
/* idnumbers.c - see idnumbers.h. Never more than half full: probes stay short, and end. */
#include "base/idnumbers.h"

#include <stdlib.h>

#define FIRST_BITS 6u

static void insert(struct idnumbers *map, uint32_t id, uint32_t next)
{
	size_t i = (size_t)(idnumbers_first(map, id) - map->slots);

	while (map->slots[i & map->mask].next)
		i++;
	map->slots[i & map->mask] = (struct idnumbers_slot){ .id = id, .next = next };
	map->count++;
}

static int grow(struct idnumbers *map)
{
	unsigned shift = map->slots ? map->shift - 1 : 64 - FIRST_BITS;
	size_t slots = (size_t)1 << (64 - shift);
	struct idnumbers bigger = { .slots = calloc(slots, sizeof *bigger.slots),
				    .mask = slots - 1,
				    .shift = shift };

	if (!bigger.slots)
		return -1;
	for (size_t i = 0; map->slots && i <= map->mask; i++)
		if (map->slots[i].next)
			insert(&bigger, map->slots[i].id, map->slots[i].next);
	free(map->slots);
	*map = bigger;
	return 0;
}

int idnumbers_put(struct idnumbers *map, uint32_t id, uint32_t number)
{
	if ((!map->slots || map->count >= (map->mask + 1) / 2) && grow(map) < 0)
		return -1;
	insert(map, id, number + 1);
	return 0;
}

void idnumbers_release(struct idnumbers *map)
{
	free(map->slots);
	*map = (struct idnumbers){ .slots = NULL };
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * idnumbers.h - a hash map from ids of 32 bits to numbers below 2^32 - 1. It takes half of what an idmap.h takes, so that that of a
 * hundred thousand contexts, which is looked at for every event, stays in the processor's cache.
 */
#ifndef OJX_IDNUMBERS_H
#define OJX_IDNUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idnumbers_slot {
	uint32_t id;
	uint32_t next; /* the number plus one; 0: free */
};

struct idnumbers {
	struct idnumbers_slot *slots;
	size_t mask;	/* slots - 1, a power of two less one; meaningless without slots */
	unsigned shift; /* of a hash, to an index */
	size_t count;
};

/* Adds an id that must not be there yet. 0, or -1 with ENOMEM. */
int idnumbers_put(struct idnumbers *map, uint32_t id, uint32_t number);
void idnumbers_release(struct idnumbers *map);

/* Where the id is looked for first, in a map with slots: what to prefetch. */
static inline const struct idnumbers_slot *idnumbers_first(const struct idnumbers *map, uint32_t id)
{
	return &map->slots[id * UINT64_C(0x9e3779b97f4a7c15) >> map->shift];
}

/* Whether the id is there. */
static inline bool idnumbers_get(const struct idnumbers *map, uint32_t id, uint32_t *number)
{
	if (!map->slots)
		return false;
	for (size_t i = (size_t)(idnumbers_first(map, id) - map->slots);; i++) {
		const struct idnumbers_slot *s = &map->slots[i & map->mask];
		if (s->next && s->id != id)
			continue;
		*number = s->next - 1;
		return s->next != 0;
	}
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* numbering.c - see numbering.h. */
#include "base/numbering.h"

struct numbered {
	XXH128_hash_t hash;
	uint32_t number;
};

int numbering_of(struct numbering *t, XXH128_hash_t hash, uint32_t *number, bool *is_new)
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

void numbering_release(struct numbering *t)
{
	idmap_release(&t->map);
	arena_release(&t->arena);
	*t = (struct numbering)NUMBERING_INIT;
}

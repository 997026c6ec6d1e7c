/* SPDX-License-Identifier: Apache-2.0 */
/* tally.c - see tally.h. The map's "pointers" are indices into the array, plus one. */
#include "base/tally.h"

#include <stdlib.h>

#include "base/grow.h"

struct tally_entry *tally_at(struct tally *t, uint64_t key)
{
	uintptr_t found = (uintptr_t)idmap_get(&t->index, key);

	if (found)
		return &t->entries[found - 1];
	XGROW(t->entries, t->n, t->room, 8);
	xidmap_put(&t->index, key, (void *)(uintptr_t)(t->n + 1));
	t->entries[t->n] = (struct tally_entry){ .key = key };
	return &t->entries[t->n++];
}

void tally_release(struct tally *t)
{
	free(t->entries);
	idmap_release(&t->index);
	*t = (struct tally){ 0 };
}

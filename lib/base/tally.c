/* SPDX-License-Identifier: Apache-2.0 */
/* tally.c - see tally.h. The map's "pointers" are indices into the array, plus one. */
#include "base/tally.h"

#include <stdlib.h>

static int tally_grow(struct tally *t)
{
	size_t room = t->room ? t->room * 2 : 8;
	struct tally_entry *entries = realloc(t->entries, room * sizeof *entries);

	if (!entries)
		return -1;
	t->entries = entries;
	t->room = room;
	return 0;
}

struct tally_entry *tally_at(struct tally *t, uint64_t key)
{
	uintptr_t found = (uintptr_t)idmap_get(&t->index, key);

	if (found)
		return &t->entries[found - 1];
	if (t->n == t->room && tally_grow(t) < 0)
		return NULL;
	if (idmap_put(&t->index, key, (void *)(uintptr_t)(t->n + 1)) < 0)
		return NULL;
	t->entries[t->n] = (struct tally_entry){ .key = key };
	return &t->entries[t->n++];
}

void tally_release(struct tally *t)
{
	free(t->entries);
	idmap_release(&t->index);
	*t = (struct tally){ 0 };
}

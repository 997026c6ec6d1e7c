/* SPDX-License-Identifier: Apache-2.0 */
/* waste_disambiguate.c - part of waste.h: pairs of which as many frames as are shown read the same.
 */
#include <stdlib.h>

#include "analyse/waste/waste.h"
#include "model/disambiguate.h"

/* Equal where what is shown of two pairs is. */
static uint64_t title_of(const struct waste_pair *p, size_t frames)
{
	uint64_t seed = (uint64_t)p->pid * WASTE_PARTS + p->part;

	for (int i = 0; i < 2; i++) {
		struct callstack shown = p->stack[i];
		shown.flags = 0;
		seed = callstack_hash(&shown, frames, seed).low;
	}
	return seed;
}

static int tell_apart(struct waste_sum *w, size_t frames, int which)
{
	struct disambiguate_item *items = calloc(w->npairs ? w->npairs : 1, sizeof *items);

	if (!items)
		return -1;
	for (size_t i = 0; i < w->npairs; i++)
		items[i] = (struct disambiguate_item){ .title = title_of(&w->pairs[i], frames),
						       .stack = &w->pairs[i].stack[which] };
	int result = disambiguate(items, w->npairs);
	for (size_t i = 0; i < w->npairs; i++)
		w->pairs[i].via[which] = items[i].via;
	free(items);
	return result;
}

int waste_tell_apart(struct waste_sum waste[WASTE_KINDS], size_t frames)
{
	for (int k = 0; k < WASTE_KINDS; k++)
		for (int which = 0; which < 2; which++)
			if (tell_apart(&waste[k], frames, which) < 0)
				return -1;
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deep_together.c - walks from many objects at once, on the service thread.
 *
 * A call of the kernel costs several times what the copy of a page does, and most levels of a walk
 * touch one or two pages. All walks share the reader, which copies the pages that all of them want
 * by one call: a level's objects, then their classes.
 */
#include <string.h>

#include "core/memory.h"
#include "heap/deep_private.h"

static struct deep *walks; /* DEEP_TOGETHER of them; NULL: none */

void deep_together_init(void)
{
	const struct deep *service = deep_service();

	walks = service ? memory_new(DEEP_TOGETHER, sizeof *walks) : NULL;
	for (uint32_t i = 0; walks && i < DEEP_TOGETHER; i++) {
		walks[i].reader = service->reader;
		walks[i].shapes = service->shapes;
	}
}

/* [pause] The classes of the objects that a walk reads next will be read. */
static void want_classes(struct deep *d)
{
	for (uint32_t i = d->next; i < d->nnodes; i++) {
		const unsigned char *header =
			reader_object(d->reader, d->nodes[i].at, shape_header());
		if (header)
			shape_want(d->shapes, d->reader, header, d->epoch);
	}
}

bool deep_together(const uintptr_t *objects, uint32_t n)
{
	bool more = true;

	if (!walks)
		return false;
	reader_allow(deep_service()->reader, n * DEEP_PAGES);
	for (uint32_t i = 0; i < n; i++) {
		walks[i].epoch = deep_service()->epoch;
		deep_start(&walks[i], objects[i]);
	}
	while (more) {
		more = false;
		for (uint32_t i = 0; i < n; i++)
			if (!walks[i].bad)
				want_classes(&walks[i]);
		for (uint32_t i = 0; i < n; i++)
			more |= walks[i].next < walks[i].nnodes && deep_level(&walks[i]);
	}
	return true;
}

struct deep *deep_walked(uint32_t i)
{
	return &walks[i];
}

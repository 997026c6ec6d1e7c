/* SPDX-License-Identifier: Apache-2.0 */
/* reach.c - see reach.h. */
#include "heapdump/retained/reach.h"

#include <stdlib.h>

#include "base/grow.h"

enum { FIRST_ROOM = 64 };

struct graph reach_graph(const struct heap *h, unsigned char **has_more)
{
	*has_more = xcalloc(bits_bytes(h->n), 1);
	for (size_t i = 0; i < h->nmore; i++)
		bits_set(*has_more, h->more[i].from);
	return (struct graph){ .n = h->n,
			       .edge = h->edge,
			       .to = h->to,
			       .more = h->more,
			       .nmore = h->nmore,
			       .has_more = *has_more };
}

void reach_begin(struct reach *r, const struct heap *h)
{
	*r = (struct reach){ .h = h, .seen = xcalloc(bits_bytes(h->n), 1) };
	r->graph = reach_graph(h, &r->has_more);
}

void reach_release(struct reach *r)
{
	free(r->has_more);
	free(r->seen);
	free(r->next);
	*r = (struct reach){ .h = NULL };
}

void reach_object(struct reach *r, uint32_t x)
{
	if (bits_has(r->seen, x))
		return;
	bits_set(r->seen, x);
	XGROW(r->next, r->n, r->room, FIRST_ROOM);
	r->next[r->n++] = x;
}

void reach_roots(struct reach *r)
{
	for (uint32_t x = 0; x < r->h->n; x++)
		if (bits_has(r->h->rooted, x) || bits_has(r->h->forever, x))
			reach_object(r, x);
}

uint32_t reach_next(struct reach *r)
{
	uint32_t y;

	if (!r->n)
		return HEAP_NONE;
	struct graph_step step = { r->next[--r->n], 0 };
	while ((y = graph_next(&r->graph, &step)) != PARTITION_NULL)
		reach_object(r, y);
	return step.object;
}

struct retained_sum reach_all(struct reach *r)
{
	struct retained_sum sum = { 0, 0 };
	uint32_t x;

	while ((x = reach_next(r)) != HEAP_NONE) {
		sum.objects++;
		sum.bytes += heap_size(r->h, x);
	}
	return sum;
}

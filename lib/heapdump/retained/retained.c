/* SPDX-License-Identifier: Apache-2.0 */
/*
 * retained.c - see retained.h.
 *
 * Most objects, such as the array of a string, have one holder and lead to nothing that others
 * lead to. They dominate what they hold, and nobody needs to look for it: merge.h has their bytes.
 * So the search leaves them out, which saves half of it or more.
 */
#include "heapdump/retained/retained.h"

#include <stdlib.h>

#include "heapdump/retained/cut.h"

/* ---- what is left out -------------------------------------------------------------------- */

static bool has_holder(const struct merge *m, uint32_t x)
{
	return m->holder[x] < MERGE_SHARED;
}

/* Upwards from an object that leads to others than its own: its holders do so, too. */
static void keep(struct retained *r, unsigned char *leads, uint32_t x)
{
	while (!bits_has(leads, x)) {
		bits_set(leads, x);
		if (!has_holder(r->m, x))
			return;
		x = r->m->holder[x];
	}
}

/* Objects that hold each other in a ring, and nothing else does, are not apart. */
static void free_ring(struct retained *r, uint32_t x, unsigned char *known, unsigned char *trail)
{
	const uint32_t *holder = r->m->holder;
	uint32_t y = x;

	for (; bits_has(r->apart, y) && !bits_has(known, y) && !bits_has(trail, y); y = holder[y])
		bits_set(trail, y);
	bool ring = bits_has(r->apart, y) && bits_has(trail, y);
	for (y = x; bits_has(trail, y); y = holder[y]) {
		bits_clear(trail, y);
		if (ring)
			bits_clear(r->apart, y);
		else
			bits_set(known, y);
	}
}

static void free_rings(struct retained *r, const struct heap *h)
{
	size_t bits = bits_bytes(h->n);
	unsigned char *known = xcalloc(bits, 1), *trail = xcalloc(bits, 1);

	for (uint32_t x = 0; x < h->n; x++)
		if (bits_has(r->apart, x))
			free_ring(r, x, known, trail);
	free(known);
	free(trail);
}

/* An object is apart if it is held, and all that it references is apart. */
static void find_apart(struct retained *r, const struct heap *h, const struct cut *cut)
{
	unsigned char *leads = xcalloc(bits_bytes(h->n), 1);

	for (size_t i = 0; i < cut->n; i++) {
		keep(r, leads, cut->item[i].from);
		keep(r, leads, cut->item[i].to);
	}
	for (size_t i = 0; i < h->nmore; i++) {
		keep(r, leads, h->more[i].from);
		keep(r, leads, h->more[i].to);
	}
	for (uint32_t x = 0; x < h->n; x++) {
		if (!has_holder(r->m, x) || bits_has(r->root, x))
			keep(r, leads, x);
		for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++)
			if (h->to[e] != PARTITION_NULL && r->m->holder[h->to[e]] != x) {
				keep(r, leads, x);
				break;
			}
	}
	for (uint32_t x = 0; x < h->n; x++)
		if (!bits_has(leads, x))
			bits_set(r->apart, x);
	free(leads);
	free_rings(r, h);
}

/* ---- sums -------------------------------------------------------------------------------- */

static void add(struct retained *r, uint32_t number, uint64_t units)
{
	packed_set(&r->bytes, number, packed_get(&r->bytes, number) + units);
}

/* Upwards: what is apart counts with its holder, and each number with the one above it. */
static void add_up(struct retained *r)
{
	const struct dominators *d = &r->dominators;
	const struct heap *h = r->h;

	packed_make(&r->bytes, d->n + (size_t)1, r->m->total.bytes / HEAP_UNIT);
	for (uint32_t i = 0; i <= d->n; i++)
		packed_set(&r->bytes, i, i ? heap_size(h, d->object[i]) / HEAP_UNIT : 0);
	for (uint32_t x = 0; x < h->n; x++) {
		uint32_t holder = bits_has(r->apart, x) ? r->m->holder[x] : HEAP_NONE;
		if (holder != HEAP_NONE && d->number[holder])
			add(r, d->number[holder], packed_get(&r->m->retained, x));
	}
	for (uint32_t i = d->n; i > 0; i--)
		add(r, d->above[i], packed_get(&r->bytes, i));
}

/* ---- what is not held -------------------------------------------------------------------- */

/* Of objects that are not held, from `x` on. */
static void count_from(struct reach *not_held, uint32_t x, struct retained_sum *sum)
{
	reach_object(not_held, x);
	struct retained_sum more = reach_all(not_held);
	sum->objects += more.objects;
	sum->bytes += more.bytes;
}

/* Once weak references are back. What is apart, is as its holder. */
static void count_others(struct retained *r, const struct cut *weak)
{
	const struct heap *h = r->h;
	struct reach all;

	reach_begin(&all, h);
	for (uint32_t x = 0; x < h->n; x++)
		if (r->dominators.number[x])
			bits_set(all.seen, x);
	for (size_t i = 0; i < weak->n; i++)
		if (r->dominators.number[weak->item[i].from])
			count_from(&all, weak->item[i].to, &r->weak);
	for (uint32_t x = 0; x < h->n; x++)
		if (!bits_has(r->apart, x))
			count_from(&all, x, &r->dead);
	reach_release(&all);
	r->held.objects = h->n - r->weak.objects - r->dead.objects;
	r->held.bytes = r->m->total.bytes - r->weak.bytes - r->dead.bytes;
}

/* ---- all --------------------------------------------------------------------------------- */

static void make_graph(struct retained *r, const struct heap *h)
{
	size_t bits = bits_bytes(h->n);

	r->root = xmalloc(bits);
	r->apart = xcalloc(bits, 1);
	for (size_t i = 0; i < bits; i++)
		r->root[i] = h->rooted[i] | h->forever[i];
	r->graph = reach_graph(h, &r->has_more);
	r->graph.root = r->root;
	r->graph.apart = r->apart;
}

void retained_make(struct retained *r, struct heap *h, const struct merge *m)
{
	struct cut cut = { .n = 0 };

	*r = (struct retained){ .h = h, .m = m };
	make_graph(r, h);
	cut_weak(&cut, h);
	find_apart(r, h, &cut);
	dominators_make(&r->dominators, &r->graph);
	cut_undo(&cut, h);
	count_others(r, &cut);
	cut_release(&cut);
	add_up(r);
}

void retained_release(struct retained *r)
{
	dominators_release(&r->dominators);
	free(r->root);
	free(r->apart);
	free(r->has_more);
	free(r->bytes.bytes);
	*r = (struct retained){ .h = NULL };
}

/* ---- questions --------------------------------------------------------------------------- */

uint64_t retained_of(const struct retained *r, uint32_t x)
{
	uint32_t number = r->dominators.number[x];

	if (bits_has(r->apart, x))
		return packed_get(&r->m->retained, x) * HEAP_UNIT;
	return number ? packed_get(&r->bytes, number) * HEAP_UNIT : 0;
}

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
#include <string.h>

#include "base/big.h"
#include "base/grow.h"

enum { FIRST_ROOM = 64 };

/* ---- references that hold nothing -------------------------------------------------------- */

static bool is_weak_class(const struct heap *h, uint32_t class)
{
	static const char *const weak[] = { "java.lang.ref.WeakReference",
					    "java.lang.ref.PhantomReference",
					    "java.lang.ref.FinalReference" };

	for (int depth = 0; class != HEAP_NONE && depth < HEAP_SUPERCLASSES_MAX; depth++) {
		for (size_t i = 0; i < sizeof weak / sizeof weak[0]; i++)
			if (strcmp(h->class[class].name, weak[i]) == 0)
				return true;
		class = h->class[class].super;
	}
	return false;
}

uint32_t cut_referent_of(const struct heap *h, uint32_t class)
{
	const struct heap_class *c = &h->class[class];

	for (uint32_t i = 0; i < c->nslots && is_weak_class(h, class); i++) {
		const struct heap_field *f = &h->field[c->slot[i].field];
		if (strcmp(h->class[f->class].name, "java.lang.ref.Reference") == 0 &&
		    heap_text_is(h, f->name, "referent"))
			return i;
	}
	return HEAP_NONE;
}

void cut_slots(struct cut *c, struct heap *h, uint32_t (*slot_of)(const struct heap *, uint32_t))
{
	uint32_t *slot = xmallocarray(h->nclasses, sizeof *slot);

	for (uint32_t i = 0; i < h->nclasses; i++)
		slot[i] = slot_of(h, i);
	for (uint32_t x = 0; x < h->n; x++) {
		uint32_t at = slot[heap_class_of(h, x)];
		if (at == HEAP_NONE || heap_is_class_object(h, x))
			continue;
		uint32_t e = h->edge[x] + at;
		if (h->to[e] == PARTITION_NULL)
			continue;
		XGROW(c->item, c->n, c->room, FIRST_ROOM);
		c->item[c->n++] = (struct cut_edge){ x, e, h->to[e] };
		h->to[e] = PARTITION_NULL;
	}
	free(slot);
}

void cut_weak(struct cut *c, struct heap *h)
{
	cut_slots(c, h, cut_referent_of);
}

void cut_undo(struct cut *c, struct heap *h)
{
	for (size_t i = 0; i < c->n; i++)
		h->to[c->item[i].edge] = c->item[i].to;
	free(c->item);
	*c = (struct cut){ .n = 0 };
}

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

struct search {
	const struct retained *r;
	unsigned char *seen;
	uint32_t *next;
	size_t n, room;
};

static void reach(struct search *s, uint32_t x)
{
	if (s->r->dominators.number[x] || bits_has(s->seen, x))
		return;
	bits_set(s->seen, x);
	XGROW(s->next, s->n, s->room, FIRST_ROOM);
	s->next[s->n++] = x;
}

/* Of objects that are not held, from `x` on. */
static void count_from(struct search *s, uint32_t x, struct retained_sum *sum)
{
	struct graph all = s->r->graph;
	uint32_t y;

	all.apart = NULL; /* what is apart below them is not held either */
	reach(s, x);
	while (s->n) {
		struct graph_step step = { s->next[--s->n], 0 };
		sum->objects++;
		sum->bytes += heap_size(s->r->h, step.object);
		while ((y = graph_next(&all, &step)) != PARTITION_NULL)
			reach(s, y);
	}
}

/* Once weak references are back. */
static void count_others(struct retained *r, const struct cut_edge *weak, size_t n)
{
	const struct heap *h = r->h;
	struct search s = { .r = r, .seen = xcalloc(bits_bytes(h->n), 1) };

	for (size_t i = 0; i < n; i++)
		if (r->dominators.number[weak[i].from])
			count_from(&s, weak[i].to, &r->weak);
	for (uint32_t x = 0; x < h->n; x++)
		if (!bits_has(r->apart, x))
			count_from(&s, x, &r->dead);
	free(s.seen);
	free(s.next);
	r->held.objects = h->n - r->weak.objects - r->dead.objects;
	r->held.bytes = r->m->total.bytes - r->weak.bytes - r->dead.bytes;
}

/* ---- all --------------------------------------------------------------------------------- */

static void make_graph(struct retained *r, const struct heap *h)
{
	size_t bits = bits_bytes(h->n);

	r->root = xmalloc(bits);
	r->apart = xcalloc(bits, 1);
	r->has_more = xcalloc(bits, 1);
	for (size_t i = 0; i < bits; i++)
		r->root[i] = h->rooted[i] | h->forever[i];
	for (size_t i = 0; i < h->nmore; i++)
		bits_set(r->has_more, h->more[i].from);
	r->graph = (struct graph){ .n = h->n,
				   .edge = h->edge,
				   .to = h->to,
				   .root = r->root,
				   .apart = r->apart,
				   .more = h->more,
				   .nmore = h->nmore,
				   .has_more = r->has_more };
}

void retained_make(struct retained *r, struct heap *h, const struct merge *m)
{
	struct cut cut = { .n = 0 };

	*r = (struct retained){ .h = h, .m = m };
	make_graph(r, h);
	cut_weak(&cut, h);
	find_apart(r, h, &cut);
	dominators_make(&r->dominators, &r->graph);
	for (size_t i = 0; i < cut.n; i++)
		h->to[cut.item[i].edge] = cut.item[i].to;
	count_others(r, cut.item, cut.n);
	free(cut.item);
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

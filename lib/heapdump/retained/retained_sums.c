/* SPDX-License-Identifier: Apache-2.0 */
/*
 * retained_sums.c - see retained_sums.h: a walk down the tree of what dominates what. An object
 * that leads to the one below it by a field of its own comes with this field.
 */
#include "heapdump/retained/retained_sums.h"

#include <stdlib.h>

#include "base/big.h"
#include "base/grow.h"

enum { FIRST_DEPTH = 256 };

/* An object on the way down, by which field, and what comes next: a reference, then a number. */
struct place {
	uint32_t object, field, edge, number;
};

struct walk {
	struct retained_sums *s;
	const struct retained *r;
	bool *opaque;	     /* of each field: holders are told by it */
	unsigned char *seen; /* a bit for each object */
	struct place *place;
	size_t depth, room;
};

static void know_fields(struct walk *w)
{
	const struct heap *h = w->r->h;
	uint32_t class = HEAP_NONE;
	bool transparent = false;

	w->opaque = xcalloc(h->nfields + (size_t)1, sizeof *w->opaque);
	for (uint32_t f = 0; f < h->nfields; f++) {
		if (h->field[f].class != class) {
			class = h->field[f].class;
			transparent = transparent_class(h->class[class].name);
		}
		w->opaque[f] = !h->field[f].is_element && (!transparent || h->field[f].is_static);
	}
}

static void list_below(struct retained_sums *s, const struct dominators *d)
{
	s->first = xbig_zeroed(d->n + (size_t)1, sizeof *s->first);
	s->next = xbig_alloc(d->n + (size_t)1, sizeof *s->next);
	for (uint32_t i = d->n; i > 0; i--) {
		s->next[i] = s->first[d->above[i]];
		s->first[d->above[i]] = i;
	}
}

/* ---- the walk ---------------------------------------------------------------------------- */

static void open_sum(struct retained_of *of, uint64_t bytes, uint64_t own)
{
	of->objects++;
	of->own += own;
	of->bytes += of->open++ ? 0 : bytes;
}

static void enter(struct walk *w, uint32_t x, uint32_t field)
{
	const struct heap *h = w->r->h;
	uint64_t bytes = retained_of(w->r, x), own = heap_size(h, x);
	uint32_t number = w->r->dominators.number[x];

	bits_set(w->seen, x);
	open_sum(&w->s->class[w->r->m->class_group[heap_class_of(h, x)]], bytes, own);
	if (field != HEAP_NONE)
		open_sum(&w->s->field[field], bytes, own);
	XGROW(w->place, w->depth, w->room, FIRST_DEPTH);
	w->place[w->depth++] =
		(struct place){ x, field, h->edge[x], number ? w->s->first[number] : 0 };
}

static void leave(struct walk *w)
{
	const struct place *p = &w->place[--w->depth];
	const struct heap *h = w->r->h;

	w->s->class[w->r->m->class_group[heap_class_of(h, p->object)]].open--;
	if (p->field != HEAP_NONE)
		w->s->field[p->field].open--;
}

/* Whether `x` dominates `y`, which it references, as closely as nothing else does. */
static bool is_below(const struct retained *r, uint32_t x, uint32_t y)
{
	const struct dominators *d = &r->dominators;

	if (retained_is_apart(r, y))
		return r->m->holder[y] == x;
	return d->number[y] && d->number[x] && d->above[d->number[y]] == d->number[x];
}

static bool go_by_reference(struct walk *w, struct place *p)
{
	const struct heap *h = w->r->h;
	uint32_t x = p->object;

	while (p->edge < h->edge[x + 1]) {
		uint32_t e = p->edge++, y = h->to[e];
		if (y == PARTITION_NULL || bits_has(w->seen, y) || !is_below(w->r, x, y))
			continue;
		uint32_t field = heap_edge_field(h, x, e);
		enter(w, y, field != HEAP_NONE && w->opaque[field] ? field : HEAP_NONE);
		return true;
	}
	return false;
}

static bool go_down(struct walk *w, struct place *p)
{
	while (p->number) {
		uint32_t y = w->r->dominators.object[p->number];
		p->number = w->s->next[p->number];
		if (bits_has(w->seen, y))
			continue;
		enter(w, y, HEAP_NONE);
		return true;
	}
	return false;
}

void retained_sums_make(struct retained_sums *s, const struct retained *r)
{
	const struct heap *h = r->h;
	struct walk w = { .s = s, .r = r, .seen = xcalloc(bits_bytes(h->n), 1) };

	*s = (struct retained_sums){ .class = xcalloc(r->m->nclasses + 1, sizeof *s->class),
				     .field = xcalloc(h->nfields + (size_t)1, sizeof *s->field) };
	know_fields(&w);
	list_below(s, &r->dominators);
	for (uint32_t top = s->first[0]; top; top = s->next[top]) {
		enter(&w, r->dominators.object[top], HEAP_NONE);
		while (w.depth) {
			struct place *p = &w.place[w.depth - 1];
			if (!go_by_reference(&w, p) && !go_down(&w, p))
				leave(&w);
		}
	}
	free(w.opaque);
	free(w.seen);
	free(w.place);
}

void retained_sums_release(struct retained_sums *s)
{
	free(s->class);
	free(s->field);
	free(s->first);
	free(s->next);
	*s = (struct retained_sums){ .class = NULL };
}

/* ---- the largest ------------------------------------------------------------------------- */

uint32_t retained_largest_below(const struct retained_sums *s, const struct retained *r, uint32_t x)
{
	const struct heap *h = r->h;
	uint32_t number = r->dominators.number[x], largest = HEAP_NONE;
	uint64_t most = 0;

	for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++) {
		uint32_t y = h->to[e];
		if (y == PARTITION_NULL || !is_below(r, x, y) || retained_of(r, y) <= most)
			continue;
		most = retained_of(r, y);
		largest = y;
	}
	for (uint32_t i = number ? s->first[number] : 0; i; i = s->next[i]) {
		uint32_t y = r->dominators.object[i];
		if (retained_of(r, y) > most) {
			most = retained_of(r, y);
			largest = y;
		}
	}
	return largest;
}

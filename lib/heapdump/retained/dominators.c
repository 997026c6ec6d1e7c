/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dominators.c - see dominators.h: the algorithm of Lengauer and Tarjan, with compressed paths, in
 * O(m log n) for m references. Nothing recurses.
 *
 * A walk in depth numbers the objects. The semidominator of one is the least number from which a
 * way leads to it over larger numbers alone. Objects are looked at from the last number to the
 * first. Those that were looked at are linked to their parents in the walk, and a look upwards
 * shortens its way for the next one.
 */
#include "heapdump/retained/dominators.h"

#include <stdlib.h>

#include "base/big.h"
#include "base/grow.h"
#include "base/sort.h"
#include "heapdump/bits.h"
#include "heapdump/blocks.h"

enum { FIRST_DEPTH = 256 };

static bool has_bit(const unsigned char *bits, uint32_t i)
{
	return bits && bits_has(bits, i);
}

/* ---- references -------------------------------------------------------------------------- */

static uint32_t next_more(const struct graph *g, struct graph_step *s, uint32_t own)
{
	if (!has_bit(g->has_more, s->object))
		return PARTITION_NULL;
	size_t first = SEARCH(i, 0, g->nmore, g->more[i].from < s->object);
	for (;;) {
		size_t at = first + (s->next - own);
		if (at >= g->nmore || g->more[at].from != s->object)
			return PARTITION_NULL;
		s->next++;
		if (!has_bit(g->apart, g->more[at].to))
			return g->more[at].to;
	}
}

uint32_t graph_next(const struct graph *g, struct graph_step *s)
{
	const uint32_t first = g->edge[s->object], own = g->edge[s->object + 1] - first;

	while (s->next < own) {
		uint32_t y = g->to[first + s->next++];
		if (y != PARTITION_NULL && !has_bit(g->apart, y))
			return y;
	}
	return next_more(g, s, own);
}

/* ---- the walk ---------------------------------------------------------------------------- */

struct search {
	const struct graph *g;
	struct dominators *d;
	uint32_t *parent; /* in the walk; later a shorter way upwards */
	uint32_t *semi;	  /* the semidominator, at first the object itself */
	uint32_t *label;  /* on the way upwards, the one with the least semidominator */
	uint32_t *edge;	  /* those that reference each number */
	uint32_t *from;
	uint32_t *path; /* while a way is made shorter */
	size_t path_room;
	struct graph_step *step;
	size_t depth, room;
};

static void enter(struct search *s, uint32_t x, uint32_t parent)
{
	struct dominators *d = s->d;

	d->object[++d->n] = x;
	d->number[x] = d->n;
	s->parent[d->n] = parent;
	XGROW(s->step, s->depth, s->room, FIRST_DEPTH);
	s->step[s->depth++] = (struct graph_step){ x, 0 };
}

static void walk(struct search *s)
{
	const struct graph *g = s->g;

	for (uint32_t root = 0; root < g->n; root++) {
		if (!has_bit(g->root, root) || s->d->number[root] || has_bit(g->apart, root))
			continue;
		enter(s, root, 0);
		while (s->depth) {
			struct graph_step *top = &s->step[s->depth - 1];
			uint32_t y = graph_next(g, top);
			if (y == PARTITION_NULL)
				s->depth--;
			else if (!s->d->number[y])
				enter(s, y, s->d->number[top->object]);
		}
	}
	free(s->step);
}

/* Fills in who references each number. */
static void turn_around(struct search *s)
{
	const struct dominators *d = s->d;
	uint32_t y;

	s->edge = xbig_zeroed(d->n + (size_t)3, sizeof *s->edge);
	for (uint32_t i = 1; i <= d->n; i++)
		for (struct graph_step k = { d->object[i], 0 };
		     (y = graph_next(s->g, &k)) != PARTITION_NULL;)
			s->edge[d->number[y] + 2]++;
	for (uint32_t i = 1; i <= d->n; i++)
		s->edge[i + 2] += s->edge[i + 1];
	s->from = xbig_alloc(s->edge[d->n + 2] + (size_t)1, sizeof *s->from);
	for (uint32_t i = 1; i <= d->n; i++)
		for (struct graph_step k = { d->object[i], 0 };
		     (y = graph_next(s->g, &k)) != PARTITION_NULL;)
			s->from[s->edge[d->number[y] + 1]++] = i;
}

/* ---- semidominators ---------------------------------------------------------------------- */

/*
 * Of `v` and those above it that are linked, all from `linked` on, the one with the least
 * semidominator.
 */
static uint32_t least(struct search *s, uint32_t v, uint32_t linked)
{
	size_t n = 0;

	if (v < linked)
		return v;
	for (uint32_t u = v; s->parent[u] >= linked; u = s->parent[u]) {
		XGROW(s->path, n, s->path_room, FIRST_DEPTH);
		s->path[n++] = u;
	}
	while (n > 0) {
		uint32_t u = s->path[--n], above = s->parent[u];
		if (s->semi[s->label[above]] < s->semi[s->label[u]])
			s->label[u] = s->label[above];
		s->parent[u] = s->parent[above];
	}
	return s->label[v];
}

static uint32_t semi_of(struct search *s, uint32_t w)
{
	uint32_t semi = has_bit(s->g->root, s->d->object[w]) ? 0 : w;

	for (uint32_t e = s->edge[w]; e < s->edge[w + 1]; e++) {
		uint32_t of = s->semi[least(s, s->from[e], w + 1)];
		semi = of < semi ? of : semi;
	}
	return semi;
}

/*
 * Those whose semidominator is `p` wait for it in a list: `above` is its first in p, and the next
 * one in each. Nobody's list has anything left when its own turn comes.
 */
static void take_waiting(struct search *s, uint32_t p, uint32_t linked)
{
	uint32_t *above = s->d->above;

	for (uint32_t v = above[p], next; v; v = next) {
		next = above[v];
		uint32_t u = least(s, v, linked);
		above[v] = s->semi[u] < s->semi[v] ? u : p;
	}
	above[p] = 0;
}

static void find_above(struct search *s)
{
	struct dominators *d = s->d;

	for (uint32_t w = d->n; w > 0; w--) {
		uint32_t p = s->parent[w], semi = semi_of(s, w);
		s->semi[w] = semi;
		d->above[w] = semi ? d->above[semi] : 0;
		if (semi)
			d->above[semi] = w;
		if (p)
			take_waiting(s, p, w);
	}
	for (uint32_t w = 1; w <= d->n; w++)
		if (d->above[w] != s->semi[w])
			d->above[w] = d->above[d->above[w]];
}

/* ---- all --------------------------------------------------------------------------------- */

static uint32_t *numbers(const struct dominators *d)
{
	return xbig_alloc(d->n + (size_t)1, sizeof(uint32_t));
}

void dominators_make(struct dominators *d, const struct graph *g)
{
	struct search s = { .g = g, .d = d };

	*d = (struct dominators){ .number = xbig_zeroed(g->n, sizeof *d->number),
				  .object = xbig_alloc(g->n + (size_t)1, sizeof *d->object) };
	s.parent = xbig_alloc(g->n + (size_t)1, sizeof *s.parent);
	walk(&s);
	turn_around(&s);
	s.semi = numbers(d);
	s.label = numbers(d);
	d->above = xbig_zeroed(d->n + (size_t)1, sizeof *d->above);
	for (uint32_t i = 0; i <= d->n; i++)
		s.semi[i] = s.label[i] = i;
	find_above(&s);
	free(s.parent);
	free(s.semi);
	free(s.label);
	free(s.edge);
	free(s.from);
	free(s.path);
}

void dominators_release(struct dominators *d)
{
	free(d->number);
	free(d->object);
	free(d->above);
	*d = (struct dominators){ .n = 0 };
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * holders.c - see merge.h: what only one object holds, and which fields hold copies.
 *
 * If one object alone references another, and no root does, the second goes with the first. So the
 * bytes that go with an object are at least its own and those of all below it that have one
 * reference each. What has several, all of which come from below the object, is left out.
 */
#include <stdlib.h>

#include "base/big.h"
#include "base/grow.h"
#include "base/rng.h"
#include "heap/merge.h"

enum { CLIMB_MAX = 64, FIRST_ROOM = 64 };

/* ---- what only one object holds ---------------------------------------------------------- */

static void find_holder(struct merge *m, const struct heap *h)
{
	for (uint32_t x = 0; x < h->n; x++)
		m->holder[x] = heap_bit(h->rooted, x) ? MERGE_SHARED : HEAP_NONE;
	for (uint32_t x = 0; x < h->n; x++)
		for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++) {
			uint32_t y = h->to[e];
			if (y != PARTITION_NULL && m->holder[y] != x)
				m->holder[y] =
					m->holder[y] == HEAP_NONE && y != x ? x : MERGE_SHARED;
		}
}

static bool is_held(const struct merge *m, uint32_t x)
{
	return m->holder[x] < MERGE_SHARED;
}

int merge_find_held(struct merge *m, const struct heap *h)
{
	uint32_t *below = big_zeroed(h->n, sizeof *below); /* held objects that are not added yet */

	m->holder = big_alloc(h->n, sizeof *m->holder);
	if (!below || !m->holder) {
		free(below);
		return -1;
	}
	find_holder(m, h);
	for (uint32_t x = 0; x < h->n; x++) {
		m->held[x] = h->size[x];
		if (is_held(m, x))
			below[m->holder[x]]++;
	}
	for (uint32_t x = 0; x < h->n; x++) {
		if (below[x])
			continue;
		/* upwards, as long as all below has been added; a ring is never begun */
		for (uint32_t y = x; is_held(m, y); y = m->holder[y]) {
			below[y] = UINT32_MAX;
			m->held[m->holder[y]] += m->held[y];
			if (--below[m->holder[y]] > 0)
				break;
		}
	}
	free(below);
	return 0;
}

/* ---- copies, block by block ---------------------------------------------------------------- */

struct search {
	struct merge *m;
	const struct heap *h;
	struct idmap index; /* of holders, from 1 */
	size_t room;
	uint32_t *copy;	 /* copies, by block */
	uint32_t *place; /* of an object: in `copy` */
	uint32_t ncopies;
	uint32_t *arrows; /* of each copy: where those that reference it begin */
	uint32_t *from;
	bool *container; /* of each class */
	size_t last;	 /* the holder that was asked for last, from 1: mostly the next one, too */
};

static bool is_copy(const struct search *s, uint32_t x)
{
	return s->m->count[s->m->partition.block[x]] > 1;
}

/* Whether an object is left if copies are merged: the first of its block. */
static bool is_kept(const struct search *s, uint32_t x)
{
	const uint32_t *block = s->m->partition.block;

	return !is_copy(s, x) || s->place[x] == 0 || block[s->copy[s->place[x] - 1]] != block[x];
}

static int sort_copies(struct search *s)
{
	const struct partition *p = &s->m->partition;
	uint32_t *start = big_alloc(p->nblocks + (size_t)1, sizeof *start), n = 0;

	s->place = big_alloc(s->h->n, sizeof *s->place);
	if (!start || !s->place) {
		free(start);
		return -1;
	}
	for (uint32_t b = 0; b < p->nblocks; b++) {
		start[b] = n;
		n += s->m->count[b] > 1 ? s->m->count[b] : 0;
	}
	s->ncopies = n;
	s->copy = big_alloc(n + (size_t)1, sizeof *s->copy);
	for (uint32_t x = 0; s->copy && x < s->h->n; x++)
		if (is_copy(s, x)) {
			s->place[x] = start[p->block[x]]++;
			s->copy[s->place[x]] = x;
		}
	free(start);
	return s->copy ? 0 : -1;
}

static int find_arrows(struct search *s)
{
	const struct heap *h = s->h;

	s->arrows = big_zeroed(s->ncopies + (size_t)2, sizeof *s->arrows);
	if (!s->arrows)
		return -1;
	for (uint32_t e = 0; e < h->edge[h->n]; e++)
		if (h->to[e] != PARTITION_NULL && is_copy(s, h->to[e]))
			s->arrows[s->place[h->to[e]] + 2]++;
	for (uint32_t i = 0; i < s->ncopies; i++)
		s->arrows[i + 2] += s->arrows[i + 1];
	s->from = big_alloc(s->arrows[s->ncopies + 1] + (size_t)1, sizeof *s->from);
	if (!s->from)
		return -1;
	for (uint32_t x = 0; x < h->n; x++)
		for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++)
			if (h->to[e] != PARTITION_NULL && is_copy(s, h->to[e]))
				s->from[s->arrows[s->place[h->to[e]] + 1]++] = x;
	return 0;
}

/* ---- holders ----------------------------------------------------------------------------- */

/* The field of `x` that has a reference to `y`: the first one. */
static uint32_t field_to(const struct heap *h, uint32_t x, uint32_t y)
{
	if (h->class[h->class_of[x]].kind == HEAP_OBJECTS)
		return heap_edge_field(h, x, h->edge[x]);
	for (uint32_t e = h->edge[x]; e < h->edge[x + 1]; e++)
		if (h->to[e] == y)
			return heap_edge_field(h, x, e);
	return HEAP_NONE;
}

/* Of which classes a reader thinks of what holds an object rather than of the object. */
static int find_containers(struct search *s)
{
	s->container = calloc(s->h->nclasses, sizeof *s->container);
	if (!s->container)
		return -1;
	for (uint32_t i = 0; i < s->h->nclasses; i++) {
		const struct heap_class *c = &s->h->class[i];
		s->container[i] = c->kind == HEAP_OBJECTS ||
				  strncmp(c->name, "java.util.", 10) == 0 ||
				  strncmp(c->name, "java.lang.ref.", 14) == 0;
	}
	return 0;
}

static bool is_container(const struct search *s, uint32_t x)
{
	return s->container[s->h->class_of[x]];
}

/* Fills in who holds what `x` has in a field. */
static void climb(const struct search *s, uint32_t x, struct merge_holder *to)
{
	const struct heap *h = s->h;

	to->outer = to->container = HEAP_NONE;
	for (int i = 0; i < CLIMB_MAX && is_container(s, x) && is_held(s->m, x); i++) {
		uint32_t above = s->m->holder[x];
		to->outer = field_to(h, above, x);
		to->container = s->m->class_group[h->class_of[x]];
		x = above;
	}
}

static bool is_of(const struct merge_holder *m, const struct merge_holder *key)
{
	return m->inner == key->inner && m->outer == key->outer && m->container == key->container &&
	       m->group == key->group;
}

static struct merge_holder *holder_at(struct search *s, const struct merge_holder *key)
{
	struct merge *m = s->m;

	if (s->last && is_of(&m->holders[s->last - 1], key))
		return &m->holders[s->last - 1];
	uint64_t hash = rng_mix(((uint64_t)key->inner << 32 | key->outer) + 1);
	hash = rng_mix(hash ^ ((uint64_t)key->container << 32 | key->group));
	uintptr_t number = (uintptr_t)idmap_get(&s->index, hash);
	s->last = number;
	if (number)
		return &m->holders[number - 1];
	if (!GROW(m->holders, m->nholders, s->room, FIRST_ROOM) ||
	    idmap_put(&s->index, hash, (void *)(uintptr_t)(m->nholders + 1)) < 0)
		return NULL;
	m->holders[m->nholders] = *key;
	m->holders[m->nholders].object = m->holders[m->nholders].block = HEAP_NONE;
	s->last = ++m->nholders;
	return &m->holders[s->last - 1];
}

/* Counts that `x` is held there; copies of a block come one after another. */
static void count(const struct search *s, struct merge_holder *to, uint32_t x)
{
	uint32_t block = s->m->partition.block[x];

	if (to->object == x)
		return;
	to->object = x;
	to->copies++;
	to->bytes += s->m->held[x];
	if (to->block != block) {
		to->block = block;
		to->distinct++;
		to->run = 0;
	} else {
		to->freed += s->m->held[x];
	}
	if (++to->run > to->largest) {
		to->largest = to->run;
		to->example = x;
	}
}

static int count_arrow(struct search *s, uint32_t from, uint32_t x)
{
	const struct heap *h = s->h;
	bool array = h->class[h->class_of[from]].kind == HEAP_OBJECTS;
	struct merge_holder key = { .group = s->m->class_group[h->class_of[x]] };

	climb(s, from, &key);
	for (uint32_t e = h->edge[from]; e < h->edge[from + 1]; e++) {
		if (!array && h->to[e] != x)
			continue;
		key.inner = heap_edge_field(h, from, e);
		struct merge_holder *to = holder_at(s, &key);
		if (!to)
			return -1;
		count(s, to, x);
		if (array)
			break;
	}
	return 0;
}

int merge_find_holders(struct merge *m, const struct heap *h)
{
	struct search s = { .m = m, .h = h };
	int result = -1;

	if (find_containers(&s) < 0 || sort_copies(&s) < 0 || find_arrows(&s) < 0)
		goto out;
	for (uint32_t i = 0; i < s.ncopies; i++)
		for (uint32_t a = s.arrows[i]; a < s.arrows[i + 1]; a++)
			if ((a == s.arrows[i] || s.from[a] != s.from[a - 1]) &&
			    is_kept(&s, s.from[a]) && count_arrow(&s, s.from[a], s.copy[i]) < 0)
				goto out;
	result = 0;
out:
	idmap_release(&s.index);
	free(s.copy);
	free(s.place);
	free(s.arrows);
	free(s.from);
	free(s.container);
	return result;
}

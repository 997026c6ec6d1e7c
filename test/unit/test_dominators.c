/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_dominators.c - which objects dominate which: random graphs with several roots, rings and
 * objects that no root leads to, against a search that leaves out one object after another; and
 * graphs on which a slow algorithm would not end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "heapdump/blocks.h"
#include "heapdump/retained/dominators.h"

enum { GRAPHS = 20000, MOST = 24, EDGES = 3, MORE = 8 };

struct small {
	uint32_t n;
	uint32_t edge[MOST + 1], to[MOST * EDGES];
	unsigned char root[MOST / 8 + 1], apart[MOST / 8 + 1], has_more[MOST / 8 + 1];
	struct graph_more more[MORE];
	size_t nmore;
};

static bool has(const unsigned char *bits, uint32_t i)
{
	return bits[i / 8] >> i % 8 & 1;
}

static void set(unsigned char *bits, uint32_t i)
{
	bits[i / 8] |= (unsigned char)(1u << i % 8);
}

/* Of each kind some: no roots, many; no further references; objects that are left out. */
static void draw(struct small *s, struct rng *rng)
{
	uint32_t edges = rng_below(rng, EDGES + 1), rooted = 1 + rng_below(rng, 2 * MOST);
	uint32_t left = rng_below(rng, 4), more = rng_below(rng, 2);

	memset(s, 0, sizeof *s);
	s->n = 1 + rng_below(rng, MOST);
	uint32_t span = 1 + rng_below(rng, s->n);
	for (uint32_t x = 0; x < s->n; x++) {
		if (rng_below(rng, rooted) == 0)
			set(s->root, x);
		if (left == 0 && rng_below(rng, 8) == 0)
			set(s->apart, x);
		s->edge[x + 1] = s->edge[x];
		for (uint32_t e = 0; e < edges; e++) {
			uint32_t near = (x + rng_below(rng, span)) % s->n;
			s->to[s->edge[x + 1]++] = rng_below(rng, 5) == 0   ? PARTITION_NULL
						  : rng_below(rng, 2) == 0 ? near
									   : rng_below(rng, s->n);
		}
		for (uint32_t k = 0; more && s->nmore < MORE && k < 2; k++) {
			if (rng_below(rng, 6))
				continue;
			s->more[s->nmore++] = (struct graph_more){ x, rng_below(rng, s->n) };
			set(s->has_more, x);
		}
	}
}

static struct graph graph_of(const struct small *s)
{
	return (struct graph){ .n = s->n,
			       .edge = s->edge,
			       .to = s->to,
			       .root = s->root,
			       .apart = s->apart,
			       .more = s->more,
			       .nmore = s->nmore,
			       .has_more = s->nmore ? s->has_more : NULL };
}

/* Which objects roots lead to without `without`; MOST: with all. */
static void reach(const struct small *s, uint32_t without, bool *reached)
{
	bool changed = true;

	for (uint32_t x = 0; x < s->n; x++)
		reached[x] = has(s->root, x) && x != without && !has(s->apart, x);
	while (changed) {
		changed = false;
		for (uint32_t x = 0; x < s->n; x++) {
			for (uint32_t e = s->edge[x]; reached[x] && e < s->edge[x + 1]; e++) {
				uint32_t y = s->to[e];
				if (y == PARTITION_NULL || y == without || has(s->apart, y))
					continue;
				changed |= !reached[y];
				reached[y] = true;
			}
		}
		for (size_t k = 0; k < s->nmore; k++) {
			uint32_t y = s->more[k].to;
			if (!reached[s->more[k].from] || y == without || has(s->apart, y))
				continue;
			changed |= !reached[y];
			reached[y] = true;
		}
	}
}

/* dominated[d][x]: without d, no root leads to x any more. */
static uint32_t check(const struct small *s, const struct dominators *d)
{
	bool all[MOST], dominated[MOST][MOST], without[MOST];
	uint32_t deep = 0;

	reach(s, MOST, all);
	for (uint32_t x = 0; x < s->n; x++) {
		assert_int_equal(d->number[x] > 0, all[x]);
		reach(s, x, without);
		for (uint32_t y = 0; y < s->n; y++)
			dominated[x][y] = all[x] && x != y && all[y] && !without[y];
	}
	for (uint32_t x = 0; x < s->n; x++) {
		uint32_t i = d->number[x], want = 0, got = 0;
		if (!i)
			continue;
		assert_int_equal(d->object[i], x);
		assert_true(d->above[i] < i);
		for (uint32_t y = 0; y < s->n; y++)
			want += dominated[y][x];
		for (uint32_t up = d->above[i]; up; up = d->above[up], got++)
			assert_true(dominated[d->object[up]][x]);
		assert_int_equal(got, want);
		deep += want > 2;
	}
	return deep;
}

static void random_graphs(void **state)
{
	struct rng rng = { 20261128 };
	struct small s;
	uint32_t deep = 0;

	(void)state;
	for (int i = 0; i < GRAPHS; i++) {
		struct dominators d;
		draw(&s, &rng);
		const struct graph g = graph_of(&s);
		dominators_make(&d, &g);
		deep += check(&s, &d);
		dominators_release(&d);
	}
	assert_true(deep > GRAPHS / 4); /* or else the graphs tell nothing */
}

/*
 * A list of `n` links in both directions, each with an element that an array has, too: the way up
 * the tree from an element to the roots is as long as the list, for each element.
 */
static void long_list(void **state)
{
	const uint32_t n = 300000, array = 2 * n, all = 2 * n + 1;
	uint32_t *edge = calloc(all + 1, sizeof *edge), *to = calloc(4 * n, sizeof *to);
	unsigned char *root = calloc(all / 8 + 1, 1);
	struct dominators d;

	(void)state;
	assert_true(edge && to && root);
	for (uint32_t i = 0; i < n; i++) {
		edge[i + 1] = 3 * (i + 1);
		to[3 * i] = i + 1 < n ? i + 1 : PARTITION_NULL;
		to[3 * i + 1] = i ? i - 1 : PARTITION_NULL;
		to[3 * i + 2] = n + i;
		edge[n + i + 1] = 3 * n;
		to[3 * n + i] = n + i;
	}
	edge[all] = 4 * n;
	set(root, 0);
	set(root, array);
	const struct graph g = { .n = all, .edge = edge, .to = to, .root = root };
	dominators_make(&d, &g);
	assert_int_equal(d.n, all);
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(d.above[d.number[i]], i ? d.number[i - 1] : 0);
		assert_int_equal(d.above[d.number[n + i]], 0);
	}
	dominators_release(&d);
	free(edge);
	free(to);
	free(root);
}

/* Nothing is dominated, and nothing is numbered, where there are no roots. */
static void no_roots(void **state)
{
	const uint32_t edge[] = { 0, 1, 2 }, to[] = { 1, 0 };
	const unsigned char root[] = { 0 };
	const struct graph g = { .n = 2, .edge = edge, .to = to, .root = root };
	struct dominators d;

	(void)state;
	dominators_make(&d, &g);
	assert_int_equal(d.n, 0);
	assert_int_equal(d.number[0] + d.number[1], 0);
	dominators_release(&d);
}

int unit_dominators(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_graphs),
		cmocka_unit_test(long_list),
		cmocka_unit_test(no_roots),
	};
	return cmocka_run_group_tests_name("dominators", tests, NULL, NULL);
}

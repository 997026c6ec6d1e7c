/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_partition.c - which objects of a graph are equal: random graphs against rounds that split
 * until nothing changes, and graphs whose partition is known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "heapdump/partition.h"

enum { GRAPHS = 10000, MOST = 24, EDGES = 4 };

/* A graph of at most MOST objects. */
struct small {
	uint32_t n;
	uint64_t own[MOST], copy[MOST];
	uint32_t edge[MOST + 1], to[MOST * EDGES];
	unsigned char apart[MOST / 8 + 1];
};

static void draw(struct small *s, struct rng *rng)
{
	uint32_t classes = 1 + rng_below(rng, 3), edges = rng_below(rng, EDGES + 1);
	uint32_t apart = rng_below(rng, 3), span;

	memset(s, 0, sizeof *s);
	s->n = 1 + rng_below(rng, MOST);
	span = 1 + rng_below(rng, s->n); /* short: many references to few objects */
	for (uint32_t x = 0; x < s->n; x++) {
		s->own[x] = rng_below(rng, classes);
		if (apart == 0 && rng_below(rng, 8) == 0)
			s->apart[x / 8] |= (unsigned char)(1u << x % 8);
		s->edge[x + 1] = s->edge[x];
		for (uint32_t e = 0; e < edges; e++)
			s->to[s->edge[x + 1]++] =
				rng_below(rng, 5) == 0 ? PARTITION_NULL : rng_below(rng, span);
	}
	memcpy(s->copy, s->own, sizeof s->own);
}

static bool alike(const struct small *s, const uint32_t *in, uint32_t x, uint32_t y)
{
	uint32_t n = s->edge[x + 1] - s->edge[x];

	if (x == y)
		return true;
	if (in[x] != in[y] || s->copy[x] != s->copy[y] || n != s->edge[y + 1] - s->edge[y] ||
	    s->apart[x / 8] >> x % 8 & 1 || s->apart[y / 8] >> y % 8 & 1)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t a = s->to[s->edge[x] + i], b = s->to[s->edge[y] + i];
		if ((a == PARTITION_NULL) != (b == PARTITION_NULL))
			return false;
		if (a != PARTITION_NULL && in[a] != in[b])
			return false;
	}
	return true;
}

/* By rounds over all pairs: in[x] is the first object that x is equal to. */
static void split_by_rounds(const struct small *s, uint32_t *in)
{
	uint32_t next[MOST];
	bool changed = true;

	memset(in, 0, s->n * sizeof *in);
	while (changed) {
		changed = false;
		for (uint32_t x = 0; x < s->n; x++) {
			uint32_t y = 0;
			while (!alike(s, in, x, y))
				y++;
			next[x] = y;
		}
		for (uint32_t x = 0; x < s->n; x++)
			changed |= next[x] != in[x];
		memcpy(in, next, s->n * sizeof *in);
	}
}

static void random_graphs(void **state)
{
	struct rng rng = { 20261122 };
	struct small s;
	uint32_t in[MOST], merged = 0;

	(void)state;
	for (int i = 0; i < GRAPHS; i++) {
		struct partition p;
		draw(&s, &rng);
		split_by_rounds(&s, in);
		const struct partition_graph g = { s.n, s.own, s.edge, s.to, s.apart };
		partition_make(&p, &g, (uint64_t)i);
		uint32_t blocks = 0;
		for (uint32_t x = 0; x < s.n; x++) {
			blocks += in[x] == x;
			assert_true(p.block[x] < p.nblocks);
			for (uint32_t y = 0; y < x; y++)
				assert_int_equal(p.block[x] == p.block[y], in[x] == in[y]);
		}
		assert_int_equal(p.nblocks, blocks);
		merged += s.n - blocks;
		partition_release(&p);
	}
	assert_true(merged > GRAPHS); /* or else the graphs tell nothing */
}

/* Lists of `n` links in both directions, `lists` of them, each of equal links; the blocks. */
static uint32_t blocks_of_lists(uint32_t n, uint32_t lists, bool ring)
{
	uint32_t all = n * lists;
	uint64_t *own = calloc(all, sizeof *own);
	uint32_t *edge = calloc(all + 1, sizeof *edge), *to = calloc(2 * all, sizeof *to);
	unsigned char *apart = calloc(all / 8 + 1, 1);
	struct partition p;

	assert_true(own && edge && to && apart);
	for (uint32_t x = 0; x < all; x++) {
		uint32_t first = x - x % n, i = x % n;
		edge[x + 1] = 2 * (x + 1);
		to[2 * x] = i + 1 < n ? x + 1 : ring ? first : PARTITION_NULL;
		to[2 * x + 1] = i > 0 ? x - 1 : ring ? first + n - 1 : PARTITION_NULL;
	}
	const struct partition_graph g = { all, own, edge, to, apart };
	partition_make(&p, &g, 0);
	uint32_t blocks = p.nblocks;
	for (uint32_t x = n; x < all; x++)
		assert_int_equal(p.block[x], p.block[x - n]);
	partition_release(&p);
	free(own);
	free(edge);
	free(to);
	free(apart);
	return blocks;
}

/* A link of a list is as far from both ends as no other; in a ring all are the same. Rounds over
 * all links would take hours. */
static void long_lists(void **state)
{
	(void)state;
	assert_int_equal(blocks_of_lists(100000, 2, false), 100000);
	assert_int_equal(blocks_of_lists(100000, 2, true), 1);
	assert_int_equal(blocks_of_lists(1, 7, true), 1);
	assert_int_equal(blocks_of_lists(2, 3, false), 2);
}

/* A chain without cycles, deeper than any stack of calls. */
static void deep_chain(void **state)
{
	enum { N = 1000000 };
	uint64_t *own = calloc(N, sizeof *own);
	uint32_t *edge = calloc(N + 1, sizeof *edge), *to = calloc(N, sizeof *to);
	unsigned char *apart = calloc(N / 8 + 1, 1);
	struct partition p;

	(void)state;
	assert_true(own && edge && to && apart);
	for (uint32_t x = 0; x < N; x++) {
		edge[x + 1] = x + 1;
		/* two chains that end alike */
		to[x] = x % (N / 2) == N / 2 - 1 ? PARTITION_NULL : x + 1;
	}
	const struct partition_graph g = { N, own, edge, to, apart };
	partition_make(&p, &g, 0);
	assert_int_equal(p.nblocks, N / 2);
	assert_int_equal(p.block[0], p.block[N / 2]);
	assert_int_equal(p.cyclic, 0);
	partition_release(&p);
	free(own);
	free(edge);
	free(to);
	free(apart);
}

int unit_partition(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_graphs),
		cmocka_unit_test(long_lists),
		cmocka_unit_test(deep_chain),
	};
	return cmocka_run_group_tests_name("partition", tests, NULL, NULL);
}

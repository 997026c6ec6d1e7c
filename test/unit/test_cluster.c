/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_cluster.c - what observations tell that stand for others: programs in phases, of whose
 * objects whole stretches are missed, and how often the bounds of a share are wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/rng.h"
#include "stats/binomial.h"
#include "stats/cluster.h"

#define OBJECTS	  2000
#define STRETCH	  100 /* objects of which the same part is missed */
#define TRIALS	  400
#define ALPHA	  0.05
#define MOST	  1.5 /* times ALPHA: wrong bounds that chance allows */
#define LENGTH(a) (sizeof(a) / sizeof(a)[0])

/* A program whose objects are alike in phases of this mean length, and distinct between them. */
struct program {
	double phase, share;
	bool like[OBJECTS];
};

static void make(struct program *p, struct rng *rng)
{
	bool like = rng_unit(rng) < p->share;

	for (size_t i = 0; i < OBJECTS; like = !like) {
		double mean = 2 * p->phase * (like ? p->share : 1 - p->share);
		size_t end = i + 1 + (size_t)(-log(1 - rng_unit(rng)) * mean);
		for (; i < end && i < OBJECTS; i++)
			p->like[i] = like;
	}
}

/* Observes some of each stretch, which then stand for all; returns how many. */
static size_t observe(struct cluster_observation *o, const struct program *p, bool even,
		      struct rng *rng)
{
	static const double parts[] = { 0.02, 0.1, 0.3, 0.6, 1 };
	size_t n = 0;

	for (size_t first = 0; first < OBJECTS; first += STRETCH) {
		double part = even ? 0.3 : parts[rng_below(rng, LENGTH(parts))];
		size_t begin = n;
		for (size_t i = first; i < first + STRETCH; i++)
			if (rng_unit(rng) < part)
				o[n++] = (struct cluster_observation){ .content = p->like[i] };
		for (size_t i = begin; i < n; i++) {
			o[i].weight = fmin(8, (double)STRETCH / (double)(n - begin));
			o[i].others = o[i].weight - 1;
		}
	}
	for (size_t i = 0; i < n; i++)
		o[i].block = (unsigned)(i * CLUSTER_BLOCKS / n);
	return n;
}

/* Whether the upper bound of the share is below the truth, with or without the design effect. */
static bool is_wrong(struct cluster_observation *o, size_t n, const struct program *p, bool with,
		     double *effect)
{
	double all = 0, squares = 0, hits = 0, truth = 0;

	for (size_t i = 0; i < n; i++) {
		all += o[i].weight;
		squares += o[i].weight * o[i].weight;
		hits += o[i].content ? o[i].weight : 0;
	}
	for (size_t i = 0; i < OBJECTS; i++)
		truth += p->like[i];
	*effect = cluster_design(o, n);
	double number = all * all / squares / (with ? *effect : 1);
	return binomial_high(hits / all * number, number, ALPHA) < truth / OBJECTS;
}

struct outcome {
	double wrong, wrong_without; /* share of trials */
	double effect;		     /* mean design effect */
};

static struct outcome try_many(double phase, double share, bool even, uint64_t seed)
{
	static struct cluster_observation o[OBJECTS];
	static struct program p;
	struct rng rng = { seed };
	struct outcome sum = { 0 };

	p.phase = phase;
	p.share = share;
	for (int t = 0; t < TRIALS; t++) {
		double effect;
		make(&p, &rng);
		size_t n = observe(o, &p, even, &rng);
		sum.wrong += is_wrong(o, n, &p, true, &effect) / (double)TRIALS;
		sum.wrong_without += is_wrong(o, n, &p, false, &effect) / (double)TRIALS;
		sum.effect += effect / TRIALS;
	}
	return sum;
}

/* Contents in random order: nothing is correlated, and nothing is taken off. */
static void test_random_order(void **state)
{
	(void)state;
	static const double shares[] = { 0.1, 0.49 };

	for (size_t i = 0; i < LENGTH(shares); i++)
		for (int even = 0; even < 2; even++) {
			struct outcome t = try_many(0.5, shares[i], even, 1 + i);
			assert_true(t.effect < 1.25);
			assert_true(t.wrong <= MOST * ALPHA);
		}
}

/* Phases are missed as a whole: the bound without the design effect is wrong far more often. */
static void test_phases(void **state)
{
	(void)state;
	static const double phases[] = { 10, 50, 200 };

	for (size_t i = 0; i < LENGTH(phases); i++) {
		struct outcome t = try_many(phases[i], 0.49, false, 10 + i);
		assert_true(t.effect > 1.5);
		assert_true(t.wrong <= MOST * ALPHA);
		assert_true(t.wrong_without > MOST * ALPHA || phases[i] < 50);
	}
}

/*
 * Many processes, of each a few blocks: contents of two differ, which is no reason to take them as
 * missed together.
 */
static void test_processes(void **state)
{
	enum { PROCESSES = 20, EACH = 60 };
	struct cluster_observation o[PROCESSES * EACH];
	struct rng rng = { 30 };

	(void)state;
	for (int phases = 0; phases < 2; phases++) {
		for (uint32_t i = 0; i < PROCESSES * EACH; i++) {
			uint32_t at = i % EACH, block = at * CLUSTER_BLOCKS / EACH;
			uint64_t value = phases ? block / 4 % 2 : rng_below(&rng, 3);
			o[i] = (struct cluster_observation){ 4, 3, rng_mix(i / EACH * 8 + value),
							     i / EACH, block };
		}
		double design = cluster_design(o, PROCESSES * EACH);
		assert_true(phases ? design > 1.3 && design < 2 : design < 1.1);
	}
}

/* Whatever the phases, an even part of all stretches is a fair sample. */
static void test_even(void **state)
{
	(void)state;

	assert_true(try_many(50, 0.49, true, 20).wrong <= MOST * ALPHA);
	assert_true(try_many(50, 0.1, true, 21).wrong <= MOST * ALPHA);
}

static void test_bounds_of_it(void **state)
{
	(void)state;
	struct cluster_observation two[] = { { 4, 3, 1, 0, 0 }, { 4, 3, 1, 0, 0 } };

	assert_true(cluster_design(NULL, 0) == 1);
	assert_true(cluster_design(two, 2) == 1); /* one content: no variance */
	two[1].content = 2;			  /* they do not agree */
	assert_true(cluster_design(two, 2) == 1);
	struct cluster_observation four[] = {
		{ 4, 4, 1, 0, 0 }, { 4, 4, 1, 0, 0 }, { 4, 4, 2, 0, 1 }, { 4, 4, 2, 0, 1 }
	};
	/* each pair stands for one: half of the number */
	assert_true(fabs(cluster_design(four, 4) - 2) < 1e-12);
	for (size_t i = 0; i < 4; i++)
		four[i].process = four[i].block;
	assert_true(cluster_design(four, 4) == 1); /* of two processes, each has one content */
}

int unit_cluster(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_order), cmocka_unit_test(test_phases),
		cmocka_unit_test(test_processes),    cmocka_unit_test(test_even),
		cmocka_unit_test(test_bounds_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

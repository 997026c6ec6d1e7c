/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_equal.c - the least share of equal pairs, from all pairs of observations: the lower end
 * holds and is useful.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "stats/groups.h"

#define Z      1.959963984540054
#define ROUNDS 1000
#define MOST   500

/*
 * `groups` equally large groups together have the share `grouped` of the objects; the others are
 * all distinct.
 */
struct mix {
	uint32_t groups;
	double grouped;
};

static double truth(const struct mix *m)
{
	return m->grouped * m->grouped / m->groups;
}

/* Weights vary by a factor of exp(spread) in both directions. */
static double least(const struct mix *m, size_t n, double spread, uint16_t flags, struct rng *rng)
{
	static struct observation observations[MOST];
	struct groups g;

	for (size_t i = 0; i < n; i++) {
		bool grouped = rng_unit(rng) < m->grouped;
		uint64_t content = grouped ? rng_below(rng, m->groups) : 1000 + i;
		observations[i] =
			(struct observation){ .content = rng_mix(content),
					      .weight = exp(spread * (2 * rng_unit(rng) - 1)),
					      .bytes = 16,
					      .refs = flags & 1 && i == 0,
					      .partial = flags & 2 && i == 0 };
	}
	groups_measure(&g, observations, n, 1e9, Z, rng);
	return g.equal_low;
}

/* It may exceed the truth one time in forty; four standard deviations of 1000 trials are 2 %. */
static void it_is_a_lower_bound(void **state)
{
	const struct mix mixes[] = { { 1, 1 },	  { 1, 0.99 }, { 1, 0.9 },  { 1, 0.577 },
				     { 1, 0.25 }, { 2, 1 },    { 2, 0.8 },  { 3, 1 },
				     { 5, 0.9 },  { 10, 1 },   { 30, 0.95 } };
	struct rng rng = { 31 };

	(void)state;
	for (size_t k = 0; k < sizeof mixes / sizeof mixes[0]; k++)
		for (size_t n = 12; n < MOST; n *= 3)
			for (double spread = 0; spread < 3; spread += 1.5) {
				int above = 0;
				for (int round = 0; round < ROUNDS; round++)
					above += least(&mixes[k], n, spread, 0, &rng) >
						 truth(&mixes[k]) + 1e-9;
				assert_true(above < 0.025 * ROUNDS + 0.02 * ROUNDS);
			}
}

/* Sixty objects, which make only thirty disjoint pairs, distinguish two equal groups from three. */
static void few_objects_tell(void **state)
{
	const struct mix two = { 2, 1 }, three = { 3, 1 }, same = { 1, 1 };
	struct rng rng = { 32 };

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		assert_true(least(&two, 60, 0, 0, &rng) > 0.37);
		assert_true(least(&three, 60, 0, 0, &rng) < 1.0 / 3);
		assert_true(least(&same, 10, 0, 0, &rng) > 0.5);
	}
}

static void nothing_is_equal(void **state)
{
	const struct mix distinct = { 1, 0 };
	struct rng rng = { 33 };

	(void)state;
	for (size_t n = 2; n < MOST; n *= 2)
		assert_true(least(&distinct, n, 1, 0, &rng) == 0);
}

/* A single reference, or content hashed in part, cannot be compared with all others. */
static void what_can_not_be_compared(void **state)
{
	const struct mix same = { 1, 1 };
	struct rng rng = { 34 };

	(void)state;
	assert_true(least(&same, 100, 0, 0, &rng) > 0.9);
	assert_true(isnan(least(&same, 100, 0, 1, &rng)));
	assert_true(isnan(least(&same, 100, 0, 2, &rng)));
	assert_true(isnan(least(&same, 1, 0, 0, &rng)));
}

int unit_equal(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_a_lower_bound),
		cmocka_unit_test(few_objects_tell),
		cmocka_unit_test(nothing_is_equal),
		cmocka_unit_test(what_can_not_be_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

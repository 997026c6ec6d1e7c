/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_groups_saved.c - least savings from merging the objects of groups, for samples with known
 * truth.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "groups_draws.h"

static struct observation observations[GROUPS_MOST];

/* ---- what merging saves --------------------------------------------------------------------- */

static void saved(void **state)
{
	(void)state;
	struct groups g = groups_of(draw_all_same, 1000, 1e6, 1);
	double share = least_saved(&g, 1e6) / 1e6;
	assert_true(share > 0.99 && share < 1);
	g = groups_of(draw_three_quarters, 10000, 1e8, 1);
	share = least_saved(&g, 1e8) / 1e8;
	/*
	 * the lower end is 1.96 standard deviations of 0.0043 below; five in either direction are
	 * allowed
	 */
	assert_true(fabs(share - 0.7415) < 0.0217);
	g = groups_of(draw_hundred_lengths, 10000, 1e6, 1);
	assert_true(least_saved(&g, 1e6) > 0.99e6);
}

/* Nothing is saved if all objects are distinct, whatever the numbers. */
static void saved_of_distinct(void **state)
{
	(void)state;
	for (size_t n = 2; n <= GROUPS_MOST; n *= 3)
		for (double objects = (double)n; objects < 1e12; objects *= 100) {
			struct groups g = groups_of(draw_all_distinct, n, objects, n);
			assert_true(least_saved(&g, objects) == 0);
			assert_true(least_saved_bytes(&g, objects * 32) == 0);
			assert_true(isnan(g.distinct));
		}
}

/* If every object was seen, the saving is at most the true one. */
static void saved_of_few(void **state)
{
	struct groups g = groups_of(draw_ten_groups, 12, 12, 3);

	(void)state;
	assert_true(least_saved(&g, 12) <= 12 - g.contents);
}

static void saved_bytes(void **state)
{
	struct groups g = groups_of(draw_large_ones_differ, 10000, 1e6, 1);
	double bytes = 1e6 * (0.9 * 16 + 0.1 * 100000);

	(void)state;
	assert_true(least_saved(&g, 1e6) > 0.88e6);
	/* 0.14 % of the bytes belong to the small ones */
	assert_true(least_saved_bytes(&g, bytes) < 0.002 * bytes);
}

/* A lower bound: it exceeds the truth about one time in forty. */
static void saved_is_a_lower_bound(void **state)
{
	struct rng rng = { 21 };
	int above = 0, rounds = 3000;

	(void)state;
	for (int round = 0; round < rounds; round++) {
		double same = 0.05 + 0.9 * rng_unit(&rng);
		size_t n = 30 + rng_below(&rng, 300);
		for (size_t i = 0; i < n; i++)
			observations[i] = (struct observation){
				.content = rng_mix(rng_unit(&rng) < same ? 0 : i + 1),
				.weight = 1,
				.bytes = 16,
			};
		struct groups g;
		groups_measure(&g, observations, n, 1e9, GROUPS_Z, &rng);
		above += least_saved(&g, 1e9) > same * 1e9;
	}
	assert_true(above < 0.05 * rounds);
}

/*
 * Objects that are alike are sampled eight times more rarely than the others, or more often; they
 * have a quarter of the bytes. With Kish's number, 9 % of the former's bounds exceed the truth.
 */
static double exceeded(double alike_weight, double other_weight, double *correlation)
{
	enum { ROUNDS = 2000, LOOKS = 150 };
	double alike = 0.26 / alike_weight, others = 0.74 / other_weight, mean = 0;
	struct rng rng = { 22 };
	int above = 0;

	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < LOOKS; i++) {
			bool one = rng_unit(&rng) < alike / (alike + others);
			observations[i] = (struct observation){
				.content = rng_mix(one ? 0 : i + 1),
				.weight = one ? alike_weight : other_weight,
				.bytes = 16,
			};
		}
		struct groups g;
		groups_measure(&g, observations, LOOKS, 1e9, GROUPS_Z, &rng);
		above += g.covered_bytes.low > 0.26;
		mean += g.correlation_bytes / ROUNDS;
		assert_true(fabs(g.correlation - g.correlation_bytes) < 1e-9);
	}
	*correlation = mean;
	return (double)above / ROUNDS;
}

static void heavy_and_light(void **state)
{
	double correlation;

	(void)state;
	assert_true(exceeded(8, 1, &correlation) < 0.035);
	assert_true(correlation > 0.6);
	assert_true(exceeded(1, 8, &correlation) < 0.035);
	assert_true(correlation < 0);
	assert_true(exceeded(1, 1, &correlation) < 0.035);
	assert_true(fabs(correlation) < 1e-6);
}

int unit_groups_saved(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(saved),
		cmocka_unit_test(saved_of_distinct),
		cmocka_unit_test(saved_of_few),
		cmocka_unit_test(saved_bytes),
		cmocka_unit_test(saved_is_a_lower_bound),
		cmocka_unit_test(heavy_and_light),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

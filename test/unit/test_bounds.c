/* SPDX-License-Identifier: Apache-2.0 */
/* test_bounds.c - formulas against values computed by hand and against exhaustive counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/rng.h"
#include "stats/bounds.h"

#define NEAR		       1e-9
#define assert_near(got, want) assert_true(fabs((got) - (want)) <= NEAR)
#define assert_nan(got)	       assert_true(isnan(got))

static void quantiles(void **state)
{
	(void)state;
	/* from tables of the normal distribution */
	assert_near(bounds_z(0.95), 1.959963984540054);
	assert_near(bounds_z(0.99), 2.575829303548901);
	assert_near(bounds_z(0.9999), 3.890591886413124);
	assert_near(bounds_z(0.5), 0.674489750196082);
	assert_nan(bounds_z(0));
	assert_nan(bounds_z(1));
	for (double p = 0.01; p < 1; p += 0.01)
		assert_near(erf(bounds_z(p) / M_SQRT2), p);
}

static void effective_numbers(void **state)
{
	(void)state;
	assert_near(bounds_effective(10, 10), 10); /* ten of weight 1 */
	assert_near(bounds_effective(30, 90), 10); /* ten of weight 3 */
	assert_near(bounds_effective(17, 257), 289.0 / 257);
	assert_near(bounds_effective(0, 0), 0);
	/*
	 * with equal weights: all of them; a tenth of the objects, from one in a hundred
	 * observations with elevenfold weight
	 */
	assert_near(bounds_effective_share(0.3, 100, 100, 30), 100);
	assert_true(bounds_effective_share(0.1, 110, 99 + 121, 121) < 11);
	assert_near(bounds_effective_share(0.9, 110, 99 + 121, 99),
		    bounds_effective_share(0.1, 110, 220, 121));
	assert_near(bounds_effective_share(0, 10, 10, 0), 10);
	assert_near(bounds_effective_share(1, 10, 10, 10), 10);
	/* a share that consists of the lighter ones is not more certain than any other */
	assert_near(bounds_effective_share(0.5, 110, 220, 20), bounds_effective(110, 220));
}

static void wilson_intervals(void **state)
{
	const double z = 1.959963984540054;
	struct bounds_range r;

	(void)state;
	/* none of 30: z^2 / (n + z^2) */
	r = bounds_wilson(0, 30, z);
	assert_near(r.low, 0);
	assert_near(r.high, z * z / (30 + z * z));
	r = bounds_wilson(1, 30, z);
	assert_near(r.low, 30 / (30 + z * z));
	assert_near(r.high, 1);
	/* one of one: hardly anything is excluded */
	r = bounds_wilson(1, 1, z);
	assert_near(r.low, 1 / (1 + z * z));
	/* 15 of 30: centre at one half, half width z / sqrt(n + z^2) / 2 */
	r = bounds_wilson(0.5, 30, z);
	assert_near(r.low, 0.5 - z / 2 / sqrt(30 + z * z));
	assert_near(r.high, 0.5 + z / 2 / sqrt(30 + z * z));
	r = bounds_wilson(0.5, 0, z);
	assert_nan(r.low);
	assert_nan(r.high);
	assert_nan(bounds_wilson(NAN, 10, z).low);
	for (double n = 0.25; n < 1e6; n *= 3)
		for (double p = 0; p <= 1; p += 0.125) {
			r = bounds_wilson(p, n, z);
			assert_true(0 <= r.low && r.low <= p && p <= r.high && r.high <= 1);
		}
}

/* The paper's definitions, for counts of pairs. */
static void paper_factors(void **state)
{
	(void)state;
	/* 99 equal, one alike, none different: alpha is 1, omega 0, although A/n is 0.99 */
	assert_near(bounds_alpha(0.01, 0), 1);
	assert_near(bounds_omega(0.99, 0.01, 0), 0);
	assert_near(bounds_gamma(0.99, 1e12), sqrt(0.99));
	/* all equal: no unequal pair that gives alpha, and A/n is the bound */
	assert_nan(bounds_alpha(0, 0));
	assert_near(bounds_omega(1, 0, 0), 1);
	assert_near(bounds_gamma(1, 1e12), 1);
	/* (50, 20, 30): theta .7, alpha .4, omega .3, and equation 16 gives .3/.6 = A/n */
	assert_near(bounds_alpha(0.2, 0.3), 0.4);
	assert_near(bounds_omega(0.5, 0.2, 0.3), 0.3);
	assert_near((0.7 - 0.4) / (1 - 0.4), 0.5);
	/* (0, 30, 70) and (0, 0, 100): omega is 0 */
	assert_near(bounds_omega(0, 0.3, 0.7), 0);
	assert_near(bounds_omega(0, 0, 1), 0);
	assert_near(bounds_alpha(0, 1), 0);
	assert_near(bounds_alpha(1, 0), 1);
	assert_near(bounds_omega(0, 1, 0), 0);
}

static void upper_bound(void **state)
{
	(void)state;
	/*
	 * Four objects, three of them equal: 3 of 6 pairs. The closed form of equation 17 gives
	 * 1/6 + sqrt(1/36 + 1/2) = 0.893; the quadratic solved exactly gives 3/4 itself.
	 */
	assert_near(bounds_gamma(0.5, 4), 0.75);
	/* two objects: equal or not */
	assert_near(bounds_gamma(1, 2), 1);
	assert_near(bounds_gamma(0, 2), 0.5);
	/* no two equal: each object is a group */
	assert_near(bounds_gamma(0, 100), 0.01);
	assert_near(bounds_gamma(0.25, 1e15), 0.5);
	assert_nan(bounds_gamma(0.5, 1.9));
	assert_nan(bounds_gamma(0.5, 0));
	assert_nan(bounds_gamma(NAN, 10));
}

/* omega <= A <= X_N/X <= gamma for all partitions, with A counted over all pairs. */
static void bounds_hold(void **state)
{
	struct rng rng = { 1 };

	(void)state;
	for (int round = 0; round < 2000; round++) {
		double objects = 0, largest = 0, equal = 0;
		uint32_t groups = 1 + rng_below(&rng, 12);
		for (uint32_t g = 0; g < groups; g++) {
			double n = 1 + rng_below(&rng, 50);
			objects += n;
			largest = fmax(largest, n);
			equal += n * (n - 1);
		}
		if (objects < 2)
			continue;
		double a = equal / (objects * (objects - 1));
		double b = (1 - a) * rng_unit(&rng), c = 1 - a - b;
		double share = largest / objects, t = 1 / (objects - 1);
		double gamma = bounds_gamma(a, objects);
		assert_true(bounds_omega(a, b, c) <= a + NEAR);
		assert_true(a <= share + NEAR);
		assert_true(share <= gamma + NEAR);
		assert_true(gamma <= fmin(1, t / 2 + sqrt(t * t / 4 + a)) + NEAR);
	}
}

static void coverage(void **state)
{
	const double z = 1.959963984540054;
	struct bounds_range r;

	(void)state;
	/* all distinct: nothing is covered, for any number of observations */
	for (double n = 1; n < 1e9; n *= 10)
		assert_near(bounds_coverage(1, 0, n, z).low, 0);
	/* one content: nearly all is covered */
	r = bounds_coverage(0, 0, 1000, z);
	assert_true(r.low > 0.99 && r.low < 1);
	assert_near(r.high, 1);
	/* all seen exactly twice is less certain than all seen often */
	assert_true(bounds_coverage(0, 1, 1000, z).low < r.low - 0.03);
	/* 250 of 1000 seen once: .75, with the width of a binomial share */
	r = bounds_coverage(0.25, 0, 1000, z);
	assert_true(r.low > 0.72 && r.low < 0.73 && r.high > 0.77 && r.high < 0.78);
	assert_nan(bounds_coverage(0.5, 0, 0, z).low);
}

int unit_bounds(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles),	    cmocka_unit_test(effective_numbers),
		cmocka_unit_test(wilson_intervals), cmocka_unit_test(paper_factors),
		cmocka_unit_test(upper_bound),	    cmocka_unit_test(bounds_hold),
		cmocka_unit_test(coverage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_binomial.c - tails and limits against recorded values, against sums over all outcomes, and
 * their properties.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "stats/binomial.h"

#define NEAR		       1e-12
#define assert_near(got, want) assert_true(fabs((got) - (want)) <= NEAR)
#define LENGTH(a)	       (sizeof(a) / sizeof(a)[0])

/* a, b, x, and I_x(a, b) by scipy 1's betainc */
static const double betas[][4] = {
	{ 0.5, 0.5, 0.3, 0.36901011956554536 },
	{ 1, 1, 0.25, 0.25 },
	{ 2, 3, 0.4, 0.52479999999999993 },
	{ 8, 1, 0.518, 0.0051836787375214698 },
	{ 0.01, 5, 0.001, 0.95279588000707716 },
	{ 7.3, 12.9, 0.31, 0.32882278448468599 },
	{ 120.5, 80.25, 0.6, 0.4932856084506943 },
	{ 1000, 1000, 0.49, 0.18555265943151189 },
	{ 4096.5, 4096.5, 0.503, 0.70646245599925939 },
	{ 30000, 70000, 0.301, 0.75507485128997076 },
	{ 3, 100000, 5e-05, 0.87536271942672272 },
	{ 0.001, 1000.0, 1e-06, 0.99368715127139728 },
	{ 250000, 3, 0.99999, 0.54380734426912403 },
	{ 16, 1000000.0, 1e-05, 0.04874474321703582 },
};

/* x, n, alpha, and the limits by scipy 1's beta.ppf */
static const double limits[][5] = {
	{ 1, 5, 0.05, 0.010206218313011496, 0.65740831800113864 },
	{ 0.4, 5.5, 0.01, 1.2771922080839489e-06, 0.64537238719446721 },
	{ 8, 8, 0.01, 0.56234132519034907, 1 },
	{ 5, 5, 0.05, 0.54928027165305882, 1 },
	{ 2, 2, 0.05, 0.22360679774997896, 1 },
	{ 2, 2, 0.025, 0.15811388300841897, 1 },
	{ 9, 10, 0.05, 0.60583669756349523, 0.99488380310817626 },
	{ 11, 12, 0.01, 0.56045646445047792, 0.99916282264087941 },
	{ 15.3, 20.7, 0.05, 0.53697554518986146, 0.88626809373261972 },
	{ 0, 16, 0.05, 0, 0.17074972298248089 },
	{ 37.5, 612.25, 0.005, 0.038966847233204142, 0.090616920795182326 },
	{ 4000, 8192, 0.025, 0.47740160618675648, 0.49916923480810926 },
	{ 1, 8192, 0.001, 1.2213138091885848e-07, 0.0011265594305011962 },
};

static void recorded(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(betas); i++) {
		const double *r = betas[i];
		assert_near(binomial_beta(r[0], r[1], r[2]), r[3]);
		if (r[2] > 0.1 && r[2] < 0.9) /* otherwise 1 - x is rounded too much */
			assert_near(binomial_beta(r[1], r[0], 1 - r[2]), 1 - r[3]);
	}
	for (size_t i = 0; i < LENGTH(limits); i++) {
		const double *r = limits[i];
		assert_near(binomial_low(r[0], r[1], r[2]), r[3]);
		assert_near(binomial_high(r[0], r[1], r[2]), r[4]);
	}
}

/* The sum over all outcomes, which is exact for integers. */
static void sums(void **state)
{
	(void)state;
	for (int n = 1; n <= 40; n++)
		for (double p = 0.03; p < 1; p += 0.11) {
			double pmf = pow(p, n), sum = 0; /* of n */
			for (int x = n; x >= 1; x--) {
				sum += pmf;
				assert_near(binomial_tail(x, n, p), sum);
				pmf *= x * (1 - p) / ((n - x + 1) * p);
			}
			assert_near(binomial_tail(0, n, p), 1);
			assert_near(binomial_tail(n + 1, n, p), 0);
		}
}

static void worked_by_hand(void **state)
{
	(void)state;
	/* x of x: alpha^(1/x); none of n: 1 - alpha^(1/n) */
	for (double n = 0.5; n < 3000; n *= 1.7) {
		assert_near(binomial_low(n, n, 0.05), pow(0.05, 1 / n));
		assert_near(binomial_high(0, n, 0.05), 1 - pow(0.05, 1 / n));
		assert_true(binomial_low(0, n, 0.05) == 0);
		assert_true(binomial_high(n, n, 0.05) == 1);
	}
	assert_true(binomial_low(3, 0, 0.05) == 0);
	assert_true(binomial_high(0, 0, 0.05) == 1);
	assert_true(isnan(binomial_beta(0, 1, 0.5)));
	assert_true(binomial_beta(2, 3, 0) == 0);
	assert_true(binomial_beta(2, 3, 1) == 1);
}

/* A limit is where the tail is alpha; it moves in the right direction. */
static void properties(void **state)
{
	(void)state;
	for (double n = 1.5; n < 20000; n *= 2.3)
		for (double share = 0.01; share < 1; share += 0.07)
			for (double alpha = 0.001; alpha < 0.3; alpha *= 4) {
				double x = share * n, low = binomial_low(x, n, alpha),
				       high = binomial_high(x, n, alpha);
				assert_true(low < share && share < high);
				if (x < 1 || n - x < 1)
					continue; /* a limit next to 0 or 1, whatever alpha is */
				assert_near(binomial_beta(x, n - x + 1, low), alpha);
				assert_near(binomial_beta(x + 1, n - x, high), 1 - alpha);
				assert_true(binomial_low(x, n, alpha / 2) < low);
				assert_true(binomial_high(x, n, alpha / 2) > high);
				assert_true(binomial_low(x + 0.1, n + 0.1, alpha) > low);
			}
}

/* Of consecutive tails the difference, also where the rest is small. */
static void exactly(void **state)
{
	const double shares[] = { 1e-6, 0.01, 0.3, 0.5, 0.97 };
	double one, none;
	struct binomial b;

	(void)state;
	for (size_t i = 0; i < LENGTH(shares); i++)
		for (double x = 1; x <= 40; x++) {
			binomial_prepare(&b, x, 40);
			double tail = binomial_tail_of(&b, shares[i], &one);
			assert_near(tail, binomial_tail(x, 40, shares[i]));
			assert_near(one, tail - binomial_tail(x + 1, 40, shares[i]));
		}
	binomial_prepare(&b, 3, 2);
	assert_true(binomial_tail_of(&b, 0.5, &none) == 0 && none == 0);
	binomial_prepare(&b, 0, 2);
	assert_true(binomial_tail_of(&b, 0.5, &none) == 1);
}

/* The share is where both are equal; below it, the tail is smaller; above it, larger. */
static void least(void **state)
{
	const double alphas[] = { 0.05, 0.01, 0.001 }, counts[] = { 1.2, 2, 3.5, 17, 400, 90000 };

	(void)state;
	for (size_t i = 0; i < LENGTH(counts); i++)
		for (size_t k = 0; k < LENGTH(alphas); k++)
			for (double more = 0; more < 1e5; more = 7 * more + 0.5) {
				double x = counts[i], n = x + more, alpha = alphas[k];
				double p = binomial_least(x, n, alpha);
				assert_true(p > 0 && p < 1);
				double below = p * (1 - 1e-9), above = p + (1 - p) * 1e-9;
				assert_true(binomial_tail(x, n, below) < alpha * below);
				assert_true(binomial_tail(x, n, above) > alpha * above);
			}
}

int unit_binomial(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded),	  cmocka_unit_test(sums),
		cmocka_unit_test(worked_by_hand), cmocka_unit_test(properties),
		cmocka_unit_test(exactly),	  cmocka_unit_test(least),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_survival.c - Kaplan and Meier's estimate: a textbook's numbers, and simulated lives of which
 * the truth is known.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "stats/survival.h"

#define Z95  1.959964
#define MANY 400 /* lives in a simulation at most */

static struct rng rng = { 1 };

/* Uniform in (0, 1). */
static double uniform(void)
{
	return ((double)(rng_next(&rng) >> 11) + 0.5) * 0x1p-53;
}

static double exponential(double mean)
{
	return -log(uniform()) * mean;
}

static double share(const struct survival *s, double age)
{
	struct survival_point p = survival_at(s, age);

	return p.value;
}

/* Weeks of remission of 21 patients (Freireich 1963); negative: it went on. */
static void test_textbook(void **state)
{
	static const double weeks[] = { 6,   6,	  6,   -6, 7,  -9,  10,	 -10, -11, 13, 16,
					-17, -19, -20, 22, 23, -25, -32, -32, -34, -35 };
	enum { N = sizeof weeks / sizeof weeks[0] };
	struct survival_life lives[N];
	struct survival s;

	(void)state;
	for (int i = 0; i < N; i++)
		lives[i] =
			(struct survival_life){ fabs(weeks[i]), fabs(weeks[i]), 1, weeks[i] > 0 };
	survival_make(&s, lives, N);
	assert_float_equal(share(&s, 5.9), 1, 1e-12);
	assert_float_equal(share(&s, 6), 0.857, 0.0005);
	assert_float_equal(share(&s, 7), 0.807, 0.0005);
	assert_float_equal(share(&s, 10), 0.753, 0.0005);
	assert_float_equal(share(&s, 13), 0.690, 0.0005);
	assert_float_equal(share(&s, 16), 0.627, 0.0005);
	assert_float_equal(share(&s, 22), 0.538, 0.0005);
	assert_float_equal(share(&s, 23), 0.448, 0.0005);
	/* Greenwood's standard error at 23 weeks is 0.1346 */
	struct survival_point p = survival_at(&s, 23);
	assert_float_equal(p.early.share * (1 - p.early.share) / p.early.number, 0.1346 * 0.1346,
			   1e-4);
	struct estimate median = survival_age(&s, 0.5, Z95);
	assert_float_equal(median.value, 23, 0);
	assert_float_equal(median.range.low, 13, 0);
	assert_true(isinf(median.range.high));
	assert_true(isnan(survival_at(&s, 36).value)); /* nobody was watched for so long */
	assert_true(isnan(survival_age(&s, 0.9, Z95).value));
	survival_release(&s);
}

/* A weight is as many lives, but not as much evidence. */
static void test_weights(void **state)
{
	const struct survival_life single[] = {
		{ 1, 1, 1, true }, { 2, 2, 1, true }, { 2, 2, 1, true }, { 3, 3, 1, false }
	};
	const struct survival_life weighed[] = { { 1, 1, 5, true },
						 { 2, 2, 10, true },
						 { 3, 3, 5, false } };
	struct survival a, b;

	(void)state;
	survival_make(&a, single, 4);
	survival_make(&b, weighed, 3);
	assert_float_equal(share(&a, 1), 0.75, 1e-12);
	assert_float_equal(share(&b, 1), 0.75, 1e-12);
	assert_float_equal(share(&b, 2), 0.25, 1e-12);
	assert_float_equal(survival_at(&a, 0.5).early.number, 4, 1e-12);
	assert_float_equal(survival_at(&b, 0.5).early.number, 400.0 / 150, 1e-12);
	survival_release(&a);
	survival_release(&b);
}

static void test_none(void **state)
{
	struct survival s;

	(void)state;
	survival_make(&s, NULL, 0);
	struct survival_point p = survival_at(&s, 1);
	assert_true(isnan(p.value));
	assert_true(isnan(survival_range(&p, Z95).low));
	assert_true(isnan(survival_age(&s, 0.5, Z95).value));
	survival_release(&s);
}

/* Of what nobody looked at again after an age of 1, nothing is known beyond it. */
static void test_unknown(void **state)
{
	struct survival_life lives[20];
	struct survival s;

	(void)state;
	for (int i = 0; i < 20; i++)
		lives[i] = (struct survival_life){ 1, 10, 1, false };
	survival_make(&s, lives, 20);
	struct survival_point p = survival_at(&s, 5);
	struct bounds_range range = survival_range(&p, Z95);
	assert_true(isnan(p.value));
	assert_float_equal(range.low, 0, 0);
	assert_float_equal(range.high, 1, 1e-12);
	struct estimate median = survival_age(&s, 0.5, Z95);
	assert_true(isnan(median.value));
	assert_float_equal(median.range.low, 1, 0);
	assert_true(isinf(median.range.high));
	survival_release(&s);
	for (int i = 0; i < 20; i++)
		lives[i].low = -1; /* not looked at since the beginning */
	survival_make(&s, lives, 20);
	assert_float_equal(survival_age(&s, 0.5, Z95).range.low, 0, 0);
	survival_release(&s);
}

/* How often the interval of the share at `age` held the truth, and that of the median. */
struct held {
	int share, median;
};

/* Sets what looks at `first`, first + look, ... until the end show of a life. */
static void look_at(struct survival_life *l, double lived, double end, double look)
{
	double first = look * uniform();
	double last = first > end ? -1 : first + look * floor((end - first) / look);

	l->ended = lived <= last;
	if (l->ended) {
		l->high = lived < first ? first : first + look * ceil((lived - first) / look);
		l->low = lived < first ? 0 : l->high - look;
	} else {
		l->high = end;
		l->low = last < 0 ? -1 : last - look < 0 ? 0 : last - look;
	}
}

/*
 * Lives that are exponential with mean 1, begun at random times before the end. `look`: time
 * between two looks, at which deaths are found; 0: at once. Weights are 1 and 4 by turns.
 */
static void simulate(struct held *held, int n, double look, double age)
{
	struct survival_life lives[MANY];
	struct survival s;

	for (int i = 0; i < n; i++) {
		double lived = exponential(1), end = 4 * uniform();
		struct survival_life *l = &lives[i];
		l->weight = i % 2 ? 4 : 1;
		l->ended = lived < end;
		l->low = l->high = fmin(lived, end);
		if (look > 0)
			look_at(l, lived, end, look);
	}
	survival_make(&s, lives, (size_t)n);
	struct survival_point p = survival_at(&s, age);
	struct bounds_range range = survival_range(&p, Z95);
	struct estimate median = survival_age(&s, 0.5, Z95);
	held->share += range.low <= exp(-age) && exp(-age) <= range.high;
	held->median += median.range.low <= M_LN2 && M_LN2 <= median.range.high;
	survival_release(&s);
}

/*
 * At least 90 % where 95 % are meant, for few lives of unequal weight, too. Where deaths are found
 * late, the interval is wider than chance alone.
 */
static void test_coverage(void **state)
{
	static const double ages[] = { 0.1, 0.5, 1, 2, 3 }, looks[] = { 0, 0.2, 1 };
	static const int numbers[] = { 10, 40, MANY };
	enum { TRIALS = 500, LEAST = 450 };

	(void)state;
	for (size_t i = 0; i < sizeof ages / sizeof ages[0]; i++)
		for (size_t k = 0; k < sizeof looks / sizeof looks[0]; k++)
			for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++) {
				struct held held = { 0, 0 };
				for (int t = 0; t < TRIALS; t++)
					simulate(&held, numbers[j], looks[k], ages[i]);
				if (held.share < LEAST || held.median < LEAST)
					fail_msg("n %d, age %g, look %g: %d and %d of %d",
						 numbers[j], ages[i], looks[k], held.share,
						 held.median, TRIALS);
			}
}

int unit_survival(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_textbook), cmocka_unit_test(test_weights),
		cmocka_unit_test(test_none),	 cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_coverage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

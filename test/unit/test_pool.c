/* SPDX-License-Identifier: Apache-2.0 */
/* test_pool.c - shares of lines with little evidence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/rng.h"
#include "report/pool.h"

static const char text[] = "java.lang.String", box[] = "java.lang.Integer", other[] = "Node";

/* What a line without evidence is taken for; `last` is that line. */
static double of_last(struct pool_line *lines, size_t n)
{
	double result = NAN;

	for (size_t i = 0; i < n; i++)
		lines[i].line = i;
	pool_estimate(lines, n);
	for (size_t i = 0; i < n; i++)
		if (lines[i].line == n - 1)
			result = lines[i].estimate;
	return result;
}

static void lent(void **state)
{
	struct pool_line nothing[] = { { .class = text } };
	struct pool_line same[] = { { .class = text, .share = 1, .number = 1000 },
				    { .class = box, .share = 0, .number = 1000 },
				    { .class = text } };
	struct pool_line kinds[] = { { .class = text, .kind = 1, .share = 1, .number = 1000 },
				     { .class = box, .share = 0, .number = 1000 },
				     { .class = other, .kind = 1 } };
	struct pool_line own[] = { { .class = text, .share = 1, .number = 1000 },
				   { .class = text, .share = 0, .number = INFINITY } };

	(void)state;
	assert_true(isnan(pool_estimate(nothing, 1)) && nothing[0].estimate == 0);
	double share = of_last(same, 3);
	assert_true(share > 0.6 && share < 1); /* mostly as its class */
	share = of_last(kinds, 3);
	assert_true(share > 0.5 && share < 1); /* more as its kind than as the other */
	assert_true(of_last(own, 2) == 0);     /* as it is known */
}

/* On average lines are as they are, however few observations each has. */
static void on_average(void **state)
{
	enum { LINES = 400 };
	static struct pool_line lines[LINES];
	struct rng rng = { 3 };
	double truth = 0, told = 0;

	(void)state;
	for (size_t i = 0; i < LINES; i++) {
		double share = rng_unit(&rng) * rng_unit(&rng);
		unsigned n = 1 + rng_below(&rng, 6), hits = 0;
		for (unsigned k = 0; k < n; k++)
			hits += rng_unit(&rng) < share;
		lines[i] = (struct pool_line){ .class = i % 2 ? text : box,
					       .share = (double)hits / n,
					       .number = n };
		truth += share;
	}
	double error = pool_estimate(lines, LINES);
	for (size_t i = 0; i < LINES; i++)
		told += lines[i].estimate;
	assert_true(error > 0 && error < 0.05);
	assert_true(fabs(told - truth) < 4 * error * LINES);
}

int unit_pool(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(lent), cmocka_unit_test(on_average) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

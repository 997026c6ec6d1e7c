/* SPDX-License-Identifier: Apache-2.0 */
/* test_maths.c - the agent's own exp, expm1 and log1p against those of the C library. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agent/core/maths.h"

static void assert_near(const char *name, double x, double got, double want)
{
	if (isnan(want)		       ? !isnan(got)
	    : isinf(want) || want == 0 ? got != want
				       : !(fabs(got - want) <= 1e-15 * fabs(want)))
		fail_msg("%s(%a) is %a, not %a", name, x, got, want);
}

static void compare(double x)
{
	assert_near("expm1", x, maths_expm1(x), expm1(x));
	assert_near("log1p", x, maths_log1p(x), log1p(x));
	if (exp(x) == 0 || exp(x) >= exp(-708.39)) /* or it is less than a normal number */
		assert_near("exp", x, maths_exp(x), exp(x));
}

static void test_all_sizes(void **state)
{
	(void)state;
	for (double x = 1e-320; x < 1e308; x *= 1.037) {
		compare(x);
		compare(-x);
	}
}

static void test_close_steps(void **state)
{
	(void)state;
	for (int i = -75000; i <= 71000; i++)
		compare(i * 0.01);
	for (int i = -9999; i <= 10000; i++)
		compare(i * 0.0001);
}

static void test_ends(void **state)
{
	const double ends[] = { 0.0,
				-0.0,
				1,
				-1,
				INFINITY,
				-INFINITY,
				NAN,
				709.78,
				709.79,
				1e308,
				0x1.fffffffffffffp-2 };

	(void)state;
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		compare(ends[i]);
}

int unit_maths(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_sizes),
		cmocka_unit_test(test_close_steps),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_fix_expected.c - the interval of what several fixes avoid together. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fix/fix.h"
#include "fix/fix_amount.h"
#include "stats/bounds.h"

enum { SAMPLE = 1000 /* bytes that each sample stands for */ };

static struct fix_sum of_samples(double n)
{
	return (struct fix_sum){ .value = n * SAMPLE, .variance = n * SAMPLE * SAMPLE };
}

/* What is certain, of so many samples. */
static struct fix certain(double n)
{
	return (struct fix){ .sum = of_samples(n), .expected = n * SAMPLE };
}

static struct fixes all(struct fix *fix, size_t n)
{
	return (struct fixes){ .fix = fix, .n = n, .gains = n, .z = bounds_z(0.95) };
}

static void assert_range(struct estimate e, double low, double value, double high)
{
	assert_float_equal(e.value, value, 1e-6);
	assert_float_equal(e.range.low, low, 1e-6);
	assert_float_equal(e.range.high, high, 1e-6);
}

/* Samples of several fixes are one Poisson number: 400 samples and 600 are as 1000. */
static void test_certain(void **state)
{
	struct fix fix[] = { certain(400), certain(600), certain(500) };
	const struct fixes fixes = all(fix, 3);
	const struct fix_sum thousand = of_samples(1000);
	const struct estimate e = fix_estimate(&thousand, fixes.z);

	(void)state;
	assert_range(fixes_expected(&fixes, 2), e.range.low, e.value, e.range.high);
	assert_range(fixes_expected(&fixes, 0), 0, 0, 0);
	assert_float_equal(fixes_expected(&fixes, 9).value, 1500 * SAMPLE, 1e-6);
}

/* What a fix may need as well belongs to the upper end. */
static void test_remains(void **state)
{
	struct fix fix[] = { certain(100), certain(100) };
	const struct fixes fixes = all(fix, 2);
	const struct fix_sum more = of_samples(300);

	(void)state;
	fix[1].remains = of_samples(100);
	assert_float_equal(fixes_expected(&fixes, 2).range.high,
			   fix_estimate(&more, fixes.z).range.high, 1e-6);
}

/* Whether equal objects were equal before is one doubt: if it is wrong of one, it is of all. */
static void test_likely(void **state)
{
	struct fix fix[] = { { .likely = { 50, { 10, 90 } } },
			     { .likely = { 500, { 100, 700 } } } };
	const struct fixes fixes = all(fix, 2);

	(void)state;
	assert_range(fixes_expected(&fixes, 2), 110, 550, 790);
}

/* One fix has its own interval: errors of what is certain and of what is likely are independent. */
static void test_one(void **state)
{
	struct fix fix = certain(400);
	const struct fixes fixes = all(&fix, 1);

	(void)state;
	fix.likely = (struct estimate){ 50000, { 10000, 90000 } };
	fix.avoidable = fix_estimate(&fix.sum, fixes.z);
	fix_add(&fix.avoidable, &fix.likely);
	assert_range(fixes_expected(&fixes, 1), fix.avoidable.range.low, 450 * SAMPLE,
		     fix.avoidable.range.high);
}

/* Possible bytes count by their weight; none of them may be avoidable, or all, and more of these
 * may have been allocated. */
static void test_possible(void **state)
{
	struct fix_part part = { .all = of_samples(100),
				 .bytes = 100 * SAMPLE,
				 .possible = 50 * SAMPLE,
				 .weight = 0.4 };
	struct fix fix[] = { certain(400),
			     { .part = &part, .nparts = 1, .weighed = 0.4 * 50 * SAMPLE } };
	const struct fixes fixes = all(fix, 2);
	const struct fix_sum half = { 50 * SAMPLE, .variance = 25. * SAMPLE * SAMPLE };
	const struct estimate sure = fixes_expected(&fixes, 1), both = fixes_expected(&fixes, 2);

	(void)state;
	assert_range(both, sure.range.low, 420 * SAMPLE,
		     sure.range.high + fix_estimate(&half, fixes.z).range.high);
	assert_true(both.range.high > sure.range.high + 50 * SAMPLE);
}

/* Possible bytes that the interval of likely ones reaches to already do not count again. */
static void test_both(void **state)
{
	struct fix_part part = { .all = of_samples(100),
				 .bytes = 100 * SAMPLE,
				 .likely = { 40 * SAMPLE, { 30 * SAMPLE, 70 * SAMPLE } },
				 .possible = 30 * SAMPLE };
	struct fix fix = { .part = &part, .nparts = 1, .likely = part.likely };
	const struct fixes fixes = all(&fix, 1);

	(void)state;
	assert_range(fixes_expected(&fixes, 1), 30 * SAMPLE, 40 * SAMPLE, 70 * SAMPLE);
}

/* What a build's condition is about, and what the headline says of all, are one sum. */
static void test_same_sum(void **state)
{
	struct fix fix[] = { certain(400), certain(200) };
	struct fixes fixes = all(fix, 2);

	(void)state;
	fix[0].likely = (struct estimate){ 50000, { 10000, 90000 } };
	fix[1].likely = (struct estimate){ 30000, { 10000, 40000 } };
	fix[0].expected = 2; /* by which they are ranked */
	fix[1].expected = 1;
	fixes_rank(&fixes, true);
	const struct estimate sum = fixes_sum(&fixes).avoidable;
	assert_range(fixes_expected(&fixes, 2), sum.range.low, sum.value, sum.range.high);
	assert_true(fixes.likely.range.low == 20000 && fixes.likely.range.high == 130000);
}

/* What was counted has no error. */
static void test_counted(void **state)
{
	struct fix fix[] = { { .sum = { .value = 70 } }, { .sum = { .value = 30 } } };
	const struct fixes fixes = all(fix, 2);

	(void)state;
	assert_range(fixes_expected(&fixes, 2), 100, 100, 100);
}

int unit_fix_expected(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_certain),	 cmocka_unit_test(test_remains),
		cmocka_unit_test(test_likely),	 cmocka_unit_test(test_one),
		cmocka_unit_test(test_possible), cmocka_unit_test(test_counted),
		cmocka_unit_test(test_both),	 cmocka_unit_test(test_same_sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

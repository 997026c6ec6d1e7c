/* SPDX-License-Identifier: Apache-2.0 */
/* test_course.c - when an amount came, in few sums that become longer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/course.h"

enum { TENTHS = 10 };

static double sum_of(const double *sums, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += sums[i];
	return sum;
}

/* Nothing is lost, however long it becomes; and what is even stays so. */
static void test_even(void **state)
{
	struct course c = { 0 };

	(void)state;
	for (unsigned s = 3; s < 100003; s++) {
		course_add(&c, s, s + 1, 7);
		if (s != 4 && s != 50 && s != 1002 && s != 100002)
			continue;
		double tenth[TENTHS] = { 0 };
		course_spread(&c, 3, s + 1, tenth, TENTHS);
		assert_float_equal(sum_of(tenth, TENTHS), 7. * (s - 2), 1e-4 * s);
		for (size_t i = 0; i < TENTHS; i++)
			assert_float_equal(tenth[i], 0.7 * (s - 2), 1e-3 * s);
	}
}

/* A beginning, and a rest of the time in which nothing came. */
static void test_beginning(void **state)
{
	struct course c = { 0 };
	double tenth[TENTHS] = { 0 };

	(void)state;
	course_add(&c, 0, 10, 500);
	course_spread(&c, 0, 100, tenth, TENTHS);
	assert_float_equal(tenth[0], 500, 1e-3);
	assert_float_equal(sum_of(tenth + 1, TENTHS - 1), 0, 1e-9);
}

/* It began late, with a rest before the end. */
static void test_late(void **state)
{
	struct course c = { 0 };
	double tenth[TENTHS] = { 0 };

	(void)state;
	course_add(&c, 50, 60, 100);
	course_add(&c, 90, 100, 300);
	course_spread(&c, 0, 100, tenth, TENTHS);
	assert_float_equal(sum_of(tenth, 5), 0, 1e-9);
	assert_float_equal(sum_of(tenth + 5, 2), 100, 1e-3);
	assert_float_equal(tenth[7], 0, 1e-9);
	assert_float_equal(sum_of(tenth + 8, 2), 300, 1e-3);
}

/* What came in one moment, also in the first one and the very last one. */
static void test_moments(void **state)
{
	struct course c = { 0 };
	double tenth[TENTHS] = { 0 };

	(void)state;
	course_add(&c, 0, 0, 3);
	course_spread(&c, 0, 10, tenth, TENTHS);
	assert_float_equal(tenth[0], 3, 1e-6);
	course_add(&c, 10, 10, 5);
	double again[TENTHS] = { 0 };
	course_spread(&c, 0, 10, again, TENTHS);
	assert_float_equal(sum_of(again, TENTHS), 8, 1e-6);
	assert_float_equal(again[TENTHS - 1], 5, 1e-6);
}

/* Damage can lead back in time: what came is not lost. */
static void test_back(void **state)
{
	struct course c = { 0 };
	double tenth[TENTHS] = { 0 };

	(void)state;
	course_add(&c, 20, 21, 3);
	course_add(&c, 4, 5, 5);
	course_spread(&c, 20, 21, tenth, TENTHS);
	assert_float_equal(sum_of(tenth, TENTHS), 8, 1e-6);
}

int unit_course(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_even), cmocka_unit_test(test_beginning),
		cmocka_unit_test(test_late), cmocka_unit_test(test_moments),
		cmocka_unit_test(test_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

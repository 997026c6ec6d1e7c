/* SPDX-License-Identifier: Apache-2.0 */
/* test_fix_total.c - what all lines could do without, also those of few samples. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "fix/fix_total.h"
#include "fix_fixture.h"

#define HELPER "Ljava/util/Formatter$FormatSpecifier;"

enum { LINES = 40 };

/* Helpers of String.format at that line of a method of its own. */
static void format_at(struct fixture *f, unsigned line, double objects)
{
	char own[64];

	snprintf(own, sizeof own, "Lcom/acme/Shop; load%u %u", line, line);
	ALLOCATE(f, HELPER, objects, HELPERS, FORMAT, own);
}

/* A sample tells what the call decides, however few samples its line has. */
static void test_calls_of_few(void **state)
{
	struct fixture *f = *state;

	f->samples = 2;
	for (unsigned i = 0; i < LINES; i++)
		format_at(f, 10 + i, 200);
	find(f);
	assert_int_equal(f->fixes.gains, 0);
	assert_float_equal(fixes_sum(&f->fixes).avoidable.value, 0, 0);
	const struct fix_total t = fixes_total(&f->fixes);
	double all = LINES * 200.0 * SIZE;
	assert_float_equal(t.calls.value, all, 1e-6);
	assert_float_equal(t.value, all, 1e-6);
	/* 80 samples are one number, in how many lines they may be */
	assert_true(t.range.low > 0.75 * all && t.range.low < 0.85 * all);
	assert_float_equal(t.range.low, t.calls.range.low, 1e-6);
}

/* Of what nobody looked at, nothing is known but that all of it may be avoidable. */
static void test_nothing_known(void **state)
{
	struct fixture *f = *state;

	format_at(f, 10, 200);
	ALLOCATE(f, "Lcom/acme/Thing;", 800, NEXT);
	find(f);
	const struct fix_total t = fixes_total(&f->fixes);
	assert_true(isnan(t.value));
	assert_float_equal(t.calls.value, 200 * SIZE, 1e-6);
	assert_float_equal(t.range.low, t.calls.range.low, 1e-6);
	assert_float_equal(t.range.high, 1000 * SIZE, 1e-6);
}

/* Objects that were looked at and differ are not avoidable. */
static void test_known_to_differ(void **state)
{
	struct fixture *f = *state;

	format_at(f, 10, 200);
	uint32_t thing = ALLOCATE(f, "Lcom/acme/Thing;", 800, NEXT);
	for (uint32_t i = 1; i <= 200; i++)
		look(f, thing, i, 0);
	find(f);
	const struct fix_total t = fixes_total(&f->fixes);
	assert_float_equal(t.value, 200 * SIZE, 0.1 * 200 * SIZE);
	assert_true(t.range.high < 400 * SIZE);
}

/* Expressions that are likely to come again, and those of which nothing is known, are in it. */
static void test_expressions(void **state)
{
	struct fixture *f = *state;
	uint32_t pattern = ALLOCATE(f, "Ljava/util/regex/Pattern;", 400, COMPILE, SPLIT, OWN);

	format_at(f, 10, 600);
	for (uint32_t i = 0; i < 40; i++) {
		const struct wire_snapshot s = { .context = pattern,
						 .content = i,
						 .deep = i < 30 ? 7 : 1000 + i,
						 .weight = 1,
						 .ticket = i,
						 .flags = WIRE_DEEP };
		build_snapshot(&f->b, &s, &i, 1);
	}
	find(f);
	const struct fix_total t = fixes_total(&f->fixes);
	assert_float_equal(t.calls.value, 600 * SIZE, 1e-6);
	assert_float_equal(t.value, 900 * SIZE, 1e-6);
	assert_float_equal(t.value, fixes_sum(&f->fixes).expected, 1e-6);
	assert_float_equal(t.range.high, 1000 * SIZE, 1e-6);
}

/* Rows that are too small for a finding are as the others of their class. */
static void test_small(void **state)
{
	struct fixture *f = *state;

	format_at(f, 10, 1e6);
	find(f);
	double before = fixes_total(&f->fixes).value;
	fixes_release(&f->fixes);
	rows_release(&f->lines);
	f->samples = 1;
	for (unsigned i = 0; i < LINES; i++)
		format_at(f, 11 + i, 50);
	find(f);
	assert_float_equal(before, 1e6 * SIZE, 1e-3);
	assert_float_equal(fixes_total(&f->fixes).value, (1e6 + LINES * 50) * SIZE, 1e-3);
}

static bool is_line_10(const struct fix *fix, void *arg)
{
	(void)arg;
	return fix_first(fix)->line.line == 10;
}

/* What is accepted is in no sum. */
static void test_accepted(void **state)
{
	struct fixture *f = *state;

	format_at(f, 10, 500);
	format_at(f, 11, 200);
	find(f);
	fixes_take_out(&f->fixes, is_line_10, NULL);
	const struct fix_total t = fixes_total(&f->fixes);
	assert_float_equal(t.calls.value, 200 * SIZE, 1e-6);
	assert_true(t.range.high < 300 * SIZE);
}

int unit_fix_total(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_calls_of_few), TEST(test_nothing_known), TEST(test_known_to_differ),
		TEST(test_small),	 TEST(test_accepted),	   TEST(test_expressions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

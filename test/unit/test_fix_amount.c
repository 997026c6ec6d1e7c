/* SPDX-License-Identifier: Apache-2.0 */
/* test_fix_amount.c - how many bytes a fix avoids, by what is known of its objects. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fix/fix_amount.h"
#include "fix_fixture.h"

/* Of arrays that are mostly of length 0, only these are avoided, though the others are larger. */
static void test_empty_and_large(void **state)
{
	struct fixture *f = *state;

	f->length = 0;
	uint32_t id = ALLOCATE(f, "[B", 950, OWN);
	build_count(&f->b, id, 10000, 10016, 50, 50);
	assert_fix(find(f), "empty-array", ADVICE_CERTAIN, 950);
	assert_float_equal(f->fixes.bytes, 950 * SIZE + 50 * 10016, 1e-6);
}

/* Many small empty arrays and a large full one: the bytes count, not the arrays. */
static void test_unfilled(void **state)
{
	struct fixture *f = *state;
	const uint32_t slots[4] = { 0 };
	uint32_t id = ALLOCATE(f, "[I", 1000, OWN);

	for (uint32_t i = 0; i < 10; i++) {
		const struct wire_snapshot s = { .context = id,
						 .array_length = i ? 10 : 910,
						 .content = i,
						 .weight = 1,
						 .ticket = i,
						 .zeros = i ? 15 : 0,
						 .flags = WIRE_TWICE };
		build_snapshot(&f->b, &s, slots, 4);
	}
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(fix), "unfilled");
	assert_float_equal(fix->possible, 0.09 * 1000 * SIZE, 1e-6);
}

/* What was not looked at in the end is not possible either. */
static void test_not_looked_at(void **state)
{
	(void)state;
	static const struct advice_rule rule = { .name = "unproven", .removes = REMOVES_EQUAL };
	static struct advice advice;
	struct row row = { .replica = { .own.saved_bytes = NAN,
					.deep.saved_bytes = NAN,
					.own.saved_bytes_high = NAN,
					.deep.saved_bytes_high = NAN,
					.own.likely_bytes = NAN,
					.deep.likely_bytes = NAN,
					.own.likely_end_bytes = NAN,
					.saved_end_bytes = NAN } };
	struct fix_part part = { .row = &row, .advice = &advice, .rule = &rule, .bytes = 1000 };

	fix_measure(&part, 1.96);
	assert_float_equal(part.possible, 0, 1e-9);
	row.replica.saved_end_bytes = 600;
	fix_measure(&part, 1.96);
	assert_float_equal(part.possible, 600, 1e-9);
}

/* Rules see what objects differ in, though rows of a summary do not have that. */
static void test_summary(void **state)
{
	struct fixture *f = *state;
	uint32_t id = ALLOCATE(f, "Lcom/acme/BigMap;", 900, OWN);

	for (uint32_t i = 0; i < 40; i++) {
		const uint32_t slots[2] = { i, 7 };
		const struct wire_snapshot s = {
			.context = id, .content = i, .weight = 1, .ticket = i
		};
		build_snapshot(&f->b, &s, slots, 2);
	}
	const struct fix *fix = find_in(f, true);
	assert_int_equal(fix_first(fix)->advice->facts.ndiffering, 1);
}

/* A copy of constants that somebody changes is needed, whichever caller's was looked at. */
static void test_changed_constants(void **state)
{
	struct fixture *f = *state;
	uint32_t id;

	ALLOCATE(f, "[Lcom/acme/Color;", 100, "Lcom/acme/Color; values 1", OWN);
	assert_fix(find(f), "enum-values", ADVICE_CERTAIN, 100);
	fixes_release(&f->fixes);
	rows_release(&f->lines);
	id = ALLOCATE(f, "[Lcom/acme/Color;", 100, "Lcom/acme/Color; values 1", OWN,
		      "Lcom/acme/Shop; sort 60");
	for (uint32_t i = 0; i < 2; i++) {
		const struct wire_snapshot s = { .context = id,
						 .array_length = 1,
						 .content = i,
						 .deep = i,
						 .weight = 1,
						 .ticket = i,
						 .flags = WIRE_DEEP };
		build_snapshot(&f->b, &s, &i, 1);
	}
	find(f);
	assert_int_equal(f->fixes.worth, 0);
}

int unit_fix_amount(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_empty_and_large), TEST(test_unfilled),	  TEST(test_not_looked_at),
		TEST(test_summary),	    TEST(test_changed_constants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_fix_course.c - whether a fix is about the beginning of the program alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fix/fix_course.h"
#include "fix_fixture.h"
#include "render/export.h"
#include "render/report.h"

/* Feeds what was built as the records of a flush. */
static void flush_at(struct fixture *f, unsigned seconds)
{
	model_set_time(f->model, seconds * 1000000000ull);
	assert_int_equal(builder_feed(&f->b, f->model, 1), 0);
}

/* Much in the beginning alone; some that pauses; less that goes on. */
static void make_course(struct fixture *f)
{
	ALLOCATE(f, "[I", 900, HELPERS, FORMAT, "Lcom/acme/Shop; begin 7");
	f->samples = 6;
	ALLOCATE(f, "[I", 500, HELPERS, FORMAT, "Lcom/acme/Shop; pause 8");
	f->samples = 100;
	uint32_t id = ALLOCATE(f, "[I", 50, HELPERS, FORMAT, OWN);
	flush_at(f, 2);
	for (unsigned s = 12; s <= 42; s += 10) {
		build_count(&f->b, id, f->length, SIZE, 50, 50);
		flush_at(f, s);
	}
}

/* What was made in the beginning alone comes last, though it is more; few samples prove nothing. */
static void test_beginning(void **state)
{
	struct fixture *f = *state;

	make_course(f);
	const struct fix *fix = find(f);
	assert_fix(&fix[0], "format", ADVICE_CERTAIN, 500);
	assert_float_equal(fix[0].until_s, 0, 0);
	assert_fix(&fix[1], "format", ADVICE_CERTAIN, 250);
	assert_float_equal(fix[1].until_s, 0, 0);
	assert_fix(&fix[2], "format", ADVICE_CERTAIN, 900);
	assert_float_equal(fix[2].until_s, 2, 1e-9);
	assert_int_equal(f->fixes.gains, 3);
	fixes_rank(&f->fixes, true);
	assert_fix(&fix[0], "format", ADVICE_CERTAIN, 900);
	assert_int_equal(fix[0].rank, 1);
}

/* --percent-limit leaves out what avoids little, wherever it stands. */
static void test_limit(void **state)
{
	struct fixture *f = *state;

	make_course(f);
	find(f);
	const struct report r = { .fixes = &f->fixes,
				  .ranked = f->fixes.n,
				  .least_avoidable = 300 * SIZE };
	assert_true(export_has_fix(&r, 0));
	assert_false(export_has_fix(&r, 1));
	assert_true(export_has_fix(&r, 2)); /* that of the beginning */
	const struct report larger = { .fixes = &f->fixes,
				       .ranked = f->fixes.n,
				       .least_avoidable = 1000 * SIZE };
	for (size_t i = 0; i < f->fixes.n; i++)
		assert_false(export_has_fix(&larger, i));
}

/* A fix that ends, and one that goes on: their bytes a second over the time of the JVM. */
static void test_course(void **state)
{
	struct fixture *f = *state;
	struct fix_course course;
	double sum = 0;

	ALLOCATE(f, "[I", 900, HELPERS, FORMAT, "Lcom/acme/Shop; begin 7");
	uint32_t id = ALLOCATE(f, "[I", 50, HELPERS, FORMAT, OWN);
	flush_at(f, 1);
	for (unsigned s = 2; s <= 30; s++) {
		build_count(&f->b, id, f->length, SIZE, 50, 50);
		flush_at(f, s);
	}
	const struct fix *fix = find(f);
	assert_fix(&fix[0], "format", ADVICE_CERTAIN, 1500);
	assert_true(fix_course(fix[0].part, fix[0].nparts, &course));
	assert_float_equal(course.from_s, 0, 1e-9);
	assert_float_equal(course.to_s, 30, 1e-9);
	for (size_t i = 0; i < FIX_COURSE; i++)
		assert_float_equal(course.rate[i], 50 * SIZE, 50 * SIZE * 0.01);
	assert_fix(&fix[1], "format", ADVICE_CERTAIN, 900);
	assert_true(fix_course(fix[1].part, fix[1].nparts, &course));
	assert_float_equal(course.rate[0], 900. * SIZE / 3, 900 * SIZE * 0.01);
	for (size_t i = 0; i < FIX_COURSE; i++)
		sum += course.rate[i] * 3;
	assert_float_equal(sum, 900 * SIZE, 1e-3);
}

/* Without times, as in a live table, there is no course. */
static void test_no_course(void **state)
{
	struct fixture *f = *state;
	struct fix_course course;

	ALLOCATE(f, "[I", 900, HELPERS, FORMAT, OWN);
	const struct fix *fix = find(f);
	assert_false(fix_course(fix[0].part, fix[0].nparts, &course));
}

int unit_fix_course(void)
{
	const struct CMUnitTest tests[] = { TEST(test_beginning), TEST(test_limit),
					    TEST(test_course), TEST(test_no_course) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_fix_rows.c - what fixes avoid of rows of any grouping, and rows that are sorted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fix/fix_rows.h"
#include "fix_fixture.h"
#include "report/columns.h"

static bool take_all(const struct fix *fix, void *arg)
{
	(void)fix;
	(void)arg;
	return true;
}

/* Rows have what fixes avoid of them, whatever their grouping; what is accepted does not count. */
static void test_rows(void **state)
{
	struct fixture *f = *state;
	const struct rows_options by_class = { .grouping = ROWS_BY_CLASS,
					       .replica = REPLICA_OPTIONS_INIT,
					       .lazy = true };
	struct rows classes;

	ALLOCATE(f, "[B", 300, OWN);
	ALLOCATE(f, "[I", 100, HELPERS, FORMAT, OWN);
	ALLOCATE(f, "[B", 200, HELPERS, FORMAT, NEXT);
	find(f);
	rows_make(&classes, f->model, &by_class);
	assert_true(isnan(rows_at(&classes, 0)->avoidable));
	fixes_tell_rows(&f->fixes, f->model, &classes);
	fixes_tell_rows(&f->fixes, f->model, &f->lines);
	assert_int_equal(classes.table.n, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct row *row = rows_at(&classes, i);
		double objects = strcmp(row_class(row), "int[]") == 0 ? 100 : 200;
		assert_float_equal(row->avoidable, objects * SIZE, 1e-6);
	}
	assert_int_equal(f->lines.table.n, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct row *row = rows_at(&f->lines, i);
		double objects = row->replica.objects == 300 ? 0 : row->replica.objects;
		assert_float_equal(row->avoidable, objects * SIZE, 1e-6);
	}
	fixes_take_out(&f->fixes, take_all, NULL);
	fixes_tell_rows(&f->fixes, f->model, &classes);
	assert_float_equal(rows_at(&classes, 0)->avoidable, 0, 1e-9);
	rows_release(&classes);
}

/* A row of which all is only possible says so; it has no number. */
static void test_possible(void **state)
{
	static const struct style style = { .utf8 = false };
	static const struct cell_context ctx = { .min_pairs = 30, .style = &style };
	struct fixture *f = *state;
	char cell[32] = "";

	f->samples = 4; /* too few for more */
	ALLOCATE(f, "[I", 100, HELPERS, FORMAT, OWN);
	f->samples = 100;
	ALLOCATE(f, "[B", 300, HELPERS, FORMAT, "Lcom/acme/Shop; store 7");
	find(f);
	fixes_tell_rows(&f->fixes, f->model, &f->lines);
	for (size_t i = 0; i < 2; i++) {
		const struct row *row = rows_at(&f->lines, i);
		bool few = strcmp(row_class(row), "int[]") == 0;
		FILE *out = fmemopen(cell, sizeof cell, "w");
		column_put_cell(out, column_find("avoidable"), row, &ctx);
		fclose(out);
		assert_int_equal(row->possible, few);
		assert_string_equal(cell, few ? "possibly" : "7.0 kB");
	}
}

/* Fixes follow rows that are sorted. */
static void test_sorted_rows(void **state)
{
	static const struct cell_context ctx = { .min_pairs = 30 };
	struct fixture *f = *state;

	ALLOCATE(f, "[B", 300, OWN);
	ALLOCATE(f, "[I", 100, HELPERS, FORMAT, OWN);
	ALLOCATE(f, "[S", 200, HELPERS, FORMAT, NEXT);
	find(f);
	fixes_tell_rows(&f->fixes, f->model, &f->lines);
	columns_sort(&f->lines, column_find("avoidable"), &ctx);
	fixes_follow_rows(&f->fixes, &f->lines, f->model);
	assert_string_equal(row_class(rows_at(&f->lines, 0)), "short[]");
	assert_string_equal(row_class(rows_at(&f->lines, 1)), "int[]");
	assert_string_equal(row_class(rows_at(&f->lines, 2)), "byte[]");
	for (size_t i = 0; i < f->fixes.nparts; i++) {
		const struct fix_part *part = &f->fixes.part[i];
		assert_string_equal(row_class(part->row), part->class_name);
	}
}

int unit_fix_rows(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_rows),
		TEST(test_possible),
		TEST(test_sorted_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

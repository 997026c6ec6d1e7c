/* SPDX-License-Identifier: Apache-2.0 */
/* test_screen_fixes.c - findings on a screen: their texts, the cursor, and their rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fix_fixture.h"
#include "live/screen_fixes.h"
#include "live/screen_table.h"

static const struct style plain = { .utf8 = true, .width = 80 };

/* Five findings, the first with two classes at two lines. */
static void take(struct fixture *f, struct screen_fixes *to)
{
	static const char *const method[] = { "Lcom/acme/Shop; a 1", "Lcom/acme/Shop; b 2",
					      "Lcom/acme/Shop; c 3", "Lcom/acme/Shop; d 4" };

	ALLOCATE(f, "[I", 9000, HELPERS, FORMAT, OWN);
	ALLOCATE(f, "Ljava/util/regex/Matcher;", 8000, HELPERS, FORMAT, NEXT);
	for (int i = 0; i < 4; i++)
		ALLOCATE(f, "[I", 1000 - 100 * i, HELPERS, FORMAT, method[i]);
	ALLOCATE(f, "[B", 5, "Ljava/lang/String; getBytes 1", OWN);
	find(f);
	const struct recording recording = { .model = f->model };
	const struct report report = { .recording = &recording,
				       .rows = &f->lines,
				       .lines = &f->lines,
				       .fixes = &f->fixes,
				       .confidence = 0.95 };
	screen_fixes_take(to, &report, &plain);
}

static void test_texts(void **state)
{
	struct screen_fixes shown = { .n = 0 };

	take(*state, &shown);
	assert_int_equal(shown.n, 5);
	assert_int_equal(screen_fixes_seen(&shown), 3);
	assert_ptr_equal(strstr(shown.sum, "The first three fixes avoid "), shown.sum);
	assert_ptr_equal(strstr(shown.fix[0].line, "1. Shop.load:49, 50: "), shown.fix[0].line);
	assert_non_null(strstr(shown.fix[0].line, " avoidable, certain. "));
	assert_null(strchr(shown.fix[0].line, '\n'));
	assert_non_null(strstr(shown.fix[0].page, "Problem:"));
	assert_non_null(strstr(shown.fix[0].page, "Test.java:50"));
	assert_non_null(strstr(shown.fix[0].page, "Matcher"));
	assert_int_equal(shown.fix[0].made.line, 49);
	screen_fixes_release(&shown);
}

static void test_cursor(void **state)
{
	struct screen_fixes shown = { .n = 0 };

	assert_null(screen_fixes_at(&shown));
	assert_false(screen_fixes_move(&shown, 1));
	take(*state, &shown);
	assert_ptr_equal(screen_fixes_at(&shown), &shown.fix[0]);
	assert_false(screen_fixes_move(&shown, -1));
	assert_true(screen_fixes_move(&shown, 3));
	assert_int_equal(shown.top, 1);
	assert_false(screen_fixes_move(&shown, 2));
	assert_true(screen_fixes_move(&shown, 1));
	assert_int_equal(shown.top, 2);
	assert_true(screen_fixes_move(&shown, -4));
	assert_int_equal(shown.top, 0);
	screen_fixes_release(&shown);
}

/* The table shows just the rows that a finding is about, also after they were sorted. */
static void test_rows(void **state)
{
	const struct cell_context ctx = { .style = &plain, .min_pairs = 5, .confidence = 0.95 };
	struct fixture *f = *state;
	struct screen_fixes shown = { .n = 0 };
	struct screen_table table;

	take(f, &shown);
	screen_table_begin(&table, COLUMN_BROWSER, column_find("bytes"));
	assert_int_equal(screen_table_set_rows(&table, &f->lines, &ctx), 0);
	assert_int_equal(table.n, 7);
	const struct screen_fix *first = screen_fixes_at(&shown);
	assert_int_equal(first->ncontexts, 2);
	assert_int_equal(screen_table_set_contexts(&table, first->contexts, first->ncontexts), 0);
	assert_int_equal(table.n, 2);
	assert_int_equal(screen_table_set_filter(&table, "Matcher"), 0);
	assert_int_equal(table.n, 1);
	assert_int_equal(screen_table_set_contexts(&table, NULL, 0), 0);
	assert_int_equal(table.n, 1);
	assert_int_equal(screen_table_set_filter(&table, ""), 0);
	assert_int_equal(table.n, 7);
	screen_table_release(&table);
	screen_fixes_release(&shown);
}

int unit_screen_fixes(void)
{
	const struct CMUnitTest tests[] = { TEST(test_texts), TEST(test_cursor), TEST(test_rows) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_screen.c - what a report begins with: the sum, the best findings, the lines that are worth a
 * look, one sentence about all others. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report_fixture.h"

static const struct total total = { .bytes = 100 << 20,
				    .saved = 30 << 20,
				    .range = { 20 << 20, 40 << 20 },
				    .end = 5 << 20,
				    .decided = 60 << 20,
				    .unknown = 1 };
static struct best best;

/* A report by line: Shop.java:20 makes Points that can be shared, another line bytes that differ, a
 * third something of which little is known. */
static int setup(void **state)
{
	struct report_fixture *f = malloc(sizeof *f);

	assert_non_null(f);
	report_fixture_init(f);
	for (size_t i = 0; i < f->rows.table.n; i++)
		rows_at(&f->rows, i)->first = rows_at(&f->rows, i)->line = 0;
	rows_at(&f->rows, 0)->first = rows_at(&f->rows, 0)->line = 1;
	rows_at(&f->rows, 2)->replica.scanned = 4;
	rows_at(&f->rows, 2)->replica.decision.missing = 12;
	f->report.lines = &f->rows;
	f->report.total = &total;
	f->report.best = &best;
	f->report.grouping = ROWS_BY_LINE;
	f->report.key = column_find("likely");
	f->report.only_worth = true;
	f->report.worth = f->report.shown = rows_put_worth_first(&f->rows);
	best = (struct best){ .row = { rows_at(&f->rows, 0) }, .n = 1 };
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	report_fixture_release(*state);
	free(*state);
	return 0;
}

/* After the results of rows were changed. */
static void forget_advice(struct report_fixture *f)
{
	for (size_t i = 0; i < f->rows.table.n; i++)
		row_forget_advice(rows_at(&f->rows, i));
}

static void assert_holds(struct report_fixture *f, unsigned width, const char *const *parts)
{
	const struct style style = { .utf8 = true, .width = width };
	char *text = report_fixture_text(f, &style);

	for (; *parts; parts++)
		if (!strstr(text, *parts))
			fail_msg("'%s' is not in:\n%s", *parts, text);
	free(text);
}

/* clang-format off */
static void test_begins(void **state)
{
	static const char begins[] =
		"42.8 MB allocated in 12.3 s by com.acme.Shop (JDK 17, G1): 4 pauses, 3.1 % of the time\n"
		"At least 20.0 MB of 100 MB (20.0 %) is duplicate; likely 30.0 MB, at most 40.0 MB of what was looked at.\n"
		"60.0 % of the bytes have a verdict; another 5.0 MB is alike at the end of life, and not proven to be before.\n"
		"\n"
		"1.  Shop.java:20 makes 30.5 MB of Point, 30.5 % of all bytes; merging saves likely 29.0 MB (29.0 % of all), at\n"
		"    least 29.0 MB.\n"
		"    Problem:  ArrayList.grow at Shop.load:20 makes the same Point again and again.\n"
		"    Fix:      Call it less often, or keep the result where the arguments are the same.\n"
		"\n"
		"# 1 of 3 lines with something to save or to fix, sorted by likely\n";
	const struct style style = { .utf8 = true };
	char *text = report_fixture_text(*state, &style);

	text[strlen(begins)] = '\0';
	assert_string_equal(text, begins);
	free(text);
}
/* clang-format on */

static void test_table(void **state)
{
	static const char *const wide[] = {
		"\n#    saved   likely    bytes  share %  objects  verdict  line          class\n",
		"\n1  29.0 MB  29.0 MB  30.5 MB     30.5    1.0 M  replica  Shop.java:20  "
		"com.acme.Point\n",
		"\n1 line holds nothing to save; 1 needs more evidence (62.5 kB; half of it "
		"after about 37",
		"Señor (62.5 kB, 37",
		"\n1. com.acme.Point at ArrayList.grow:10 ← Shop.load:20\n    problem ",
		NULL
	};
	static const char *const narrow[] = {
		"\n1  29.0 MB  29.0 MB  30.5 MB     30.5    1.0 M  replica  Shop.java:20  Point\n",
		NULL
	};
	struct report_fixture *f = *state;
	const struct style style = { .utf8 = true };

	assert_holds(f, 0, wide);
	assert_holds(f, 80, narrow);
	char *text = report_fixture_text(f, &style);
	assert_null(strstr(text, "\n2. ")); /* blocks are of lines that are shown */
	assert_null(strstr(text, "\xce\xb8 % ["));
	free(text);
	f->report.stats = true;
	text = report_fixture_text(f, &style);
	assert_non_null(strstr(text, "\xce\xb8 % ["));
	free(text);
}

/* What else the fix concerns. */
static void test_also(void **state)
{
	static const char *const one[] = { "the arguments are the same.\n"
					   "    Also:     1.0 MB of byte[] made at the same line, "
					   "1.0 % of all bytes: the same "
					   "fix.\n",
					   NULL };
	static const char *const several[] = { "1.0 MB of byte[] and 2 other classes made", NULL };
	struct report_fixture *f = *state;

	best.also[0] = (struct best_also){ rows_at(&f->rows, 1), 1, 1 << 20 };
	assert_holds(f, 0, one);
	best.also[0].n = 3;
	assert_holds(f, 0, several);
}

/* The number of a line is there at every width; no class is half a package. */
static void test_every_width(void **state)
{
	struct report_fixture *f = *state;
	struct model_frame *frame = &rows_at(&f->rows, 0)->row.stack[0].frames[1];

	frame->file = "AVeryLongNameOfASourceFileThatHasNoRoomAnywhere.java";
	for (unsigned width = 60; width < 160; width++) {
		const struct style style = { .utf8 = true, .width = width };
		char *text = report_fixture_text(f, &style);
		char *row = strstr(text, "\n1  29.0 MB");
		assert_non_null(row);
		row[1 + strcspn(row + 1, "\n")] = '\0';
		assert_non_null(strstr(row, ":20  "));
		assert_true(strstr(row, "  Point") || strstr(row, "  com.acme.Point"));
		free(text);
	}
}

/* Nothing is proven: what was seen, what it takes, and the likeliest. */
static void test_nothing_proven(void **state)
{
	static const struct total nothing = { .bytes = 100 << 20, .unknown = 3 };
	static const char *const parts[] = {
		"Nothing of the 100 MB allocated is proven to be duplicate: 601 objects of 3 lines "
		"were sampled, 510 of them",
		"\n# the likeliest of 3 lines; nothing is proven of any\n",
		"  unknown (12 more snapshots)  ", "2 need more evidence", NULL
	};
	struct report_fixture *f = *state;

	for (size_t i = 0; i < f->rows.table.n; i++) {
		struct replica *x = &rows_at(&f->rows, i)->replica;
		x->verdict = x->verdict_deep = VERDICT_UNKNOWN;
		x->saved_bytes = x->saved_deep_bytes = x->likely_bytes = NAN;
		x->decision.missing = 12;
	}
	forget_advice(f);
	assert_int_equal(rows_put_worth_first(&f->rows), 0);
	rows_put_likeliest_first(&f->rows);
	assert_string_equal(row_class(rows_at(&f->rows, 0)), "com.acme.Point");
	f->report.worth = 0;
	f->report.shown = 1;
	f->report.total = &nothing;
	best.n = 0;
	assert_holds(f, 0, parts);
}

/* What is worth a look keeps its order, and so do the others. */
static void test_order(void **state)
{
	struct report_fixture *f = *state;

	rows_at(&f->rows, 0)->replica.saved_bytes = rows_at(&f->rows, 0)->replica.saved_deep_bytes =
		0;
	rows_at(&f->rows, 0)->replica.verdict = rows_at(&f->rows, 0)->replica.verdict_deep =
		VERDICT_DISTINCT;
	rows_at(&f->rows, 2)->replica.saved_bytes = 10;
	forget_advice(f);
	assert_int_equal(row_worth(rows_at(&f->rows, 0)), WORTH_NOTHING);
	assert_int_equal(row_worth(rows_at(&f->rows, 1)), WORTH_NOTHING);
	assert_int_equal(row_worth(rows_at(&f->rows, 2)), WORTH_SAVE);
	assert_int_equal(rows_put_worth_first(&f->rows), 1);
	assert_int_equal(rows_at(&f->rows, 0)->replica.saved_bytes, 10);
	assert_string_equal(row_class(rows_at(&f->rows, 1)), "com.acme.Point");
	assert_string_equal(row_class(rows_at(&f->rows, 2)), "byte[]");
}

static void find_best(struct report_fixture *f, struct best *found)
{
	const struct rows_options options = { .grouping = ROWS_BY_LINE };

	forget_advice(f);
	rows_find_best(found, &f->rows, f->model, &options);
}

/* A line that says the same twice is one finding. */
static void test_best(void **state)
{
	struct report_fixture *f = *state;
	struct best found;

	rows_at(&f->rows, 1)->replica.verdict = VERDICT_REPLICA;
	rows_at(&f->rows, 1)->replica.saved_bytes = rows_at(&f->rows, 1)->replica.likely_bytes =
		1e9;
	find_best(f, &found);
	assert_int_equal(found.n, 2);
	assert_ptr_equal(found.row[0], rows_at(&f->rows, 1));
	assert_ptr_equal(found.row[1], rows_at(&f->rows, 0));
	rows_at(&f->rows, 2)->replica.verdict = VERDICT_REPLICA;
	rows_at(&f->rows, 2)->replica.saved_bytes = rows_at(&f->rows, 2)->replica.likely_bytes = 10;
	find_best(f, &found);
	assert_int_equal(found.n, 3);

	struct model_frame *frames = rows_at(&f->rows, 0)->row.stack[0].frames, inner = frames[0];
	frames[0] = frames[1];
	rows_at(&f->rows, 0)->line = 0;
	find_best(f, &found);
	assert_int_equal(found.n, 2);
	assert_ptr_equal(found.row[1], rows_at(&f->rows, 0));
	assert_int_equal(found.also[0].n, 0);
	assert_int_equal(found.also[1].n, 1);
	assert_ptr_equal(found.also[1].largest, rows_at(&f->rows, 2));
	assert_float_equal(found.also[1].bytes, rows_at(&f->rows, 2)->replica.bytes, 0);
	frames[0] = inner;
}

int unit_screen(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_begins, setup, teardown),
		cmocka_unit_test_setup_teardown(test_table, setup, teardown),
		cmocka_unit_test_setup_teardown(test_also, setup, teardown),
		cmocka_unit_test_setup_teardown(test_every_width, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing_proven, setup, teardown),
		cmocka_unit_test_setup_teardown(test_order, setup, teardown),
		cmocka_unit_test_setup_teardown(test_best, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

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

#include "base/memtext.h"
#include "fix/fix.h"
#include "render/render_fix.h"
#include "report_fixture.h"

static const struct total total = { .bytes = 100 << 20,
				    .saved = 30 << 20,
				    .range = { 20 << 20, 40 << 20 },
				    .end = 5 << 20,
				    .decided = 60 << 20,
				    .unknown = 1 };
/* A finding of two rows at a line, and a line of which no fix is known. */
static struct fix_part made[3];
static struct fix fix[2];
static struct fixes fixes;

static void set_kind(enum advice_kind kind)
{
	fix[0].kind = kind;
	fix[0].certain = kind == ADVICE_CERTAIN ? fix[0].avoidable : (struct estimate){ 0 };
	fix[0].likely = kind == ADVICE_LIKELY ? fix[0].avoidable : (struct estimate){ 0 };
	fix[0].sum = (struct fix_sum){ .value = fix[0].certain.value };
	fix[0].weighed = kind == ADVICE_POSSIBLE ? fix[0].expected : 0;
}

static void make_fixes(struct report_fixture *f)
{
	const struct row *row = rows_at(&f->rows, 0);
	const struct advice *advice = row_advice(row);

	for (size_t i = 0; i < 3; i++)
		made[i] = (struct fix_part){ .row = rows_at(&f->rows, i == 2),
					     .advice = (struct advice *)advice,
					     .rule = i < 2 ? advice->rule : NULL,
					     .class_name = i == 1 ? "byte[]" : row_class(row),
					     .line = *row_line(row),
					     .bytes = 10 << 20 };
	fix[0] = (struct fix){ .rule = advice->rule,
			       .part = made,
			       .nparts = 2,
			       .bytes = 20 << 20,
			       .avoidable = { 15 << 20, { 10 << 20, 18 << 20 } },
			       .expected = 15 << 20 };
	fix[1] = (struct fix){ .part = made + 2, .nparts = 1, .bytes = 10 << 20, .large = true };
	set_kind(ADVICE_CERTAIN);
	fixes = (struct fixes){
		.fix = fix, .n = 2, .gains = 1, .bytes = 100 << 20, .certain = fix[0].certain
	};
}

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
	rows_at(&f->rows, 2)->replica.own.scanned = 4;
	rows_at(&f->rows, 2)->replica.own.decision.missing = 12;
	f->report.lines = &f->rows;
	f->report.total = &total;
	f->report.grouping = ROWS_BY_LINE;
	f->report.key = column_find("likely");
	f->report.only_gains = true;
	f->report.gains = f->report.shown = rows_put_gains_first(&f->rows);
	make_fixes(f);
	f->report.fixes = &fixes;
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
		"The first fix avoids 15.0 MB (15.0 %), of which 15.0 MB is certain. All lines: 10.0 MB to 15.0 MB.\n"
		"\n"
		"1.  Shop.load:20 makes 20.0 MB (20.0 % of all); 15.0 MB avoidable (10.0 MB to 18.0 MB), certain.\n"
		"    Problem:  ArrayList.grow at Shop.load:20 makes the same Point again and again.\n"
		"    Fix:      Call it less often, or keep the result where the arguments are the same.\n"
		"    Made:     Point 10.0 MB, byte[] 10.0 MB\n"
		"\xe2\x80\x93   Shop.load:20 makes 10.0 MB (10.0 % of all); no fix is known.\n"
		"    Known:    Most of these Point differ: only making fewer helps.\n"
		"\n"
		"At least 20.0 MB of 100 MB (20.0 %) is duplicate; likely 30.0 MB, at most 40.0 MB as far as a sample tells.\n"
		"60.0 % of the bytes have a verdict; at least another 5.0 MB is alike at the end of life, and not proven to be\n"
		"    before.\n"
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
		"\n#    saved   likely  avoidable    bytes  share %  objects  verdict  line          class\n",
		"\n1  29.0 MB  29.0 MB    15.0 MB  30.5 MB     30.5    1.0 M  replica  Shop.java:20  "
		"com.acme.Point\n",
		"\n1 line holds nothing to save; 1 needs more evidence (62.5 kB; half of it "
		"after about 37",
		"Señor (62.5 kB, 37",
		"\n1. com.acme.Point at ArrayList.grow:10 ← Shop.load:20\n    problem ",
		NULL
	};
	static const char *const narrow[] = {
		"\n1  29.0 MB  29.0 MB    15.0 MB  30.5 MB     30.5  replica  Shop.java:20  Point\n",
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

/* How sure it is, and what was seen of what is only possible. */
static void test_kinds(void **state)
{
	static const char *const likely[] = {
		"; likely 15.0 MB avoidable (10.0 MB to 18.0 MB).\n",
		"The first fix avoids 15.0 MB (10.0 MB to 18.0 MB, 15.0 %), none of it certain.",
		NULL
	};
	static const char *const both[] = { "18.0 MB), 5.0 MB of it\n    certain.", NULL };
	static const char *const possible[] = {
		"; possibly 12.0 MB avoidable: none was seen twice.", NULL
	};
	static const char *const looked[] = { "; possibly 12.0 MB avoidable: 30 of 31 seen twice "
					      "had not\n    changed.",
					      NULL };
	struct report_fixture *f = *state;

	set_kind(ADVICE_LIKELY);
	fixes.certain = fix[0].certain;
	fixes.possible = fix[0].possible = 12 << 20;
	assert_holds(f, 0, likely);
	fix[0].certain.value = 5 << 20;
	assert_holds(f, 0, both);
	set_kind(ADVICE_POSSIBLE);
	fix[0].avoidable = (struct estimate){ 0 };
	assert_holds(f, 0, possible);
	fix[0].looked = 31;
	fix[0].agreed = 30;
	assert_holds(f, 0, looked);
}

/* What was seen to change is not called possible, in one line either. */
static void test_refuted(void **state)
{
	static const char *const refuted[] = { "; none of it avoidable as it is: all of 31 seen "
					       "twice had\n    changed.",
					       NULL };
	const struct style plain = { .utf8 = true };
	struct report_fixture *f = *state;
	struct memtext text;

	set_kind(ADVICE_POSSIBLE);
	fix[0].avoidable = (struct estimate){ 0 };
	fix[0].expected = 0;
	fix[0].possible = 12 << 20;
	fix[0].looked = 31;
	fix[0].agreed = 30;
	fix_put_short(memtext_begin(&text), &f->report, &plain, 0);
	assert_non_null(
		strstr(memtext_end(&text), "12.0 MB (12.0 %) avoidable, possible. Call it"));
	free(text.text);
	fix[0].agreed = 0;
	fix_put_short(memtext_begin(&text), &f->report, &plain, 0);
	assert_string_equal(memtext_end(&text),
			    "1. Shop.load:20: 20.0 MB (20.0 %) made, none of it "
			    "avoidable as it is: all of 31 seen twice had "
			    "changed");
	free(text.text);
	assert_holds(f, 0, refuted);
}

/* What a finding makes is told once: its only class, which the problem names, has all its bytes. */
static void test_told_once(void **state)
{
	const struct style style = { .utf8 = true };
	struct report_fixture *f = *state;

	fix[0].nparts = 1;
	char *text = report_fixture_text(f, &style);
	assert_null(strstr(text, "Made:"));
	free(text);
	/* "Strings of the same text are made at Shop.load:20": that is where, and not what */
	fix[0].rule = advice_rule_named("text");
	made[0].class_name = "com.acme.Shop";
	static const char *const unnamed[] = { "\n    Made:     Shop 10.0 MB\n", NULL };
	assert_holds(f, 0, unnamed);
}

/* Where the sum is of one line, it says why the line's own estimate is less. */
static void test_one_line(void **state)
{
	static const char *const less[] = {
		" tells;\n    its row has 20.0 MB, without one object of ", NULL
	};
	struct report_fixture *f = *state;
	struct rows one = f->rows;
	struct replica *x = &rows_at(&f->rows, 0)->replica;

	x->own.likely_bytes = x->deep.likely_bytes = 20 << 20;
	one.table.n = 1;
	f->report.lines = &one;
	assert_holds(f, 0, less);
	x->own.likely_bytes = x->deep.likely_bytes = 30 << 20;
	char *text = report_fixture_text(f, &(struct style){ .utf8 = true });
	assert_null(strstr(text, "its row"));
	free(text);
}

/* Further ones have a line each; as many in full as --limit says. */
static void test_many(void **state)
{
	static const char *const next[] = { "\n4.  Shop.load:20, 20.0 MB: ", "\n8.  Shop.load:20, ",
					    "\n32 more findings; --limit 0 shows all\n",
					    "; all 40 found so far ", NULL };
	static struct fix many[40];
	struct report_fixture *f = *state;

	for (size_t i = 0; i < 40; i++)
		many[i] = fix[0];
	fixes.fix = many;
	fixes.n = fixes.gains = 40;
	assert_holds(f, 0, next);
	f->report.limited = true;
	f->report.limit = 1;
	char *text = report_fixture_text(f, &(struct style){ .utf8 = true });
	assert_null(strstr(text, "\n2.  Shop.load"));
	assert_non_null(strstr(text, "\n39 more findings"));
	free(text);
	/* however few lines the table has */
	f->report.limit = SIZE_MAX;
	text = report_fixture_text(f, &(struct style){ .utf8 = true });
	assert_non_null(strstr(text, "\n40.  Shop.load:20 makes"));
	assert_null(strstr(text, "more findings"));
	free(text);
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
		"No fix is known yet: record for longer, or with a larger --budget.",
		"Nothing of the 100 MB allocated is proven to be duplicate: 60 objects of 3 lines "
		"were sampled, 51 of them",
		"\n# the likeliest of 3 lines; nothing is proven of any\n",
		"  unknown (12 more snapshots)  ",
		"2 need more evidence",
		NULL
	};
	struct report_fixture *f = *state;

	for (size_t i = 0; i < f->rows.table.n; i++) {
		struct replica *x = &rows_at(&f->rows, i)->replica;
		x->sampled = 20; /* of this row; the recording has more */
		x->own.scanned = 17;
		x->own.verdict = x->deep.verdict = VERDICT_UNKNOWN;
		x->own.saved_bytes = x->deep.saved_bytes = x->own.likely_bytes = NAN;
		x->own.decision.missing = 12;
	}
	forget_advice(f);
	assert_int_equal(rows_put_gains_first(&f->rows), 0);
	rows_put_likeliest_first(&f->rows);
	assert_string_equal(row_class(rows_at(&f->rows, 0)), "com.acme.Point");
	f->report.gains = 0;
	f->report.shown = 1;
	f->report.total = &nothing;
	fixes = (struct fixes){ .bytes = 1 };
	assert_holds(f, 0, parts);
}

/* What is worth a look keeps its order, and so do the others. */
static void test_order(void **state)
{
	struct report_fixture *f = *state;

	rows_at(&f->rows, 0)->replica.own.saved_bytes =
		rows_at(&f->rows, 0)->replica.deep.saved_bytes = 0;
	rows_at(&f->rows, 0)->replica.own.verdict = rows_at(&f->rows, 0)->replica.deep.verdict =
		VERDICT_DISTINCT;
	rows_at(&f->rows, 2)->replica.own.saved_bytes = 10;
	forget_advice(f);
	assert_int_equal(row_gain(rows_at(&f->rows, 0)), GAIN_NOTHING);
	assert_int_equal(row_gain(rows_at(&f->rows, 1)), GAIN_NOTHING);
	assert_int_equal(row_gain(rows_at(&f->rows, 2)), GAIN_SAVE);
	assert_int_equal(rows_put_gains_first(&f->rows), 1);
	assert_int_equal(rows_at(&f->rows, 0)->replica.own.saved_bytes, 10);
	assert_string_equal(row_class(rows_at(&f->rows, 1)), "com.acme.Point");
	assert_string_equal(row_class(rows_at(&f->rows, 2)), "byte[]");
}

int unit_screen(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_begins, setup, teardown),
		cmocka_unit_test_setup_teardown(test_table, setup, teardown),
		cmocka_unit_test_setup_teardown(test_kinds, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refuted, setup, teardown),
		cmocka_unit_test_setup_teardown(test_told_once, setup, teardown),
		cmocka_unit_test_setup_teardown(test_one_line, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many, setup, teardown),
		cmocka_unit_test_setup_teardown(test_every_width, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing_proven, setup, teardown),
		cmocka_unit_test_setup_teardown(test_order, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

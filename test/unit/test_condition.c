/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_condition.c - conditions that fail a build: which are understood, which are refused and how,
 * and when a condition holds.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "analyse/waste/waste.h"
#include "analyse/waste/waste_analysis.h"
#include "base/memtext.h"
#include "compare/condition.h"
#include "report_fixture.h"

static struct conditions parse(const char *text, enum condition_use use)
{
	struct conditions c = { .n = 0 };
	char error[CONDITION_ERROR] = "";

	if (conditions_parse(&c, analyses, text, use, error) < 0)
		fail_msg("'%s': %s", text, error);
	return c;
}

static void assert_limit(const char *text, double limit, bool change, bool relative)
{
	struct conditions c = parse(text, CONDITION_OF_DIFF);

	assert_int_equal(c.n, 1);
	assert_float_equal(c.item[0].limit, limit, 1e-12 * fabs(limit));
	assert_int_equal(c.item[0].change, change);
	assert_int_equal(c.item[0].relative, relative);
}

static void test_numbers(void **state)
{
	(void)state;
	assert_limit("saved>10MB", 10 * 1048576.0, false, false);
	assert_limit("saved>1.5kB", 1536, false, false);
	assert_limit("saved>1K", 1024, false, false);
	assert_limit("saved>1KiB", 1024, false, false);
	assert_limit("bytes>7", 7, false, false);
	assert_limit("bytes>7B", 7, false, false);
	assert_limit("bytes>=2gb", 2 * 1073741824.0, false, false);
	assert_limit("objects>2k", 2000, false, false);
	assert_limit("objects>3M", 3e6, false, false);
	assert_limit("theta>0.9", 0.9, false, false);
	assert_limit("theta>90%", 0.9, false, false);
	assert_limit("saved>+10%", 0.1, true, true);
	assert_limit("saved>+1MB", 1048576, true, false);
	assert_limit("objects<-5%", -0.05, true, true);
	assert_limit("theta>+10%", 0.1, true, false);
	assert_limit("theta<-0.1", -0.1, true, false);
	assert_limit("bytes>+0", 0, true, false);
}

static void test_parts(void **state)
{
	struct conditions c = parse("total.saved>=1MB,theta<0.5,new-replica", CONDITION_OF_DIFF);

	(void)state;
	assert_int_equal(c.n, 3);
	assert_true(c.item[0].total);
	assert_true(c.item[0].or_equal);
	assert_false(c.item[0].below);
	assert_string_equal(figure_key(c.item[0].figure), "saved");
	assert_int_equal(c.item[0].len, strlen("total.saved>=1MB"));
	assert_false(c.item[1].total);
	assert_true(c.item[1].below);
	assert_false(c.item[1].or_equal);
	assert_true(c.item[2].new_replica);
}

static void assert_refused(const char *text, enum condition_use use, const char *words)
{
	struct conditions c = { .n = 0 };
	char error[CONDITION_ERROR] = "";

	if (conditions_parse(&c, analyses, text, use, error) == 0)
		fail_msg("'%s' was taken", text);
	if (!strstr(error, words))
		fail_msg("'%s': '%s' does not say '%s'", text, error, words);
}

static void test_refused(void **state)
{
	const enum condition_use diff = CONDITION_OF_DIFF, report = CONDITION_OF_REPORT;

	(void)state;
	assert_refused("", diff, "avoidable, certain, saved, likely, live, bytes, objects, theta");
	assert_refused("bogus>1", diff, "'bogus>1': it must begin with one of: avoidable");
	assert_refused("class>1", diff, "one of: avoidable"); /* a column, but nothing to compare */
	assert_refused("verylongnameofacolumnthatdoesnotexist>1", diff, "one of: avoidable");
	assert_refused("saved>1,", diff, "''");
	assert_refused("saved", diff, "one of >, >=, <, <=");
	assert_refused("saved=1", diff, "one of >, >=, <, <=");
	assert_refused("saved>", diff, "a number must follow");
	assert_refused("saved>MB", diff, "a number must follow");
	assert_refused("saved>1.2.3", diff, "a number must follow");
	assert_refused("saved>+-1", diff, "a number must follow");
	assert_refused("saved>11111111111111111111111111111111111", diff, "a number must follow");
	assert_refused("saved>1s", diff, "B, kB, MB, GB, TB");
	assert_refused("saved>1kBB", diff, "B, kB, MB, GB, TB");
	assert_refused("saved>10%", diff, "% of changes, which have a sign");
	assert_refused("objects>1MB", diff, "k, M, G, T");
	assert_refused("theta>1k", diff, "a share has no unit but %");
	assert_refused("saved>-1MB", diff, "'>' goes with '+'");
	assert_refused("saved<+1MB", diff, "'>' goes with '+'");
	assert_refused("gamma>+0.1", diff,
		       "these only: avoidable, saved, bytes, objects, theta, identical, ");
	assert_refused("total.theta>0.1", diff, "shares have no total");
	assert_refused("saved>+1MB", report, "only 'ojx diff'");
	assert_refused("new-replica", report, "only 'ojx diff'");
	assert_refused("bogus>1", report, "avoidable, certain, saved, likely");
	assert_refused("bogus>1", report, "dead-store, silent-store, silent-load");
	assert_refused("avoidable>+1MB", report, "only 'ojx diff'");
	assert_refused("dead-store>1MB", report, "a share has no unit but %");
	assert_refused("total.dead-store>0.1", report, "shares have no total");
	assert_refused("dead-store>+5%", report, "only 'ojx diff'");
	assert_refused("pairs>1,pairs>1,pairs>1,pairs>1,pairs>1,pairs>1,pairs>1,pairs>1,pairs>1,"
		       "pairs>1,pairs>1,pairs>1,pairs>1,pairs>1,pairs>1,pairs>1,pairs>1",
		       report, "more than 16");
}

/* ---- reports ------------------------------------------------------------------------------- */

/* Number of rows of the fixture for which it holds. */
static size_t holds(const struct report_fixture *f, const char *text)
{
	struct conditions c = parse(text, CONDITION_OF_REPORT);
	const struct condition_facts facts = { .rows = &f->rows,
					       .findings = f->report.findings,
					       .min_pairs = f->report.min_pairs };

	return condition_of_report(&c.item[0], &facts).n;
}

/*
 * Rows: theta about 1 [.98..], 0.4 [0.28, 0.54], 1 from three pairs [0.44, 1]; saved 3.04e7, 0, -.
 */
static void test_report(void **state)
{
	struct report_fixture f;

	(void)state;
	report_fixture_init(&f);
	assert_int_equal(holds(&f, "saved>10MB"), 1);
	assert_int_equal(holds(&f, "saved>100MB"), 0);
	assert_int_equal(holds(&f, "saved>=0"), 2); /* what was not measured is not 0 */
	assert_int_equal(holds(&f, "saved>0"), 1);
	assert_int_equal(holds(&f, "total.saved>25MB"), 1);
	assert_int_equal(holds(&f, "total.saved>30MB"), 0);
	/* only what is certain counts: the ends of intervals */
	assert_int_equal(holds(&f, "theta>0.5"), 1);
	assert_int_equal(holds(&f, "theta>0.4"), 2);
	assert_int_equal(holds(&f, "theta>0.27"), 3);
	assert_int_equal(holds(&f, "theta<0.5"), 0);
	assert_int_equal(holds(&f, "theta<0.54"), 1);
	rows_at(&f.rows, 1)->replica.deep.largest = 0.4;
	rows_at(&f.rows, 1)->replica.deep.largest_ci = (struct replica_interval){ 0.3, 0.6 };
	assert_int_equal(holds(&f, "deep>0.35"), holds(&f, "deep>0.9"));
	assert_int_equal(holds(&f, "deep<0.35"), 0);
	assert_int_equal(holds(&f, "deep<0.55"), 0);
	assert_int_equal(holds(&f, "deep<0.65"), 1);
	/* an estimate lies in the interval of what merging saves; the others have none */
	rows_at(&f.rows, 0)->replica.own.likely_bytes = 200 * 1048576.0;
	rows_at(&f.rows, 0)->replica.own.saved_bytes_high = 300 * 1048576.0;
	assert_int_equal(holds(&f, "likely>100MB"), 0);
	assert_int_equal(holds(&f, "likely>25MB"), holds(&f, "saved>25MB"));
	assert_int_equal(holds(&f, "likely>25MB"), 1);
	assert_int_equal(holds(&f, "likely<299MB"), holds(&f, "saved<299MB"));
	rows_at(&f.rows, 0)->replica.gamma = 0.7;
	assert_int_equal(holds(&f, "gamma>0.69") - holds(&f, "gamma>0.71"), 1);
	assert_int_equal(holds(&f, "pairs<4"), 1);
	assert_int_equal(holds(&f, "pairs<=3"), 1);
	assert_int_equal(holds(&f, "pairs<3"), 0);
	report_fixture_release(&f);
}

/* Shares of wasteful accesses: of all, not of rows; only what is certain counts. */
static void test_waste(void **state)
{
	struct waste_sum waste[WASTE_KINDS] = { 0 };
	struct finding item[WASTE_KINDS] = { 0 };
	const struct findings findings = { item, WASTE_KINDS };
	struct report_fixture f;

	(void)state;
	report_fixture_init(&f);
	for (int k = 0; k < WASTE_KINDS; k++)
		waste[k] = (struct waste_sum){ .fraction = NAN };
	/* [0.247, 0.360] */
	waste[0] = (struct waste_sum){ .bytes = 2000, .fraction = 0.3, .effective = 250 };
	for (int k = 0; k < WASTE_KINDS; k++)
		item[k] = (struct finding){ .analysis = &waste_analysis,
					    .kind = waste_analysis.kinds[k],
					    .seen = true,
					    .z = bounds_z(0.95),
					    .own = &waste[k] };
	f.report.findings = &findings;
	assert_int_equal(holds(&f, "dead-store>20%"), 1);
	assert_int_equal(holds(&f, "dead-store>0.3"), 0);
	assert_int_equal(holds(&f, "dead-store<0.35"), 0);
	assert_int_equal(holds(&f, "dead-store<40%"), 1);
	assert_int_equal(holds(&f, "silent-load>0"), 0); /* not measured */
	assert_int_equal(holds(&f, "silent-load<1"), 0);
	f.report.findings = NULL;
	assert_int_equal(holds(&f, "dead-store>20%"), 0);
	report_fixture_release(&f);
}

static void test_first(void **state)
{
	struct conditions c = parse("bytes>0", CONDITION_OF_REPORT);
	struct report_fixture f;

	(void)state;
	report_fixture_init(&f);
	const struct condition_facts facts = { .rows = &f.rows, .min_pairs = 1 };
	struct condition_hit hit = condition_of_report(&c.item[0], &facts);
	assert_int_equal(hit.n, 3);
	assert_ptr_equal(hit.of, rows_at(&f.rows, 0));
	assert_int_equal(condition_frame(&c.item[0], &hit)->line, 20);
	assert_float_equal(hit.value, rows_at(&f.rows, 0)->replica.bytes, 0);
	report_fixture_release(&f);
}

/* ---- findings ------------------------------------------------------------------------------ */

enum { MB = 1 << 20 };

static struct estimate about(double value, double error)
{
	return (struct estimate){ value, { value - error, value + error } };
}

/* The words for which it holds; "" if it does not. The caller frees them. */
static char *words_of(const struct condition_facts *facts, const char *text)
{
	const struct style style = { .utf8 = true };
	struct conditions c = parse(text, CONDITION_OF_REPORT);
	struct condition_hit hit = condition_of_report(&c.item[0], facts);
	struct memtext gathered;

	memtext_begin(&gathered);
	if (hit.n)
		condition_put_hit(gathered.in, &c.item[0], &hit, &style);
	return memtext_end(&gathered);
}

static void assert_words(const struct condition_facts *facts, const char *text, const char *words)
{
	char *said = words_of(facts, text);

	assert_string_equal(said, words);
	free(said);
}

/*
 * Bytes that are avoidable: 40 to 60 MB, certain; 10 to 90 MB, likely; and a line without a rule.
 * All of 1000 MB.
 */
static void test_fixes(void **state)
{
	const struct advice_rule format = { .name = "format" }, equal = { .name = "equal" };
	struct fix_part part[] = {
		{ .line = { .class_name = "com.acme.Shop", .method = "load", .line = 12 } },
		{ .class_name = "?" },
		{ .class_name = "?" },
	};
	struct fix fix[] = {
		{ .rule = &format,
		  .part = &part[0],
		  .nparts = 1,
		  .certain = about(50 * MB, 10 * MB) },
		{ .rule = &equal,
		  .part = &part[1],
		  .nparts = 1,
		  .likely = about(50 * MB, 40 * MB) },
		{ .part = &part[2], .nparts = 1 },
	};
	struct fixes fixes = { .fix = fix, .n = 3, .bytes = 1000.0 * MB };
	const struct condition_facts facts = { .fixes = &fixes };

	(void)state;
	fixes.certain = fix[0].avoidable = fix[0].certain;
	fixes.likely = fix[1].avoidable = fix[1].likely;
	assert_words(&facts, "avoidable>30MB",
		     "'avoidable>30MB' holds for format at Shop.load:12: 40.0 MB");
	assert_words(&facts, "avoidable>41MB", "");
	assert_words(&facts, "avoidable>3.9%",
		     "'avoidable>3.9%' holds for format at Shop.load:12: 4.0 %");
	assert_words(&facts, "avoidable>9MB",
		     "'avoidable>9MB' holds for 2 findings, the first of which is format at "
		     "Shop.load:12: 40.0 MB");
	assert_words(&facts, "avoidable<59MB", ""); /* what has no rule is no finding */
	assert_words(&facts, "avoidable<89MB",
		     "'avoidable<89MB' holds for format at Shop.load:12: 60.0 MB");
	assert_words(&facts, "certain<1MB", "'certain<1MB' holds for equal at ?: 0 B");
	/* errors of findings are independent: 100 MB with an error of 41.2 MB */
	assert_words(&facts, "total.avoidable>58MB", "'total.avoidable>58MB' holds: 58.8 MB");
	assert_words(&facts, "total.avoidable>59MB", "");
	assert_words(&facts, "total.avoidable<141MB", "");
	assert_words(&facts, "total.avoidable<15%", "'total.avoidable<15%' holds: 14.1 %");
	assert_words(&facts, "total.certain>=40MB", "'total.certain>=40MB' holds: 40.0 MB");
	/* without findings there is nothing to avoid, and no share of anything */
	const struct condition_facts none = { .fixes = NULL };
	assert_words(&none, "avoidable>=0", "");
	assert_words(&none, "total.avoidable>0%", "");
}

/* ---- comparisons --------------------------------------------------------------------------- */

static size_t changed(const struct diff *d, const char *text)
{
	struct conditions c = parse(text, CONDITION_OF_DIFF);

	return condition_of_diff(&c.item[0], d, 1).n;
}

/* Rows: 100 -> 150 up; 100 -> 300 within noise; 0 -> 5 up, a new replica; 100 -> 50 down. */
static void test_diff(void **state)
{
	struct report_fixture f;
	const struct diff_change changes[] = { { 100, 150, { 0, 0 }, ESTIMATE_UP },
					       { 100, 300, { 0, 0 }, ESTIMATE_SAME },
					       { 0, 5, { 0, 0 }, ESTIMATE_UP },
					       { 100, 50, { 0, 0 }, ESTIMATE_DOWN } };
	struct diff_row rows[4];

	(void)state;
	report_fixture_init(&f);
	memset(rows, 0, sizeof rows);
	for (int i = 0; i < 4; i++) {
		rows[i].to = rows_at(&f.rows, 0);
		rows[i].new_replica = i == 2;
		rows[i].change[DIFF_SAVED] = changes[i];
		rows[i].change[DIFF_THETA] = (struct diff_change){ .verdict = ESTIMATE_UNKNOWN };
	}
	struct diff d = { .row = rows, .n = 4 };
	d.to = (struct diff_side){ &f.rows, &f.recording, NULL };
	d.total[DIFF_SAVED] = (struct diff_change){ 300, 505, { 0, 0 }, ESTIMATE_UP };
	assert_int_equal(changed(&d, "saved>+0"), 2);
	assert_int_equal(changed(&d, "saved>+20B"), 1);
	assert_int_equal(changed(&d, "saved>+49%"), 2); /* a change from 0 is infinite */
	assert_int_equal(changed(&d, "saved>+51%"), 1);
	assert_int_equal(changed(&d, "saved>=+50%"), 2);
	assert_int_equal(changed(&d, "saved<-0"), 1);
	assert_int_equal(changed(&d, "saved<-51%"), 0);
	assert_int_equal(changed(&d, "theta>+0"), 0);
	assert_int_equal(changed(&d, "new-replica"), 1);
	assert_int_equal(changed(&d, "total.saved>+200"), 1);
	assert_int_equal(changed(&d, "total.saved>+206"), 0);
	/* fractions of wasteful accesses: in percentage points */
	struct diff_found found[] = {
		{ &waste_analysis, waste_analysis.kinds[2], { 0.5, 0.6, { 0, 0 }, ESTIMATE_UP } },
		{ &waste_analysis, waste_analysis.kinds[1], { 0.5, 0.6, { 0, 0 }, ESTIMATE_SAME } },
	};
	d.found = found;
	d.nfound = 2;
	assert_int_equal(changed(&d, "silent-load>+5%"), 1);
	assert_int_equal(changed(&d, "silent-load>+0.15"), 0);
	assert_int_equal(changed(&d, "silent-load<-5%"), 0);
	assert_int_equal(changed(&d, "silent-store>+5%"), 0);
	/* of the new recording, which has none */
	assert_int_equal(changed(&d, "silent-load>40%"), 0);
	/* without a sign: the new recording */
	assert_int_equal(changed(&d, "saved>10MB"), 1);
	assert_int_equal(changed(&d, "bytes>3MB"), 2);
	d.options.time = DIFF_PER_SECOND; /* the recording takes 12.345 seconds */
	assert_int_equal(changed(&d, "saved>10MB"), 0);
	report_fixture_release(&f);
}

int unit_condition(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_parts),
		cmocka_unit_test(test_refused), cmocka_unit_test(test_report),
		cmocka_unit_test(test_waste),	cmocka_unit_test(test_first),
		cmocka_unit_test(test_diff),	cmocka_unit_test(test_fixes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

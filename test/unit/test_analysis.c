/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_analysis.c - an analysis that nobody else knows of: it takes a record, and its finding is in
 * the text, JSON, CSV and the page, sorts, makes builds fail and is compared. No other file names
 * it.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "builder.h"
#include "compare/condition.h"
#include "model/sums.h"
#include "render/metrics.h"
#include "render/render_diff.h"
#include "render/render_findings.h"
#include "report/filter.h"

#define LEVEL 0.95

/* ---- the analysis: how long threads slept, by where ------------------------------------------ */

enum { SLEPT = 200 };

struct slept {
	struct wire_rec rec;
	uint32_t stack, ms;
};

struct naps {
	uint32_t jvm, n;
	struct slept at[8];
};

static enum model_fed take(struct model *m, void *store, struct jvm *j, const struct wire_rec *rec)
{
	struct naps *naps = store;

	(void)m;
	naps->jvm = model_jvm_index(j);
	naps->at[naps->n++ % 8] = *(const struct slept *)rec;
	return MODEL_KEEP;
}

static const struct analysis_record records[2] = { { SLEPT, sizeof(struct slept), true,
						     .take = take } };

static const struct figure nap_figures[] = {
	{ "ms", "count", FIGURE_NUMBER, FIGURE_ALL, FIGURE_MEMBER(struct finding_row, count),
	  .help = "time slept" },
	{ "at", NULL, FIGURE_STACK, FIGURE_ALL, .at = 0 },
	{ .name = NULL },
};
static const struct finding_table_kind naps_kind = { "naps", .figures = nap_figures, .shown = 5,
						     .stack_title = { "slept at" } };
static const struct figure sleep_figures[] = {
	{ "asleep", "share", FIGURE_NUMBER, FIGURE_ALL | FIGURE_HEADLINE,
	  FIGURE_AT_RANGE(struct estimate, value, range, true), .range_name = "asleep_ci" },
	{ .name = NULL },
};
static const struct finding_kind sleep_kind = {
	"sleep", "sleep", "naps", NULL, sleep_figures, sizeof(struct estimate), { &naps_kind }, NULL
};

static void find(struct finding *to, const struct model *m, const struct findings_options *options)
{
	const struct naps *naps = model_store(m, records);
	struct finding_row *rows = calloc(naps->n + 1, sizeof *rows);
	double s = 0;

	(void)options;
	for (uint32_t i = 0; rows && i < naps->n; i++) {
		s += (double)(rows[i].count = naps->at[i].ms) / 1000;
		if (callstack_resolve(rows[i].stack, m, naps->jvm, naps->at[i].stack) < 0)
			abort();
	}
	*(struct estimate *)to->own = (struct estimate){ s, bounds_wilson(s, 1000, to->z) };
	to->count = naps->n;
	to->seen = naps->n > 0;
	finding_add_table(to, rows, naps->n, sizeof *rows);
}

static const struct analysis sleep_analysis = {
	.key = "sleep",
	.title = "Sleep",
	.events = { { "sleep", "threads that sleep, by where", { .pairs = 0 } } },
	.store_size = sizeof(struct naps),
	.records = records,
	.kinds = { &sleep_kind },
	.metrics = { { "sleep", "count", "milliseconds slept", "ms", NULL } },
	.find = find,
};
static const struct analysis *const table[] = { &sleep_analysis, NULL };

/* ---- all that it appears in ------------------------------------------------------------------ */

struct recorded {
	struct model *model;
	struct recording recording;
	struct rows rows;
	struct findings findings;
	struct metrics metrics;
	struct report report;
};

/* Naps at lines 10 and 20, as long as these say. */
static void record(struct recorded *r, uint32_t first_ms, uint32_t second_ms)
{
	static const struct findings_options options = { .confidence = LEVEL, .min_pairs = 1 };
	const uint32_t ms[] = { first_ms, second_ms };
	struct builder b = BUILDER_INIT;

	*r = (struct recorded){ .model = model_new(table) };
	build_jvm(&b, 4711, 0, "", "", "");
	for (uint32_t i = 0; i < 2; i++) {
		build_site(&b, i + 1, "[B", "Lcom/acme/Nap;", i ? "late" : "early", 10 * (i + 1));
		struct slept *s = build_record(&b, SLEPT, sizeof *s);
		s->stack = i + 1;
		s->ms = ms[i];
	}
	assert_int_equal(builder_feed(&b, r->model, 1), 0);
	builder_release(&b);
	findings_compute(&r->findings, r->model, &options);
	metrics_list(&r->metrics, table);
	r->recording.model = r->model;
	r->report = (struct report){ .version = "0",
				     .recording = &r->recording,
				     .rows = &r->rows,
				     .findings = &r->findings,
				     .key = column_find("saved"),
				     .metrics = &r->metrics,
				     .metric = metric_find(&r->metrics, "sleep"),
				     .details = true,
				     .access_frames = 4,
				     .confidence = LEVEL };
}

static void forget(struct recorded *r)
{
	findings_release(&r->findings);
	model_free(r->model);
}

static void assert_says(char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("'%s' is not in:\n%s", what, text);
}

static char *render(const struct recorded *r, int (*data)(FILE *out, const struct report *r))
{
	const struct style style = { .utf8 = false };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(data ? data(out, &r->report) : render_text(out, &r->report, &style), 0);
	fclose(out);
	return text;
}

static void test_formats(void **state)
{
	struct recorded r;

	(void)state;
	record(&r, 100, 300);
	char *text = render(&r, NULL);
	assert_says(text, "\n# sleep: asleep 40.0 %\n");
	assert_says(text,
		    "\n  1. ms 100\n     slept at\n       com.acme.Nap.early (Test.java:10)\n");
	free(text);
	text = render(&r, render_json);
	assert_says(text, "\"sleep\":[\n{\"asleep\":0.4,\"asleep_ci\":[0.3");
	assert_says(text, "\"naps\":[{\"ms\":100,\"at\":[{\"class\":\"com.acme.Nap\"");
	free(text);
	text = render(&r, render_csv);
	assert_says(text, "ms,at\r\n100,\"com.acme.Nap.early(Test.java:10)\"\r\n300,");
	free(text);
	text = render(&r, render_collapsed);
	assert_says(text, "com/acme/Nap.late:20 300");
	free(text);
	text = render(&r, render_html);
	assert_says(text, "\"key\":\"sleep\",\"title\":\"Sleep\"");
	assert_says(text, "\"told\":[\"sleep: asleep 40.0 %\"]");
	assert_says(text, "\"columns\":[[\"ms\",\"count\",false,\"time slept\"]],"
			  "\"stacks\":[\"slept at\"]");
	free(text);
	forget(&r);
}

static void test_sorted(void **state)
{
	const struct analysis *whose = NULL;
	struct recorded r;

	(void)state;
	record(&r, 100, 300);
	const struct figure *key = figure_find_key(table, "sleep.ms", &whose);
	assert_ptr_equal(whose, &sleep_analysis);
	findings_sort(&r.findings, whose, key);
	assert_int_equal(finding_row(&r.findings.item[0].table[0], 0)->count, 300);
	assert_null(figure_find_key(table, "sleep.at", &whose));
	assert_null(figure_find_key(table, "ms", &whose));
	forget(&r);
}

static void test_conditions(void **state)
{
	static const char *const holding[] = { "sleep>30%", "sleep<50%", "sleep.ms>200",
					       "total.sleep.ms>=400" };
	static const char *const others[] = { "sleep>39%", "sleep<41%", "sleep.ms>300",
					      "total.sleep.ms<400" };
	struct conditions c = { .n = 0 };
	char error[CONDITION_ERROR] = "";
	struct recorded r;

	(void)state;
	record(&r, 100, 300);
	const struct condition_facts facts = { .rows = &r.rows,
					       .findings = &r.findings,
					       .min_pairs = 1 };
	for (int i = 0; i < 4; i++) {
		c.n = 0;
		assert_int_equal(
			conditions_parse(&c, table, holding[i], CONDITION_OF_REPORT, error), 0);
		assert_int_equal(conditions_parse(&c, table, others[i], CONDITION_OF_REPORT, error),
				 0);
		assert_int_equal(condition_of_report(&c.item[0], &facts).n, 1);
		assert_int_equal(condition_of_report(&c.item[1], &facts).n, 0);
	}
	c.n = 0;
	assert_int_equal(conditions_parse(&c, table, "nap>1", CONDITION_OF_REPORT, error), -1);
	assert_says(error, ", sleep");
	forget(&r);
}

/* All together less than a tenth slept, then more. */
static void test_compared(void **state)
{
	const struct diff_options options = { .replica = REPLICA_OPTIONS_INIT, .threshold = 0.05 };
	const struct style style = { .utf8 = false };
	struct recorded old, new;
	struct diff d;
	char *text = NULL;
	size_t len;

	(void)state;
	record(&old, 30, 50);
	record(&new, 100, 300);
	const struct diff_side from = { &old.rows, &old.recording, &old.findings };
	const struct diff_side to = { &new.rows, &new.recording, &new.findings };
	diff_make(&d, &from, &to, &options);
	assert_int_equal(d.found[0].change.verdict, ESTIMATE_UP);
	const struct diff_report report = {
		.version = "0", .diff = &d, .from = "a", .to = "b", .lines = &d
	};
	FILE *out = open_memstream(&text, &len);
	assert_int_equal(render_diff_text(out, &report, &style), 0);
	assert_int_equal(render_diff_json(out, &report), 0);
	fclose(out);
	assert_says(text, "# sleep 8.0 % -> 40.0 %, +32.0");
	assert_says(text, "\"sleep\":{\"sleep\":{\"old\":0.08,\"new\":0.4,");
	free(text);
	diff_release(&d);
	forget(&old);
	forget(&new);
}

static void test_named(void **state)
{
	struct analysis_needs needs;
	size_t len;

	(void)state;
	assert_null(analyses_parse(table, "sleep", &needs, &len));
	assert_int_equal(needs.analyses, 1);
	assert_non_null(analyses_parse(table, "replica", &needs, &len));
}

int unit_analysis(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formats),	   cmocka_unit_test(test_sorted),
		cmocka_unit_test(test_conditions), cmocka_unit_test(test_compared),
		cmocka_unit_test(test_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

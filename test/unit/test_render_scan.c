/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_render_scan.c - the lines of a block that come from snapshots: savings, deep contents,
 * strings. No text of the program reaches the terminal as a command.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memtext.h"
#include "render/html/html_page.h"
#include "report_fixture.h"

static int setup(void **state)
{
	struct report_fixture *f = malloc(sizeof *f);

	assert_non_null(f);
	report_fixture_init(f);
	f->report.shown = 1;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	report_fixture_release(*state);
	free(*state);
	return 0;
}

static char *text_of(struct report_fixture *f)
{
	const struct style style = { .utf8 = true };

	return report_fixture_text(f, &style);
}

static void assert_has(struct report_fixture *f, const char *part)
{
	char *text = text_of(f);

	if (!strstr(text, part))
		fail_msg("no '%s' in:\n%s", part, text);
	free(text);
}

static void assert_lacks(struct report_fixture *f, const char *part)
{
	char *text = text_of(f);

	if (strstr(text, part))
		fail_msg("'%s' in:\n%s", part, text);
	free(text);
}

/* What uses say about objects that are alike at the end. */
static void test_uses_before(void **state)
{
	struct report_fixture *f = *state;
	struct replica *x = &rows_at(&f->rows, 0)->replica;

	x->constant_class = false;
	x->used_alike = 12;
	x->used_same = 11;
	assert_has(f, "; 11 of 12 seen in use before were the same then\n");
	x->constant_class = true;
	assert_lacks(f, "seen in use before");
	x->constant_class = false;
	x->used_same = 1;
	x->own.saved_bytes = x->deep.saved_bytes = 0;
	x->saved_end_bytes = 0.5 * x->bytes;
	assert_has(f, "saves      nothing for sure: alike at the end of life, which would be ");
	assert_has(f, "; 1 of the 12 seen in use before were the same then\n");
	x->used_alike = x->used_same = 0;
	assert_has(f, "; none was seen in use before\n");
}

/* Alike by deep content only. */
static void test_deep(void **state)
{
	struct report_fixture *f = *state;
	struct replica *x = &rows_at(&f->rows, 0)->replica;

	x->own.verdict = VERDICT_DISTINCT;
	x->own.saved_objects = x->own.saved_bytes = 0;
	x->own.saved_bytes_ci = (struct replica_interval){ 0, 1e7 };
	assert_has(f, "verdict    replica (deep): with what they refer to, one content dominates");
	assert_has(f, "saves      at least 27.5 MB (90.0 %), at most 30.4 MB; 2.2 MB and 72.9 k "
		      "objects a second; of objects equal with what they refer to (by their own "
		      "content: 0 B)\n");
	x->own.saved_bytes = NAN;
	assert_has(f, "(by their own content: not measured)\n");
}

static void test_nothing_saved(void **state)
{
	struct report_fixture *f = *state;
	struct replica *x = &rows_at(&f->rows, 0)->replica;

	x->own.saved_bytes = x->deep.saved_bytes = 0;
	assert_lacks(f, "    saves");
	x->own.saved_bytes = x->deep.saved_bytes = NAN;
	assert_lacks(f, "    saves");
}

/* Without references, deep contents equal contents, and are not shown twice. */
static void test_no_references(void **state)
{
	struct report_fixture *f = *state;

	assert_has(f, "    deep       398 with what they refer to; largest identical group");
	assert_has(f,
		   "; 3.1 % are too large to be followed as a whole: equal as far as followed\n");
	rows_at(&f->rows, 0)->references = false;
	assert_lacks(f, "    deep  ");
}

static void test_few_followed(void **state)
{
	struct report_fixture *f = *state;

	rows_at(&f->rows, 0)->replica.deep.scanned = 20;
	assert_has(f, "deep       20 with what they refer to: too few (20 < 30) for any share\n");
	rows_at(&f->rows, 0)->replica.deep.scanned = 0;
	assert_lacks(f, "    deep  ");
}

static void test_no_identity(void **state)
{
	struct report_fixture *f = *state;

	assert_has(f, "    identity   12.0 % had their identity hash asked for");
	assert_has(f, "replica: one content dominates");
	rows_at(&f->rows, 0)->replica.own.verdict = rows_at(&f->rows, 0)->replica.deep.verdict =
		VERDICT_ALIKE;
	rows_at(&f->rows, 0)->replica.own.decision.doubt = DOUBT_IDENTITY;
	assert_has(f, "alike-at-end: alike, but each may be needed for itself: locked");
	rows_at(&f->rows, 0)->replica.own.decision.doubt = DOUBT_CHANGES;
	assert_has(f, "alike-at-end: alike at the end of life, but some were not when used");
	rows_at(&f->rows, 0)->replica.own.verdict = VERDICT_CHANGING;
	assert_has(f, "changing: they change after their first use; as they are, sharing saves");
	rows_at(&f->rows, 0)->replica.own.verdict = VERDICT_SOME_EQUAL;
	assert_has(f, "some-equal: merging equal objects saves a quarter or more");
	rows_at(&f->rows, 0)->replica.own.verdict = rows_at(&f->rows, 0)->replica.deep.verdict =
		VERDICT_UNKNOWN;
	rows_at(&f->rows, 0)->replica.own.decision.missing = 40;
	assert_has(f, "unknown: about 40 more snapshots would decide it, another ");
	rows_at(&f->rows, 0)->replica.identity = 0;
	assert_lacks(f, "    identity");
}

static struct model_value *text(const char *what, uint32_t chars)
{
	struct model_value *v = calloc(1, sizeof *v + strlen(what) + 1);

	assert_non_null(v);
	v->chars = chars;
	v->len = (uint32_t)strlen(what);
	memcpy(v->text, what, v->len);
	return v;
}

/* Frequent values, most first. */
static void test_values(void **state)
{
	static const char *const texts[] = {
		"first", "\x1b]0;title\x07", "long", "d", "e", "sixth"
	};
	struct report_fixture *f = *state;
	struct replica *x = &rows_at(&f->rows, 0)->replica;
	struct replica_value values[6];

	for (size_t i = 0; i < 6; i++)
		values[i] = (struct replica_value){ text(texts[i], i == 2 ? 900 : 1),
						    0.5 / (double)(i + 1) };
	values[4].share = 0.009; /* not worth a line */
	x->details->values = values;
	x->details->nvalues = 6;
	assert_has(f, "    values      50.0 % \"first\"\n"
		      "                25.0 % \"\\u001b]0;title\\u0007\"\n"
		      "                16.7 % \"long\"… (900 characters)\n"
		      "                12.5 % \"d\"\n");
	assert_lacks(f, "sixth");
	assert_lacks(f, "\"e\"");
	assert_lacks(f, "\x1b");
	x->details->nvalues = 0;
	assert_lacks(f, "    values");
	for (size_t i = 0; i < 6; i++)
		free((void *)values[i].value);
}

static void test_strings(void **state)
{
	struct report_fixture *f = *state;
	struct model_class string = { .name = "java.lang.String" };

	assert_lacks(f, "    arrays");
	assert_lacks(f, "cached hash code");
	rows_at(&f->rows, 0)->class = &string;
	rows_at(&f->rows, 0)->replica.details->nfields = 0;
	rows_at(&f->rows, 0)->replica.by_value = true;
	rows_at(&f->rows, 0)->replica.dedup_ci = (struct replica_interval){ 5 << 20, 7 << 20 };
	assert_has(f, "    arrays     at least 5.0 MB of their value arrays repeat another's: of "
		      "strings that stay, -XX:+UseStringDeduplication gives these back\n");
	struct file_jvm *jvm = (struct file_jvm *)&model_jvm(f->model, 1)->info;
	jvm->flags = WIRE_JVM_DEDUPLICATES;
	assert_has(f, ": of strings that stay, -XX:+UseStringDeduplication, which is on, gives "
		      "these back\n");
	strcpy(jvm->gc, "Parallel");
	assert_has(f, "repeat another's; this JVM's collector does not deduplicate strings\n");
	assert_lacks(f, "UseStringDeduplication");
	strcpy(jvm->gc, "");
	assert_has(f, "-XX:+UseStringDeduplication, if the collector has it, gives these back\n");
	assert_has(f, "also found at the end of life (a cached hash code counts as a change)\n");
}

static void test_live(void **state)
{
	struct report_fixture *f = *state;
	struct replica *x = &rows_at(&f->rows, 0)->replica;

	assert_lacks(f, "    live");
	x->live_sampled = 20;
	x->live_objects = 1000;
	x->live_bytes = 4 << 20;
	x->own.saved_live_ci = (struct replica_interval){ 0, 3 << 20 };
	x->deep.saved_live_ci = x->own.saved_live_ci;
	assert_has(f, "    live       4.0 MB in 1.0 k objects at the last view\n");
	x->deep.saved_live_ci.low = 2 << 20;
	assert_has(
		f,
		"    live       4.0 MB in 1.0 k objects at the last view; merging frees at least "
		"2.0 MB, at most 3.0 MB, of objects equal with what they refer to\n");
	x->own.saved_live_ci.low = 2 << 20;
	assert_has(f, "at most 3.0 MB\n");
}

/* What one of these functions writes of the report. */
static char *written(const struct report_fixture *f,
		     int (*write)(FILE *out, const struct report *r))
{
	struct memtext text;

	assert_non_null(memtext_begin(&text));
	assert_int_equal(write(text.in, &f->report), 0);
	char *all = memtext_end(&text);
	assert_non_null(all);
	return all;
}

/* What a page begins with. */
static int write_best(FILE *out, const struct report *r)
{
	struct json_text t = { .out = out, .html = true };

	json_text_open(&t, NULL, '{');
	html_put_start(&t, r);
	return json_text_end(&t);
}

static void assert_hint(struct report_fixture *f, bool wanted, double all, double undecided)
{
	const struct {
		char *text;
		const char *hint;
	} formats[] = {
		{ text_of(f), "\n# 2.0 MB of the 8.0 MB alive at the last view have no verdict; a "
			      "dump tells of each object: ojx heap -p PID\n" },
		{ written(f, render_markdown),
		  "\n\n2.0 MB of the 8.0 MB alive at the last view have" },
		{ written(f, write_best), ",\n\"heap_hint\":\"2.0 MB of the 8.0 MB alive at" },
	};
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		if (!strstr(formats[i].text, formats[i].hint) == wanted)
			fail_msg("%zu: '%s' %d in:\n%s", i, formats[i].hint, wanted,
				 formats[i].text);
		free(formats[i].text);
	}
	char *text = report_fixture_json(f), want[128];
	snprintf(want, sizeof want,
		 "\"alive\":{\"bytes\":%.0f,\"undecided_bytes\":%.0f,\"heap_dump_advised\":%s}",
		 all, undecided, wanted ? "true" : "false");
	if (!strstr(text, want))
		fail_msg("no '%s' in:\n%s", want, text);
	free(text);
}

/* Row 0 has a verdict, row 2 has none. */
static void test_heap_hint(void **state)
{
	struct report_fixture *f = *state;
	const struct total total = { .bytes = 1e8, .saved = 1e6, .decided = 1e7 };

	f->report.total = &total;
	rows_at(&f->rows, 0)->replica.live_bytes = 6 << 20;
	rows_at(&f->rows, 2)->replica.live_bytes = 2 << 20;
	assert_hint(f, true, 8 << 20, 2 << 20);
	rows_at(&f->rows, 0)->replica.live_bytes = 7 << 20;
	assert_hint(f, false, 9 << 20, 2 << 20);
	rows_at(&f->rows, 0)->replica.live_bytes = NAN;
	rows_at(&f->rows, 2)->replica.live_bytes = 1 << 19;
	assert_hint(f, false, 1 << 19, 1 << 19);
	rows_at(&f->rows, 2)->replica.live_bytes = NAN;
	char *text = report_fixture_json(f);
	assert_non_null(strstr(text, "\"alive\":{\"bytes\":null,\"undecided_bytes\":null,"
				     "\"heap_dump_advised\":false}"));
	free(text);
}

int unit_render_scan(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_deep, setup, teardown),
		cmocka_unit_test_setup_teardown(test_uses_before, setup, teardown),
		cmocka_unit_test_setup_teardown(test_live, setup, teardown),
		cmocka_unit_test_setup_teardown(test_heap_hint, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing_saved, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_references, setup, teardown),
		cmocka_unit_test_setup_teardown(test_few_followed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_identity, setup, teardown),
		cmocka_unit_test_setup_teardown(test_values, setup, teardown),
		cmocka_unit_test_setup_teardown(test_strings, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

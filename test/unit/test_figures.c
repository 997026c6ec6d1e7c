/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_figures.c - a figure is one row of the table of columns: whatever the row says is in the
 * text, JSON, CSV and the page, sorts, and makes builds fail, without another word anywhere.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "compare/condition.h"
#include "live/rates.h"
#include "live/screen_table.h"
#include "render/metrics.h"
#include "render/render.h"
#include "report_fixture.h"

static char *render(const struct report *r, int (*data)(FILE *out, const struct report *r))
{
	const struct style style = { .utf8 = true };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(data ? data(out, r) : render_text(out, r, &style), 0);
	fclose(out);
	return text;
}

/* That it has `before`, `name` and `after`, one behind the other. */
static void assert_has(const char *text, const char *before, const char *name, const char *after)
{
	char what[256];

	snprintf(what, sizeof what, "%s%s%s", before, name, after);
	if (!strstr(text, what))
		fail_msg("there is no '%s'", what);
}

static void test_json(void **state)
{
	struct report_fixture f;

	(void)state;
	report_fixture_init(&f);
	char *text = render(&f.report, render_json);
	for (const struct figure *fig = row_figures; fig->name; fig++) {
		if (!(fig->flags & FIGURE_JSON))
			continue;
		assert_has(text, "\"", fig->name, "\":");
		if (fig->range)
			assert_has(text, "\"", fig->range_name, "\":");
	}
	free(text);
	report_fixture_release(&f);
}

static void test_csv(void **state)
{
	struct report_fixture f;

	(void)state;
	report_fixture_init(&f);
	f.report.metric = metric_find(&f.metrics, METRIC_DEFAULT);
	char *text = render(&f.report, render_csv);
	char *end = strchr(text, '\r');
	end[0] = ',';
	end[1] = '\0';
	assert_int_equal(strncmp(text, "class,", 6), 0); /* the others follow a comma */
	for (const struct figure *fig = row_figures; fig->name; fig++) {
		if (!(fig->flags & FIGURE_CSV) || fig == row_figures)
			continue;
		assert_has(text, ",", fig->name, ",");
		if (!fig->range)
			continue;
		assert_has(text, ",", fig->range_name, "_low,");
		assert_has(text, ",", fig->range_name, "_high,");
	}
	free(text);
	report_fixture_release(&f);
}

static void test_page(void **state)
{
	struct report_fixture f;

	(void)state;
	report_fixture_init(&f);
	char *text = render(&f.report, render_html);
	for (const struct figure *fig = row_figures; fig->name; fig++)
		if (fig->flags & FIGURE_PAGE)
			assert_has(text, ",\n\"", figure_key(fig), "\":[");
	for (const struct column *c = columns; c->figure; c++) {
		if (!(c->figure->flags & FIGURE_PAGE) || !column_is_key(c))
			continue;
		assert_has(text, "\n[\"", column_name(c), "\",\"");
		assert_has(text, "\"", c->figure->help, "\",");
	}
	free(text);
	report_fixture_release(&f);
}

/* As the sort key, each is shown. */
static void test_text(void **state)
{
	struct report_fixture f;
	const struct cell_context ctx = { .style = &(struct style){ .utf8 = true },
					  .min_pairs = 30,
					  .confidence = 0.95 };
	char heading[64];

	(void)state;
	report_fixture_init(&f);
	for (const struct column *c = columns; c->figure; c++) {
		if (!column_is_key(c))
			continue;
		FILE *out = fmemopen(heading, sizeof heading, "w");
		column_put_heading(out, c, &ctx);
		fclose(out);
		f.report.key = c;
		columns_sort(&f.rows, c, &ctx);
		char *text = render(&f.report, NULL);
		assert_has(text, heading, "", "");
		free(text);
	}
	report_fixture_release(&f);
}

/* A condition on a name that findings have as well is on findings. */
static void test_conditions(void **state)
{
	struct conditions all = { .n = 0 };
	char error[CONDITION_ERROR], text[64];

	(void)state;
	for (const struct column *c = columns; c->figure; c++) {
		snprintf(text, sizeof text, "%s<1", column_name(c));
		all.n = 0;
		int result = conditions_parse(&all, analyses, text, CONDITION_OF_REPORT, error);
		if (column_is_key(c) && c->figure != &row_figures[ROW_FIGURE_AVOIDABLE])
			assert_ptr_equal(all.item[0].figure, c->figure);
		else if (column_is_key(c))
			assert_ptr_equal(all.item[0].subject,
					 &condition_subjects[CONDITION_ON_FIXES]);
		else if (!column_find(column_name(c)))
			assert_int_equal(result, -1);
	}
}

/* Letters are keys that differ; what is hidden can be chosen. */
static void test_screens(void **state)
{
	static const enum column_table screens[] = { COLUMN_BROWSER, COLUMN_TOP };

	(void)state;
	for (int k = 0; k < 2; k++) {
		struct screen_table v;
		screen_table_begin(&v, screens[k], column_find("bytes"));
		assert_true(v.ncolumns > 10 && v.ncolumns < TABLE_COLUMNS);
		for (size_t i = 0; i < v.ncolumns; i++) {
			const struct column *c = v.column[i];
			char letter = c->in[screens[k]].letter;
			assert_int_equal(letter != 0, column_is_key(c));
			if (letter)
				assert_ptr_equal(screen_table_key_of(&v, letter), c);
			if (letter)
				assert_ptr_equal(live_column_find(column_name(c), screens[k]), c);
		}
		screen_table_release(&v);
	}
}

int unit_figures(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),	   cmocka_unit_test(test_csv),
		cmocka_unit_test(test_page),	   cmocka_unit_test(test_text),
		cmocka_unit_test(test_conditions), cmocka_unit_test(test_screens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

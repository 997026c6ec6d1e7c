/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query_figures.c - see heap_findings.h: the figures of problems, and the three findings that
 * have them.
 */
#include "base/units.h"
#include "heapdump/heap_findings.h"
#include "heapdump/heap_rules.h"

/* ---- rows ---------------------------------------------------------------------------------- */

static double row_wasted(const void *row)
{
	return (double)((const struct heap_row *)row)->wasted;
}

static const char *row_holder(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return ((const struct heap_row *)row)->holder;
}

enum { BOTH = FIGURE_JSON | FIGURE_CSV, SHOWN = BOTH | FIGURE_PAGE };

#define TEXTS                                                                          \
	{ "problem", NULL, FIGURE_TEXT, SHOWN, .text = heap_row_label },               \
		{ "holder", NULL, FIGURE_TEXT, SHOWN, .text = row_holder },            \
		{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },          \
		{ "root_path", NULL, FIGURE_TEXT, SHOWN, .text = heap_row_root_path }, \
	{                                                                              \
		.name = NULL                                                           \
	}

static const struct figure wasteful_figures[] = {
	{ "wasted_bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_wasted },
	{ "share", "share", FIGURE_NUMBER, SHOWN, .value = finding_share },
	{ "bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = heap_row_bytes },
	{ "objects", "count", FIGURE_NUMBER, SHOWN, .value = finding_count },
	TEXTS,
};

static const struct figure kept_figures[] = {
	{ "freed_bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_wasted },
	{ "share", "share", FIGURE_NUMBER, SHOWN, .value = finding_share },
	{ "bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = heap_row_bytes },
	{ "objects", "count", FIGURE_NUMBER, SHOWN, .value = finding_count },
	TEXTS,
};

static const struct figure outside_figures[] = {
	{ "outside_bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_wasted },
	{ "objects", "count", FIGURE_NUMBER, SHOWN, .value = finding_count },
	TEXTS,
};

/* ---- all rows ------------------------------------------------------------------------------ */

static double total_bytes(const void *finding)
{
	const struct heap_report *r =
		*(struct heap_report *const *)((const struct finding *)finding)->own;

	return (double)r->merge.total.bytes;
}

static double total_wasted(const void *finding)
{
	const struct finding_table *t = &((const struct finding *)finding)->table[0];
	double sum = 0;

	for (size_t i = 0; i < t->all; i++)
		sum += row_wasted(finding_row(t, i));
	return sum;
}

static double wasted_share(const void *finding)
{
	return total_wasted(finding) / total_bytes(finding);
}

/* Rows of what is kept can have the same bytes, so the largest counts alone. */
static double largest(const void *finding)
{
	const struct finding_table *t = &((const struct finding *)finding)->table[0];
	double most = 0;

	for (size_t i = 0; i < t->all; i++)
		if (row_wasted(finding_row(t, i)) > most)
			most = row_wasted(finding_row(t, i));
	return most;
}

static double largest_share(const void *finding)
{
	return largest(finding) / total_bytes(finding);
}

static const struct figure waste_totals[] = {
	{ "wasted_bytes", "bytes", FIGURE_NUMBER, FIGURE_JSON, .value = total_wasted },
	{ "share", "share", FIGURE_NUMBER, FIGURE_JSON | FIGURE_HEADLINE, .value = wasted_share },
	{ .name = NULL },
};

static const struct figure kept_totals[] = {
	{ "largest_bytes", "bytes", FIGURE_NUMBER, FIGURE_JSON, .value = largest },
	{ "largest_share", "share", FIGURE_NUMBER, FIGURE_JSON | FIGURE_HEADLINE,
	  .value = largest_share },
	{ .name = NULL },
};

static const struct figure outside_totals[] = {
	{ "outside_bytes", "bytes", FIGURE_NUMBER, FIGURE_JSON, .value = total_wasted },
	{ .name = NULL },
};

static void tell_waste(FILE *out, const struct style *s, const struct finding *f)
{
	char text[UNITS_TEXT], share[UNITS_TEXT];

	fprintf(out, "%sobjects that hold little%s: %s, %s %%\n", style_on(s, INK_BOLD),
		style_off(s, INK_BOLD), units_bytes(text, total_wasted(f)),
		units_percent(share, wasted_share(f)));
}

static void tell_kept(FILE *out, const struct style *s, const struct finding *f)
{
	char text[UNITS_TEXT];

	fprintf(out, "%skept for nothing%s: ", style_on(s, INK_BOLD), style_off(s, INK_BOLD));
	if (f->table[0].all)
		fprintf(out, "the largest is %s; rows can have the same bytes\n",
			units_bytes(text, largest(f)));
	else
		fputs("nothing is found\n", out);
}

static void tell_outside(FILE *out, const struct style *s, const struct finding *f)
{
	char text[UNITS_TEXT];

	fprintf(out, "%soutside of the heap%s: %s in direct buffers\n", style_on(s, INK_BOLD),
		style_off(s, INK_BOLD), units_bytes(text, total_wasted(f)));
}

/* ---- the findings -------------------------------------------------------------------------- */

#define PROBLEMS(of, same)                                                                 \
	{                                                                                  \
		.key = "problems", .one = "problem", .many = "problems", .figures = of,    \
		.rule = heap_rule_of_problem, .place = heap_place_of_problem, .shown = 15, \
		.of_objects = true, .overlap = same,                                       \
	}

static const struct finding_table_kind little = PROBLEMS(wasteful_figures, false),
				       kept = PROBLEMS(kept_figures, true),
				       outside = PROBLEMS(outside_figures, false);

const struct finding_kind heap_wasteful_kind = { .name = "wasteful",
						 .title = "objects that hold little",
						 .counted = "objects",
						 .figures = waste_totals,
						 .tables = { &little },
						 .tell = tell_waste };
const struct finding_kind heap_kept_kind = { .name = "kept",
					     .title = "kept for nothing",
					     .counted = "objects",
					     .figures = kept_totals,
					     .tables = { &kept },
					     .tell = tell_kept };
const struct finding_kind heap_outside_kind = { .name = "outside",
						.title = "outside of the heap",
						.counted = "objects",
						.figures = outside_totals,
						.tables = { &outside },
						.tell = tell_outside };

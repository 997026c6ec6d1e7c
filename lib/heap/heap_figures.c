/* SPDX-License-Identifier: Apache-2.0 */
/* heap_figures.c - see heap_report.h: the figures of a heap and of its rows, and its tables. */

#include "base/units.h"
#include "heap/heap_report.h"
#include "heap/heap_value.h"

/* ---- figures of rows --------------------------------------------------------------------- */

#define SUM(name)                                                        \
	static double row_##name(const void *row)                        \
	{                                                                \
		return (double)((const struct heap_row *)row)->sum.name; \
	}

SUM(bytes)
SUM(distinct)
SUM(distinct_shallow)
SUM(freed)
SUM(freed_shallow)
SUM(largest)

static double row_wasted(const void *row)
{
	return (double)((const struct heap_row *)row)->wasted;
}

static double row_made(const void *row)
{
	return ((const struct heap_row *)row)->made;
}

static double row_of_class(const void *row)
{
	return ((const struct heap_row *)row)->of_class;
}

static const char *row_label(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return ((const struct heap_row *)row)->label;
}

static double row_shared(const void *row)
{
	return (double)((const struct heap_row *)row)->shared;
}

static const char *row_path(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return ((const struct heap_row *)row)->path;
}

static const char *row_value(const void *row, char room[FIGURE_TEXT_MAX])
{
	const struct heap_row *r = row;

	if (!r->report->values || !r->sum.largest)
		return NULL;
	return heap_value(&r->report->heap, r->sum.example, room, FIGURE_TEXT_MAX);
}

enum {
	BOTH = FIGURE_JSON | FIGURE_CSV,
	SHOWN = BOTH | FIGURE_PAGE,
	KEY = BOTH | FIGURE_KEY,
	SHOWN_KEY = SHOWN | FIGURE_KEY,
};

static const struct figure class_figures[] = {
	{ "freed_bytes", "bytes", FIGURE_NUMBER, SHOWN_KEY, .value = row_freed,
	  .help = "bytes that merging equal objects frees" },
	{ "share", "share", FIGURE_NUMBER, SHOWN_KEY, .value = finding_share,
	  .help = "share of the heap that merging equal objects frees" },
	{ "bytes", "bytes", FIGURE_NUMBER, SHOWN_KEY, .value = row_bytes,
	  .help = "bytes of the objects" },
	{ "objects", "count", FIGURE_NUMBER, SHOWN_KEY, .value = finding_count, .help = "objects" },
	{ "distinct", "count", FIGURE_NUMBER, SHOWN_KEY, .value = row_distinct,
	  .help = "objects that differ" },
	{ "largest", "count", FIGURE_NUMBER, SHOWN_KEY, .value = row_largest,
	  .help = "objects of the largest group of equal ones" },
	{ "distinct_shallow", "count", FIGURE_NUMBER, KEY, .value = row_distinct_shallow,
	  .help = "objects that differ, where references to equal objects differ, too" },
	{ "freed_shallow_bytes", "bytes", FIGURE_NUMBER, KEY, .value = row_freed_shallow,
	  .help = "bytes that merging frees if references to equal objects differ" },
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ "value", NULL, FIGURE_TEXT, SHOWN, .text = row_value },
	{ .name = NULL },
};

static const struct figure holder_figures[] = {
	{ "freed_bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_freed },
	{ "share", "share", FIGURE_NUMBER, SHOWN, .value = finding_share },
	{ "copies", "count", FIGURE_NUMBER, SHOWN, .value = finding_count },
	{ "distinct", "count", FIGURE_NUMBER, SHOWN, .value = row_distinct },
	{ "largest", "count", FIGURE_NUMBER, SHOWN, .value = row_largest },
	{ "held_bytes", "bytes", FIGURE_NUMBER, BOTH, .value = row_bytes },
	{ "shared", "count", FIGURE_NUMBER, BOTH, .value = row_shared },
	{ "holder", NULL, FIGURE_TEXT, SHOWN, .text = row_label },
	{ "path", NULL, FIGURE_TEXT, SHOWN, .text = row_path },
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ "value", NULL, FIGURE_TEXT, SHOWN, .text = row_value },
	{ .name = NULL },
};

static const struct figure site_figures[] = {
	{ "freed_bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_freed },
	{ "share", "share", FIGURE_NUMBER, SHOWN, .value = finding_share },
	{ "allocated_bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_made },
	{ "of_class", "share", FIGURE_NUMBER, SHOWN, .value = row_of_class },
	{ "line", NULL, FIGURE_TEXT, SHOWN, .text = row_label },
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ .name = NULL },
};

static const struct figure wasteful_figures[] = {
	{ "wasted_bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_wasted },
	{ "share", "share", FIGURE_NUMBER, SHOWN, .value = finding_share },
	{ "bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_bytes },
	{ "objects", "count", FIGURE_NUMBER, SHOWN, .value = finding_count },
	{ "problem", NULL, FIGURE_TEXT, SHOWN, .text = row_label },
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ .name = NULL },
};

/* ---- figures of the heap ----------------------------------------------------------------- */

static const struct heap_report *report_of(const void *finding)
{
	return *(struct heap_report *const *)((const struct finding *)finding)->own;
}

#define TOTAL(name)                                                  \
	static double total_##name(const void *finding)              \
	{                                                            \
		return (double)report_of(finding)->merge.total.name; \
	}

TOTAL(objects)
TOTAL(bytes)
TOTAL(distinct)
TOTAL(distinct_shallow)
TOTAL(freed)
TOTAL(freed_shallow)

static double total_share(const void *finding)
{
	return total_freed(finding) / total_bytes(finding);
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

static const struct figure equal_figures[] = {
	{ "objects", "count", FIGURE_NUMBER, FIGURE_JSON, .value = total_objects },
	{ "bytes", "bytes", FIGURE_NUMBER, FIGURE_JSON, .value = total_bytes },
	{ "distinct", "count", FIGURE_NUMBER, FIGURE_JSON, .value = total_distinct },
	{ "freed_bytes", "bytes", FIGURE_NUMBER, FIGURE_JSON, .value = total_freed },
	{ "share", "share", FIGURE_NUMBER, FIGURE_JSON | FIGURE_HEADLINE, .value = total_share },
	{ "distinct_shallow", "count", FIGURE_NUMBER, FIGURE_JSON,
	  .value = total_distinct_shallow },
	{ "freed_shallow_bytes", "bytes", FIGURE_NUMBER, FIGURE_JSON,
	  .value = total_freed_shallow },
	{ .name = NULL },
};

static const struct figure waste_figures[] = {
	{ "wasted_bytes", "bytes", FIGURE_NUMBER, FIGURE_JSON, .value = total_wasted },
	{ "share", "share", FIGURE_NUMBER, FIGURE_JSON | FIGURE_HEADLINE, .value = wasted_share },
	{ .name = NULL },
};

static void put_count(FILE *out, double n, const char *what)
{
	char text[UNITS_TEXT];

	fprintf(out, "%s %s", units_count(text, n), what);
}

static void tell_equal(FILE *out, const struct style *s, const struct finding *f)
{
	char text[UNITS_TEXT], share[UNITS_TEXT];

	fprintf(out, "%sequal objects%s: ", style_on(s, INK_BOLD), style_off(s, INK_BOLD));
	if (report_of(f)->heap.erased) {
		fputs("not told, since the contents are erased\n", out);
		return;
	}
	put_count(out, total_objects(f), "objects have ");
	put_count(out, total_distinct(f), "contents; ");
	fprintf(out, "merging all frees %s, %s %%, exactly\n", units_bytes(text, total_freed(f)),
		units_percent(share, total_share(f)));
}

static void tell_waste(FILE *out, const struct style *s, const struct finding *f)
{
	char text[UNITS_TEXT], share[UNITS_TEXT];

	fprintf(out, "%sobjects that hold little%s: %s, %s %%\n", style_on(s, INK_BOLD),
		style_off(s, INK_BOLD), units_bytes(text, total_wasted(f)),
		units_percent(share, wasted_share(f)));
}

/* ---- the table of kinds -------------------------------------------------------------------- */

static const struct finding_table_kind classes = {
	.key = "classes",
	.title = "by class",
	.one = "class",
	.many = "classes",
	.minor = " without equal objects",
	.figures = class_figures,
	.shown = 15,
	.of_objects = true,
};

static const struct finding_table_kind holders = {
	.key = "holders",
	.title = "who holds the copies",
	.one = "field",
	.many = "fields",
	.figures = holder_figures,
	.shown = 15,
	.of_objects = true,
};

static const struct finding_table_kind sites = {
	.key = "sites",
	.title = "where the recording has their classes allocated; copies in proportion to that",
	.one = "line",
	.many = "lines",
	.figures = site_figures,
	.shown = 15,
	.of_objects = true,
};

static const struct finding_table_kind problems = {
	.key = "problems",
	.one = "problem",
	.many = "problems",
	.figures = wasteful_figures,
	.shown = 15,
	.of_objects = true,
};

static const struct finding_kind equal = { .name = "equal",
					   .title = "equal objects",
					   .counted = "objects",
					   .figures = equal_figures,
					   .tables = { &classes, &holders, &sites },
					   .tell = tell_equal };
static const struct finding_kind wasteful = { .name = "wasteful",
					      .title = "objects that hold little",
					      .counted = "objects",
					      .figures = waste_figures,
					      .tables = { &problems },
					      .tell = tell_waste };

static const struct analysis heap_analysis = {
	.key = "heap",
	.title = "Heap",
	.about = "objects of a heap dump",
	.kinds = { &equal, &wasteful },
};

const struct analysis *const heap_analyses[] = { &heap_analysis, NULL };

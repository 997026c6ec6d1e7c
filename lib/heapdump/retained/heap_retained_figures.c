/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_retained_figures.c - see heap_report.h: the figures of what objects, fields and classes keep
 * alive.
 */
#include "base/units.h"
#include "heapdump/heap_findings.h"

/* ---- figures ------------------------------------------------------------------------------- */

static const struct heap_row *of(const void *row)
{
	return row;
}

static double row_retained(const void *row)
{
	return (double)of(row)->retained;
}

static const char *row_most(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return of(row)->path;
}

enum { BOTH = FIGURE_JSON | FIGURE_CSV, SHOWN = BOTH | FIGURE_PAGE };

#define AMOUNTS                                                                     \
	{ "retained_bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = row_retained }, \
		{ "share", "share", FIGURE_NUMBER, SHOWN, .value = finding_share }, \
	{                                                                           \
		"bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = heap_row_bytes     \
	}

static const struct figure object_figures[] = {
	AMOUNTS,
	{ "object", NULL, FIGURE_TEXT, SHOWN, .text = heap_row_label },
	{ "class", NULL, FIGURE_TEXT, BOTH, .text = finding_class },
	{ "most_in", NULL, FIGURE_TEXT, SHOWN, .text = row_most },
	{ "root_path", NULL, FIGURE_TEXT, SHOWN, .text = heap_row_root_path },
	{ .name = NULL },
};

static const struct figure field_figures[] = {
	AMOUNTS,
	{ "objects", "count", FIGURE_NUMBER, SHOWN, .value = finding_count },
	{ "holder", NULL, FIGURE_TEXT, SHOWN, .text = heap_row_label },
	{ .name = NULL },
};

static const struct figure class_figures[] = {
	AMOUNTS,
	{ "objects", "count", FIGURE_NUMBER, SHOWN, .value = finding_count },
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ .name = NULL },
};

static const struct heap_report *report_of(const void *finding)
{
	return *(struct heap_report *const *)((const struct finding *)finding)->own;
}

#define SUM(name)                                                \
	static double name##_objects(const void *finding)        \
	{                                                        \
		return (double)report_of(finding)->name.objects; \
	}                                                        \
	static double name##_bytes(const void *finding)          \
	{                                                        \
		return (double)report_of(finding)->name.bytes;   \
	}

SUM(held)
SUM(weak)
SUM(dead)

static double largest_share(const void *finding)
{
	const struct finding_table *t = &((const struct finding *)finding)->table[0];

	return t->all ? ((const struct finding_row *)t->rows)->share : 0;
}

#define TOTAL(what, name, number)                                       \
	{                                                               \
		what, name, FIGURE_NUMBER, FIGURE_JSON, .value = number \
	}

static const struct figure figures[] = {
	TOTAL("held_objects", "count", held_objects),
	TOTAL("held_bytes", "bytes", held_bytes),
	TOTAL("weak_objects", "count", weak_objects),
	TOTAL("weak_bytes", "bytes", weak_bytes),
	TOTAL("dead_objects", "count", dead_objects),
	TOTAL("dead_bytes", "bytes", dead_bytes),
	{ "largest_share", "share", FIGURE_NUMBER, FIGURE_JSON | FIGURE_HEADLINE,
	  .value = largest_share },
	{ .name = NULL },
};

static void tell(FILE *out, const struct style *s, const struct finding *f)
{
	char held[UNITS_TEXT], weak[UNITS_TEXT], dead[UNITS_TEXT];

	fprintf(out,
		"%sretained%s: roots hold %s, weak references alone lead to %s, nothing to %s\n",
		style_on(s, INK_BOLD), style_off(s, INK_BOLD), units_bytes(held, held_bytes(f)),
		units_bytes(weak, weak_bytes(f)), units_bytes(dead, dead_bytes(f)));
}

static const struct finding_table_kind objects = {
	.key = "objects",
	.title = "objects that no other object holds, with all that goes if they go",
	.one = "object",
	.many = "objects",
	.figures = object_figures,
	.shown = 15,
	.of_objects = true,
};

static const struct finding_table_kind fields = {
	.key = "fields",
	.title = "fields, with all that goes if they are null",
	.one = "field",
	.many = "fields",
	.figures = field_figures,
	.shown = 15,
	.of_objects = true,
};

static const struct finding_table_kind classes = {
	.key = "classes",
	.title = "classes, with all that goes if their objects go",
	.one = "class",
	.many = "classes",
	.figures = class_figures,
	.shown = 15,
	.of_objects = true,
};

const struct finding_kind heap_retained_kind = { .name = "retained",
						 .title = "retained",
						 .counted = "objects",
						 .figures = figures,
						 .tables = { &objects, &fields, &classes },
						 .tell = tell };

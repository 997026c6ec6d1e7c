/* SPDX-License-Identifier: Apache-2.0 */
/* equality_analysis.c - see equality_analysis.h. */
#include "analyse/equality/equality_analysis.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analyse/equality/equality.h"
#include "analyse/equality/equality_words.h"

static const struct analysis_event events[] = {
	{ "equality",
	  "which new objects of any class have an equal one, and what a cache would hold",
	  { .allocations = true, .flags = WIRE_WINDOWS } },
	{ .name = NULL },
};

/* ---- what was recorded ----------------------------------------------------------------------- */

static void sum_up(FILE *out, const struct model *m, const struct analysis_needs *needs,
		   const struct file_status *all)
{
	const struct equality_store *store = equality_store_of(m);

	if (!needs->objects)
		fprintf(out, "%" PRIu64 " objects sampled, ", all->sampled);
	fprintf(out, "%" PRIu64 " new objects compared, ", store->objects);
}

static bool seen(const struct model *m)
{
	const struct equality_store *store = equality_store_of(m);

	return store && store->windows > 0;
}

/* ---- figures --------------------------------------------------------------------------------- */

static const struct equality_row *row_of(const void *row)
{
	return row;
}

static const struct equality_line *line_of(const void *row)
{
	return row;
}

static const struct equality *of(const void *finding)
{
	return ((const struct finding *)finding)->own;
}

#define VALUE(name, expression)             \
	static double name(const void *row) \
	{                                   \
		return expression;          \
	}

/* Rows know their intervals at the report's confidence only. */
#define ESTIMATE(name, expression)                                         \
	VALUE(name, (expression).value)                                    \
	static struct bounds_range name##_range(const void *row, double z) \
	{                                                                  \
		(void)z;                                                   \
		return (expression).range;                                 \
	}

#define CONDITION(name, which)                                               \
	static const char *name(const void *row, char room[FIGURE_TEXT_MAX]) \
	{                                                                    \
		(void)room;                                                  \
		return equality_state_name(row_of(row)->condition[which]);   \
	}

VALUE(objects, row_of(row)->objects)
VALUE(bytes, row_of(row)->bytes)
VALUE(windows, (double)row_of(row)->windows)
VALUE(contents, (double)row_of(row)->contents)
VALUE(unknown, row_of(row)->unknown)
VALUE(addresses, row_of(row)->addresses)
VALUE(hashed, (double)row_of(row)->hashed)
VALUE(locked, (double)row_of(row)->locked)
ESTIMATE(equal, row_of(row)->equal)
ESTIMATE(equal_bytes, row_of(row)->equal_bytes)
ESTIMATE(mergeable, row_of(row)->mergeable)
ESTIMATE(pairs, row_of(row)->pairs)
ESTIMATE(largest, row_of(row)->largest)
ESTIMATE(held_16, row_of(row)->held[0])
ESTIMATE(held_256, row_of(row)->held[1])
ESTIMATE(held_4096, row_of(row)->held[2])
CONDITION(same_class, EQUALITY_SAME_CLASS)
CONDITION(same_fields, EQUALITY_SAME_FIELDS)
CONDITION(no_identity, EQUALITY_NO_IDENTITY)
CONDITION(unchanged, EQUALITY_UNCHANGED)
CONDITION(no_side_effects, EQUALITY_NO_SIDE_EFFECTS)
VALUE(line_objects, line_of(row)->objects)
VALUE(line_bytes, line_of(row)->bytes)
ESTIMATE(line_equal, line_of(row)->equal)
ESTIMATE(hits_16, line_of(row)->hits[0])
ESTIMATE(hits_256, line_of(row)->hits[1])
ESTIMATE(hits_4096, line_of(row)->hits[2])
VALUE(all_objects, (double)of(row)->objects)
VALUE(all_windows, (double)of(row)->windows)
ESTIMATE(all_equal, of(row)->equal)

enum {
	BOTH = FIGURE_JSON | FIGURE_CSV,
	SHOWN = BOTH | FIGURE_PAGE,
	NUMBER = BOTH | FIGURE_KEY,
	COLUMN = NUMBER | FIGURE_PAGE,
};

#define NUMBERS(figure, unit_of, of, ...)                                            \
	{                                                                            \
		.name = figure, .unit = unit_of, .kind = FIGURE_NUMBER, .value = of, \
		.range = of##_range, .range_name = figure "_ci", __VA_ARGS__         \
	}

static const struct figure class_figures[] = {
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ "pid", NULL, FIGURE_NUMBER, BOTH, .value = finding_pid },
	{ "objects", "count", FIGURE_NUMBER, NUMBER, .value = objects,
	  .help = "objects allocated" },
	{ "bytes", "bytes", FIGURE_NUMBER, COLUMN, .value = bytes, .help = "bytes allocated" },
	{ "share", "share", FIGURE_NUMBER, COLUMN, .value = finding_share,
	  .help = "bytes allocated in those of all classes" },
	{ "looked_at", "count", FIGURE_NUMBER, NUMBER, .value = finding_count,
	  .help = "objects that were compared" },
	{ "windows", "count", FIGURE_NUMBER, BOTH, .value = windows },
	{ "contents", "count", FIGURE_NUMBER, BOTH, .value = contents },
	NUMBERS("mergeable_bytes", "bytes", mergeable, .flags = COLUMN, .key = "mergeable",
		.help = "bytes of objects that have an equal, at least"),
	NUMBERS("equal", "share", equal, .flags = COLUMN,
		.help = "objects that have an equal, at least"),
	NUMBERS("equal_bytes", "share", equal_bytes, .flags = NUMBER,
		.help = "the same of the bytes"),
	NUMBERS("largest", "share", largest, .flags = COLUMN,
		.help = "objects with the commonest content"),
	NUMBERS("pair_probability", "share", pairs, .flags = NUMBER,
		.help = "probability that two objects are equal"),
	NUMBERS("held_16", "share", held_16, .flags = COLUMN,
		.help = "objects with one of the 16 commonest contents"),
	NUMBERS("held_256", "share", held_256, .flags = NUMBER,
		.help = "objects with one of the 256 commonest contents"),
	NUMBERS("held_4096", "share", held_4096, .flags = NUMBER,
		.help = "objects with one of the 4096 commonest contents"),
	{ "unknown", "share", FIGURE_NUMBER, BOTH, .value = unknown },
	{ "by_address", "share", FIGURE_NUMBER, BOTH, .value = addresses },
	{ "hashed", "count", FIGURE_NUMBER, BOTH, .value = hashed },
	{ "locked", "count", FIGURE_NUMBER, BOTH, .value = locked },
	{ "same_class", NULL, FIGURE_TEXT, BOTH, .text = same_class },
	{ "equal_fields", NULL, FIGURE_TEXT, BOTH, .text = same_fields },
	{ "identity_not_used", NULL, FIGURE_TEXT, BOTH, .text = no_identity },
	{ "never_changed", NULL, FIGURE_TEXT, BOTH, .text = unchanged },
	{ "no_side_effects", NULL, FIGURE_TEXT, BOTH, .text = no_side_effects },
	{ .name = NULL },
};

static const struct figure line_figures[] = {
	{ "class", NULL, FIGURE_TEXT, SHOWN, .text = finding_class },
	{ "alloc_stack", NULL, FIGURE_STACK, BOTH, .at = 0 },
	{ "pid", NULL, FIGURE_NUMBER, BOTH, .value = finding_pid },
	{ "objects", "count", FIGURE_NUMBER, BOTH, .value = line_objects },
	{ "bytes", "bytes", FIGURE_NUMBER, SHOWN, .value = line_bytes },
	{ "share", "share", FIGURE_NUMBER, SHOWN, .value = finding_share },
	{ "looked_at", "count", FIGURE_NUMBER, BOTH, .value = finding_count },
	NUMBERS("equal", "share", line_equal, .flags = SHOWN),
	NUMBERS("hits_16", "share", hits_16, .flags = SHOWN),
	NUMBERS("hits_256", "share", hits_256, .flags = BOTH),
	NUMBERS("hits_4096", "share", hits_4096, .flags = SHOWN),
	{ .name = NULL },
};

#define EQUAL                                                                                 \
	"equal_bytes", "share", FIGURE_NUMBER, FIGURE_ALL,                                    \
		.value = all_equal, .range = all_equal_range, .range_name = "equal_bytes_ci", \
		.help = "bytes of objects that have an equal, at least"

static const struct figure headline = { EQUAL };

static const struct figure all_figures[] = {
	{ "kind", NULL, FIGURE_TEXT, FIGURE_JSON, .text = finding_name },
	{ "looked_at", "count", FIGURE_NUMBER, FIGURE_JSON, .value = all_objects },
	{ "windows", "count", FIGURE_NUMBER, FIGURE_JSON, .value = all_windows },
	{ EQUAL },
	{ .name = NULL },
};

/* ---- the kind -------------------------------------------------------------------------------- */

static const struct finding_table_kind classes = {
	.one = "class",
	.many = "classes",
	.figures = class_figures,
	.shown = 10,
	.of_objects = true,
	.head = equality_head,
	.lines = equality_put_lines,
};

static const struct finding_table_kind lines = {
	.key = "lines",
	.title = "the lines that make them, by sampled objects",
	.one = "line",
	.many = "lines",
	.figures = line_figures,
	.shown = 10,
	.of_objects = true,
	.stack_title = { "allocated at" },
	.head = equality_line_head,
	.of_context = equality_of_context,
};

static const struct finding_kind kind = { .name = "equality",
					  .title = "equality",
					  .counted = "objects",
					  .figures = all_figures,
					  .headline = &headline,
					  .tables = { &classes, &lines },
					  .tell = equality_tell };

static const struct finding_kind *const kinds[] = { &kind, NULL };

static int find(struct finding *to, const struct model *m, const struct findings_options *options)
{
	struct equality *own = malloc(sizeof *own);

	if (!own)
		return -1;
	if (equality_compute(own, m, options) < 0) {
		free(own);
		return -1;
	}
	to->own = own;
	to->seen = own->nrows > 0 || (!options->contexts && seen(m));
	to->count = own->objects;
	to->least = 0;
	finding_add_table(to, own->rows, own->nrows, sizeof *own->rows);
	finding_add_table(to, own->lines, own->nlines, sizeof *own->lines);
	own->rows = NULL;
	own->lines = NULL;
	own->nrows = own->nlines = 0;
	return 0;
}

const struct analysis equality_analysis = {
	.key = "equality",
	.title = "Equality",
	.about = "equal objects",
	.events = events,
	.store_size = sizeof(struct equality_store),
	.records = equality_records,
	.release = equality_store_release,
	.seen = seen,
	.sum_up = sum_up,
	.totals_key = "equality_totals",
	.kinds = kinds,
	.find = find,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* lifetime_analysis.c - see lifetime_analysis.h. */
#include "analyse/lifetime/lifetime_analysis.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analyse/lifetime/lifetime.h"
#include "analyse/lifetime/lifetime_advice.h"
#include "analyse/lifetime/lifetime_words.h"

static const struct analysis_event events[] = {
	{ "lifetime",
	  "how long objects live and are used, by where they were allocated; and what grows",
	  { .allocations = true, .flags = WIRE_LIVES } },
	{ .name = NULL },
};

/* ---- what was recorded ----------------------------------------------------------------------- */

static size_t living(const struct life_store *store)
{
	size_t n = 0;

	for (uint32_t j = 0; j < store->njvms; j++)
		n += store->census[j].n;
	return n;
}

static void sum_up(FILE *out, const struct model *m, const struct analysis_needs *needs,
		   const struct file_status *all)
{
	const struct life_store *store = life_store_of(m);

	if (!needs->objects)
		fprintf(out, "%" PRIu64 " objects sampled, ", all->sampled);
	fprintf(out, "%zu lives followed to the end and %zu not, ", store->n, living(store));
}

static bool seen(const struct model *m)
{
	const struct life_store *store = life_store_of(m);

	return store && (store->n > 0 || living(store) > 0);
}

/* ---- figures of lines ------------------------------------------------------------------------ */

static const struct lifetime_line *line_of(const void *row)
{
	return row;
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

VALUE(objects, line_of(row)->objects)
VALUE(bytes, line_of(row)->bytes)
VALUE(number, line_of(row)->number)
VALUE(followed, line_of(row)->followed)
ESTIMATE(median_s, line_of(row)->median[LIFETIME_SECONDS])
ESTIMATE(most_s, line_of(row)->most[LIFETIME_SECONDS])
ESTIMATE(median_gcs, line_of(row)->median[LIFETIME_COLLECTIONS])
ESTIMATE(most_gcs, line_of(row)->most[LIFETIME_COLLECTIONS])
ESTIMATE(median_bytes, line_of(row)->median[LIFETIME_BYTES])
ESTIMATE(most_bytes, line_of(row)->most[LIFETIME_BYTES])
ESTIMATE(survive_1, line_of(row)->survivors[0])
ESTIMATE(survive_2, line_of(row)->survivors[1])
ESTIMATE(survive_5, line_of(row)->survivors[2])
ESTIMATE(survive_15, line_of(row)->survivors[3])
ESTIMATE(alive, line_of(row)->alive)
ESTIMATE(growth, line_of(row)->growth)
VALUE(watched, (double)line_of(row)->uses.n)
ESTIMATE(held, line_of(row)->held)
ESTIMATE(drag, line_of(row)->uses.drag)
ESTIMATE(dragged, line_of(row)->dragged)
ESTIMATE(idle, line_of(row)->uses.idle)
ESTIMATE(unused, line_of(row)->uses.unused)
ESTIMATE(in_use, line_of(row)->uses.in_use)

static const char *advice(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return line_of(row)->advice ? line_of(row)->advice->name : NULL;
}

static size_t survival(const void *row, const struct figure_point **points)
{
	const struct lifetime_curves *c = line_of(row)->curves;

	*points = c ? c->age : NULL;
	return c ? c->nages : 0;
}

static size_t alive_over_time(const void *row, const struct figure_point **points)
{
	const struct lifetime_curves *c = line_of(row)->curves;

	*points = c ? c->time : NULL;
	return c ? c->ntimes : 0;
}

static void release_curves(struct finding_row *row)
{
	free(((struct lifetime_line *)row)->curves);
}

enum {
	BOTH = FIGURE_JSON | FIGURE_CSV,
	NUMBER = BOTH | FIGURE_KEY,
	COLUMN = NUMBER | FIGURE_PAGE,
};

#define NUMBERS(figure, unit_of, of, ...)                                            \
	{                                                                            \
		.name = figure, .unit = unit_of, .kind = FIGURE_NUMBER, .value = of, \
		.range = of##_range, .range_name = figure "_ci", __VA_ARGS__         \
	}

static const struct figure line_figures[] = {
	{ "class", NULL, FIGURE_TEXT, BOTH | FIGURE_PAGE, .text = finding_class },
	{ "alloc_stack", NULL, FIGURE_STACK, BOTH, .at = 0 },
	{ "pid", NULL, FIGURE_NUMBER, BOTH, .value = finding_pid },
	{ "objects", "count", FIGURE_NUMBER, NUMBER, .value = objects,
	  .help = "objects allocated" },
	{ "bytes", "bytes", FIGURE_NUMBER, COLUMN, .value = bytes, .help = "bytes allocated" },
	{ "share", "share", FIGURE_NUMBER, COLUMN, .value = finding_share,
	  .help = "bytes allocated in those of all lines" },
	{ "lives", "count", FIGURE_NUMBER, NUMBER, .value = finding_count,
	  .help = "objects whose lives are known" },
	{ "effective_lives", NULL, FIGURE_NUMBER, BOTH, .value = number },
	{ "followed", "share", FIGURE_NUMBER, BOTH, .value = followed },
	NUMBERS("median_s", "seconds", median_s, .flags = COLUMN, .key = "lifetime",
		.help = "seconds that half of the objects live at most"),
	NUMBERS("p90_s", "seconds", most_s, .flags = NUMBER,
		.help = "seconds that 90 % of the objects live at most"),
	NUMBERS("median_collections", NULL, median_gcs, .flags = NUMBER,
		.help = "collections that half of the objects survive at most"),
	NUMBERS("p90_collections", NULL, most_gcs, .flags = NUMBER,
		.help = "collections that 90 % of the objects survive at most"),
	NUMBERS("median_bytes", NULL, median_bytes, .flags = NUMBER,
		.help = "bytes that the JVM allocates while half of the objects live"),
	NUMBERS("p90_bytes", NULL, most_bytes, .flags = NUMBER,
		.help = "bytes that the JVM allocates while 90 % of the objects live"),
	NUMBERS("survive_1", "share", survive_1, .flags = COLUMN, .key = "survivors",
		.help = "objects that survive a collection"),
	NUMBERS("survive_2", "share", survive_2, .flags = NUMBER,
		.help = "objects that survive 2 collections"),
	NUMBERS("survive_5", "share", survive_5, .flags = NUMBER,
		.help = "objects that survive 5 collections"),
	NUMBERS("survive_15", "share", survive_15, .flags = NUMBER,
		.help = "objects that survive 15 collections"),
	NUMBERS("alive", NULL, alive, .flags = NUMBER, .help = "objects alive at the last look"),
	NUMBERS("growth", "bytes per minute", growth, .flags = COLUMN,
		.help = "bytes by which what is alive grows in a minute"),
	{ "watches", "count", FIGURE_NUMBER, BOTH, .value = watched },
	NUMBERS("held", "bytes", held, .flags = NUMBER,
		.help = "bytes of objects that have survived a collection, on average"),
	NUMBERS("drag", "share", drag, .flags = NUMBER,
		.help = "part of their time after their last use"),
	NUMBERS("dragged", "bytes", dragged, .flags = COLUMN, .key = "drag",
		.help = "bytes held after their last use, on average"),
	NUMBERS("idle", "share", idle, .flags = NUMBER,
		.help = "part of their time from which on they are not used for 10 s"),
	NUMBERS("unused", "share", unused, .flags = NUMBER, .key = "unused",
		.help = "objects not used after their first collection"),
	NUMBERS("in_use", "share", in_use, .flags = NUMBER,
		.help = "part of their time from which on they are used within 0.1 s"),
	{ "advice", NULL, FIGURE_TEXT, BOTH | FIGURE_PAGE, .text = advice },
	{ "survival", "share", FIGURE_CURVE, FIGURE_JSON | FIGURE_PAGE | FIGURE_LOG,
	  .curve = survival, .across = "age", .help = "share of the objects that is still alive" },
	{ "alive_over_time", "count", FIGURE_CURVE, FIGURE_JSON | FIGURE_PAGE,
	  .curve = alive_over_time, .across = "time since the start", .help = "objects alive" },
	{ .name = NULL },
};

/* ---- figures as a whole ---------------------------------------------------------------------- */

static const struct lifetime *of(const void *finding)
{
	return ((const struct finding *)finding)->own;
}

static double lives(const void *finding)
{
	return (double)of(finding)->lives;
}

static double ended(const void *finding)
{
	return (double)of(finding)->ended;
}

static double watches(const void *finding)
{
	return (double)of(finding)->uses.n;
}

static double all_drag(const void *finding)
{
	return of(finding)->uses.drag.value;
}

static struct bounds_range all_drag_range(const void *finding, double z)
{
	(void)z;
	return of(finding)->uses.drag.range;
}

static double seconds(const void *finding)
{
	return of(finding)->seconds;
}

static double marked(const void *finding)
{
	return of(finding)->marked > 0 ? of(finding)->marked : NAN;
}

static double survivors(const void *finding)
{
	return of(finding)->survivors.value;
}

static struct bounds_range survivors_range(const void *finding, double z)
{
	return survival_range(&of(finding)->survivors, z);
}

#define SURVIVORS                                                                           \
	"survivors", "share", FIGURE_NUMBER, FIGURE_ALL,                                    \
		.value = survivors, .range = survivors_range, .range_name = "survivors_ci", \
		.help = "bytes that survive a collection in all that are allocated"

static const struct figure headline = { SURVIVORS };

static const struct figure all_figures[] = {
	{ "kind", NULL, FIGURE_TEXT, FIGURE_JSON, .text = finding_name },
	{ "lives", "count", FIGURE_NUMBER, FIGURE_JSON, .value = lives },
	{ "ended", "count", FIGURE_NUMBER, FIGURE_JSON, .value = ended },
	{ "watches", "count", FIGURE_NUMBER, FIGURE_JSON, .value = watches },
	{ "drag", "share", FIGURE_NUMBER, FIGURE_JSON, .value = all_drag, .range = all_drag_range,
	  .range_name = "drag_ci" },
	{ "seconds", NULL, FIGURE_NUMBER, FIGURE_JSON, .value = seconds },
	{ "old_generation_seen_s", NULL, FIGURE_NUMBER, FIGURE_JSON, .value = marked },
	{ SURVIVORS },
	{ .name = NULL },
};

/* ---- the kind -------------------------------------------------------------------------------- */

static const struct finding_table_kind lines = {
	.one = "line",
	.many = "lines",
	.figures = line_figures,
	.shown = 10,
	.of_objects = true,
	.stack_title = { "allocated at" },
	.head = lifetime_head,
	.lines = lifetime_put_lines,
	.of_context = lifetime_of_context,
	.release = release_curves,
};

static const struct finding_kind kind = { .name = "lifetime",
					  .title = "lifetimes",
					  .counted = "lives",
					  .figures = all_figures,
					  .headline = &headline,
					  .tables = { &lines },
					  .tell = lifetime_tell };

static const struct finding_kind *const kinds[] = { &kind, NULL };

static int find(struct finding *to, const struct model *m, const struct findings_options *options)
{
	struct lifetime *own = malloc(sizeof *own);

	if (!own)
		return -1;
	if (lifetime_compute(own, m, options) < 0) {
		free(own);
		return -1;
	}
	to->own = own;
	to->seen = own->lives > 0 || (!options->contexts && seen(m));
	to->count = own->lives;
	to->least = 0;
	finding_add_table(to, own->lines, own->nlines, sizeof *own->lines);
	own->lines = NULL;
	own->nlines = 0;
	return 0;
}

/* ---- exports --------------------------------------------------------------------------------- */

static double alive_of(const struct finding *f, const struct finding_row *row,
		       const struct finding_path *path)
{
	return path || f->kind != &kind ? NAN : alive(row);
}

static const struct analysis_metric metrics[] = {
	{ "alive", "count", "objects alive at the last look, on the stacks of the allocations",
	  alive_of },
	{ .name = NULL },
};

const struct analysis lifetime_analysis = {
	.key = "lifetime",
	.title = "Lifetimes",
	.about = "lives of objects",
	.events = events,
	.store_size = sizeof(struct life_store),
	.records = life_records,
	.whole = true,
	.release = life_store_release,
	.thin = life_store_thin,
	.seen = seen,
	.sum_up = sum_up,
	.totals_key = "lifetime_totals",
	.kinds = kinds,
	.metrics = metrics,
	.find = find,
};

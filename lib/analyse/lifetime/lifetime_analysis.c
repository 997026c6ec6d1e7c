/* SPDX-License-Identifier: Apache-2.0 */
/* lifetime_analysis.c - see lifetime_analysis.h. */
#include "analyse/lifetime/lifetime_analysis.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analyse/lifetime/lifetime.h"
#include "analyse/lifetime/lifetime_text.h"

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

static const char *advice(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return line_of(row)->advice ? line_of(row)->advice->rule.name : NULL;
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

#define MEMBER(of) FIGURE_MEMBER(struct lifetime_line, of)
#define NUMBERS(figure, unit_of, of, ...)                                                          \
	{                                                                                          \
		.name = figure, .unit = unit_of, .kind = FIGURE_NUMBER,                            \
		FIGURE_ESTIMATE(struct lifetime_line, of), .range_name = figure "_ci", __VA_ARGS__ \
	}

static const struct figure line_figures[] = {
	{ "class", NULL, FIGURE_TEXT, BOTH | FIGURE_PAGE, .text = finding_class },
	{ "alloc_stack", NULL, FIGURE_STACK, BOTH, .at = 0 },
	{ "pid", NULL, FIGURE_NUMBER, BOTH, .value = finding_pid },
	{ "objects", "count", FIGURE_NUMBER, NUMBER, MEMBER(objects), .help = "objects allocated" },
	{ "bytes", "bytes", FIGURE_NUMBER, COLUMN, MEMBER(bytes), .help = "bytes allocated" },
	{ "share", "share", FIGURE_NUMBER, COLUMN, .value = finding_share,
	  .help = "share of the bytes that all lines allocate" },
	{ "lives", "count", FIGURE_NUMBER, NUMBER, .value = finding_count,
	  .help = "objects whose lives are known" },
	{ "effective_lives", NULL, FIGURE_NUMBER, BOTH, MEMBER(number) },
	{ "followed", "share", FIGURE_NUMBER, BOTH, MEMBER(followed) },
	NUMBERS("median_s", "seconds", median[LIFETIME_SECONDS], .flags = COLUMN, .key = "lifetime",
		.help = "seconds that half of the objects live at most"),
	NUMBERS("p90_s", "seconds", most[LIFETIME_SECONDS], .flags = NUMBER,
		.help = "seconds that 90 % of the objects live at most"),
	NUMBERS("median_collections", NULL, median[LIFETIME_COLLECTIONS], .flags = NUMBER,
		.help = "collections that half of the objects survive at most"),
	NUMBERS("p90_collections", NULL, most[LIFETIME_COLLECTIONS], .flags = NUMBER,
		.help = "collections that 90 % of the objects survive at most"),
	NUMBERS("median_bytes", NULL, median[LIFETIME_BYTES], .flags = NUMBER,
		.help = "bytes that the JVM allocates while half of the objects live"),
	NUMBERS("p90_bytes", NULL, most[LIFETIME_BYTES], .flags = NUMBER,
		.help = "bytes that the JVM allocates while 90 % of the objects live"),
	NUMBERS("survive_1", "share", survivors[0], .flags = COLUMN, .key = "survivors",
		.help = "objects that survive a collection"),
	NUMBERS("survive_2", "share", survivors[1], .flags = NUMBER,
		.help = "objects that survive 2 collections"),
	NUMBERS("survive_5", "share", survivors[2], .flags = NUMBER,
		.help = "objects that survive 5 collections"),
	NUMBERS("survive_15", "share", survivors[3], .flags = NUMBER,
		.help = "objects that survive 15 collections"),
	NUMBERS("survived_bytes", "bytes", survived, .flags = BOTH,
		.help = "bytes of objects that survive a collection"),
	NUMBERS("alive", NULL, alive, .flags = NUMBER, .help = "objects alive at the last look"),
	NUMBERS("growth", "bytes per minute", growth, .flags = COLUMN,
		.help = "bytes by which what is alive grows in a minute"),
	{ "watches", "count", FIGURE_NUMBER, BOTH, MEMBER(uses.n) },
	NUMBERS("held", "bytes", held, .flags = NUMBER,
		.help = "bytes of objects that have survived a collection, on average"),
	NUMBERS("drag", "share", uses.drag, .flags = NUMBER,
		.help = "part of their time after their last use"),
	NUMBERS("dragged", "bytes", dragged, .flags = COLUMN,
		.help = "bytes held after their last use, on average"),
	NUMBERS("idle", "share", uses.idle, .flags = NUMBER,
		.help = "part of their time that is followed by 10 s without a use"),
	NUMBERS("unused", "share", uses.unused, .flags = NUMBER, .key = "unused",
		.help = "objects not used after their first collection"),
	NUMBERS("in_use", "share", uses.in_use, .flags = NUMBER,
		.help = "part of their time that is followed by a use within 0.1 s"),
	{ "advice", NULL, FIGURE_TEXT, BOTH | FIGURE_PAGE, .text = advice },
	{ "survival", "share", FIGURE_CURVE, FIGURE_JSON | FIGURE_PAGE | FIGURE_LOG,
	  .curve = survival, .across = "age", .help = "share of the objects that is still alive" },
	{ "alive_over_time", "count", FIGURE_CURVE, FIGURE_JSON | FIGURE_PAGE,
	  .curve = alive_over_time, .across = "time since the start", .help = "objects alive" },
	{ .name = NULL },
};

/* What the advice on the line is about, if anything is to be gained. */
static const struct finding_rule *rule_of(const struct finding *f, const struct finding_row *row)
{
	const struct lifetime_advice *a = line_of(row)->advice;

	(void)f;
	return a && a->rule.figure ? &a->rule : NULL;
}

/* ---- figures as a whole ---------------------------------------------------------------------- */

static const struct lifetime *of(const void *finding)
{
	return ((const struct finding *)finding)->own;
}

static double marked(const void *finding)
{
	return of(finding)->marked > 0 ? of(finding)->marked : NAN;
}

static struct bounds_range survivors_range(const void *finding, double z)
{
	return survival_range(&of(finding)->survivors, z);
}

#define OWN(name) FIGURE_OWN(struct lifetime, name)

static const struct figure all_figures[] = {
	{ "kind", NULL, FIGURE_TEXT, FIGURE_JSON, .text = finding_name },
	{ "lives", "count", FIGURE_NUMBER, FIGURE_JSON, OWN(lives) },
	{ "ended", "count", FIGURE_NUMBER, FIGURE_JSON, OWN(ended) },
	{ "watches", "count", FIGURE_NUMBER, FIGURE_JSON, OWN(uses.n) },
	{ "drag", "share", FIGURE_NUMBER, FIGURE_JSON,
	  FIGURE_OWN_ESTIMATE(struct lifetime, uses.drag), .range_name = "drag_ci" },
	{ "seconds", NULL, FIGURE_NUMBER, FIGURE_JSON, OWN(seconds) },
	{ "old_generation_seen_s", NULL, FIGURE_NUMBER, FIGURE_JSON, .value = marked },
	{ "survivors", "share", FIGURE_NUMBER, FIGURE_JSON | FIGURE_HEADLINE, OWN(survivors.value),
	  .range = survivors_range, .range_name = "survivors_ci",
	  .help = "bytes that survive a collection in all that are allocated" },
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
	.rule = rule_of,
	.release = release_curves,
};

static const struct finding_kind kind = { .name = "lifetime",
					  .title = "lifetimes",
					  .counted = "lives",
					  .figures = all_figures,
					  .own_size = sizeof(struct lifetime),
					  .tables = { &lines },
					  .tell = lifetime_tell };

static void find(struct finding *to, const struct model *m, const struct findings_options *options)
{
	struct lifetime *own = to->own;

	lifetime_compute(own, m, options);
	to->seen = own->lives > 0 || (!options->contexts && seen(m));
	to->count = own->lives;
	to->least = 0;
	finding_add_table(to, own->lines, own->nlines, sizeof *own->lines);
}

const struct analysis lifetime_analysis = {
	.key = "lifetime",
	.title = "Lifetimes",
	.about = "lives of objects",
	.events = { { "lifetime",
		      "how long objects live and are used, by where they were allocated; and what "
		      "grows",
		      { .allocations = true, .flags = WIRE_LIVES } } },
	.store_size = sizeof(struct life_store),
	.records = life_records,
	.whole = true,
	.release = life_store_release,
	.thin = life_store_thin,
	.seen = seen,
	.sum_up = sum_up,
	.totals_key = "lifetime_totals",
	.kinds = { &kind },
	.metrics = { { "alive", "count",
		       "objects alive at the last look, on the stacks of the allocations",
		       .figure = "alive" } },
	.find = find,
};

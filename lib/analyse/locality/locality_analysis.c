/* SPDX-License-Identifier: Apache-2.0 */
/* locality_analysis.c - see locality_analysis.h. */
#include "analyse/locality/locality_analysis.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/locality/access_store.h"
#include "analyse/locality/locality.h"
#include "base/shares.h"
#include "base/units.h"
#include "model/finding.h"
#include "model/finding_rule.h"

/* ---- object locality in words, for struct finding_kind and its tables. */

/* Names of the samples: what a share is a share of, and what it is not. */
static const struct {
	const char *share_of, *meaning;
} wordings[LOCALITY_METRICS] = {
	[LOCALITY_TIME] = { "the time at accesses to the heap",
			    "sampled by CPU time in front of accesses: a slow one counts for "
			    "more" },
	[LOCALITY_ACCESS] = { "the sampled accesses to the heap", "sampled by the processor" },
	[LOCALITY_FAULT] = { "the page faults in the heap", "sampled by the kernel" },
};

/* ---- a finding --------------------------------------------------------------------------- */

static void locality_tell(FILE *out, const struct style *s, const struct finding *f)
{
	const struct locality *l = f->own;

	if (!l->samples) {
		fprintf(out,
			"locality: %llu samples, all of them taken while objects were being "
			"moved\n",
			(unsigned long long)l->unplaced);
		return;
	}
	fprintf(out, "%slocality%s: shares of %s, in %llu samples, %s\n", style_on(s, INK_BOLD),
		style_off(s, INK_BOLD), wordings[l->metric].share_of,
		(unsigned long long)l->samples, wordings[l->metric].meaning);
	share_put(out, l->followed);
	fprintf(out, " to objects that were followed from their allocation on, of %zu context%s",
		f->table[0].all, f->table[0].all == 1 ? "" : "s");
	if (l->unplaced)
		fprintf(out, "; %llu more samples were taken while objects were being moved",
			(unsigned long long)l->unplaced);
	putc('\n', out);
	if (l->local + l->remote) {
		fputs("NUMA: ", out);
		share_put(out, (double)l->remote / (double)(l->local + l->remote));
		fprintf(out, " of %llu samples went to another node's memory\n",
			(unsigned long long)(l->local + l->remote));
	}
}

/* ---- an object --------------------------------------------------------------------------- */

static void put_share(FILE *out, const struct style *s, const struct finding_row *row)
{
	fputs(style_on(s, INK_BOLD), out);
	share_put(out, row->share);
	fprintf(out, "%s ", style_off(s, INK_BOLD));
	share_put_ends(out, s, row->range.low, row->range.high);
}

static void locality_head(FILE *out, const struct style *s, const struct finding *f,
			  const struct finding_row *row)
{
	(void)f;
	put_share(out, s, row);
	fputs("  ", out);
	style_put(out, s, row->class_name ? row->class_name : "(class not known)");
}

static void put_levels(FILE *out, const struct file_access_sums *sums)
{
	const char *before = "found in   ";
	uint64_t all = 0;

	for (int i = 0; i < FILE_LEVELS; i++)
		all += sums->level[i];
	for (int i = 0; i < FILE_LEVELS; i++) {
		if (!sums->level[i])
			continue;
		fprintf(out, "%s%s ", before, datasrc_level_name((enum file_level)i));
		share_put(out, (double)sums->level[i] / (double)all);
		before = ", ";
	}
	if (all)
		putc('\n', out);
}

static void put_machine(FILE *out, const struct style *s, const struct file_access_sums *sums)
{
	put_levels(out, sums);
	if (sums->latencies)
		fprintf(out, "latency    %.0f cycles on average\n",
			(double)sums->latency / (double)sums->latencies);
	if (sums->tlb) {
		fputs("TLB        ", out);
		share_put(out, (double)sums->walk / (double)sums->tlb);
		fputs(" had to walk page tables\n", out);
	}
	if (sums->local + sums->remote) {
		fputs("NUMA       ", out);
		share_put(out, (double)sums->remote / (double)(sums->local + sums->remote));
		fprintf(out, " remote, %llu local %s %llu remote\n",
			(unsigned long long)sums->local, style_glyph(s, GLYPH_DOT),
			(unsigned long long)sums->remote);
	}
}

static void locality_lines(FILE *out, const struct style *s, const struct finding *f,
			   const struct finding_row *row)
{
	const struct locality_object *o = (const struct locality_object *)row;
	char objects[UNITS_TEXT], bytes[UNITS_TEXT];

	(void)f;
	fprintf(out,
		"allocated  %s object%s, %s; %llu sample%s in %llu of them: %llu loads, %llu "
		"stores\n",
		units_count(objects, o->objects), round(o->objects) == 1 ? "" : "s",
		units_bytes(bytes, o->bytes), (unsigned long long)row->count,
		row->count == 1 ? "" : "s", (unsigned long long)o->sums.objects,
		(unsigned long long)o->loads, (unsigned long long)o->stores);
	put_machine(out, s, &o->sums);
}

static void locality_of_context(FILE *out, const struct style *s, const struct finding *f,
				const struct finding_row *row)
{
	const struct locality_object *o = (const struct locality_object *)row;
	const struct locality *l = f->own;

	fputs("locality   ", out);
	put_share(out, s, row);
	fprintf(out, " of %s; %llu sample%s in %llu object%s: %llu loads, %llu stores\n",
		wordings[l->metric].share_of, (unsigned long long)row->count,
		row->count == 1 ? "" : "s", (unsigned long long)o->sums.objects,
		o->sums.objects == 1 ? "" : "s", (unsigned long long)o->loads,
		(unsigned long long)o->stores);
	put_machine(out, s, &o->sums);
}

/* ---- what was recorded ----------------------------------------------------------------------- */

static void sum_up(FILE *out, const struct model *m, const struct analysis_needs *needs,
		   const struct file_status *all)
{
	uint64_t samples = 0, followed = 0;
	size_t met = 0;

	for (size_t i = 0; i < model_naccesses(m); i++) {
		const struct model_access *a = model_access(m, i);
		samples += a->sums.count;
		followed += a->context ? a->sums.count : 0;
	}
	for (size_t i = 0; i < model_ncontexts(m); i++)
		met += model_context(m, i)->access_samples > 0;
	if (!needs->objects)
		fprintf(out, "%" PRIu64 " objects and ", all->sampled);
	fprintf(out,
		"%" PRIu64 " accesses sampled, %" PRIu64 " of them to followed objects of %zu "
		"contexts, ",
		samples, followed, met);
}

static bool seen(const struct model *m)
{
	return model_naccesses(m) > 0;
}

static int accesses(const struct model *m, analysis_access_fn *fn, void *arg)
{
	int result = 0;

	for (size_t i = 0; i < model_naccesses(m) && result == 0; i++) {
		const struct model_access *a = model_access(m, i);
		const struct analysis_access one = { a->jvm, a->stack, a->context, a->sums.count };
		result = fn(&one, arg);
	}
	return result;
}

/* ---- figures of objects ---------------------------------------------------------------------- */

static const struct locality_object *object_of(const void *row)
{
	return row;
}

static const struct file_access_sums *sums_of(const void *row)
{
	return &object_of(row)->sums;
}

static double ratio(uint64_t part, uint64_t all)
{
	return all ? (double)part / (double)all : NAN;
}

#define VALUE(name, expression)             \
	static double name(const void *row) \
	{                                   \
		return expression;          \
	}

VALUE(latency, ratio(sums_of(row)->latency, sums_of(row)->latencies))
VALUE(tlb_walks, ratio(sums_of(row)->walk, sums_of(row)->tlb))

static size_t levels(const void *row, struct figure_part parts[FIGURE_PARTS_MAX])
{
	uint64_t all = 0;

	for (int i = 0; i < FILE_LEVELS; i++) {
		parts[i] = (struct figure_part){ datasrc_level_name((enum file_level)i),
						 sums_of(row)->level[i] };
		all += parts[i].count;
	}
	return all ? FILE_LEVELS : 0;
}

static size_t nodes(const void *row, struct figure_part parts[FIGURE_PARTS_MAX])
{
	parts[0] = (struct figure_part){ "local", sums_of(row)->local };
	parts[1] = (struct figure_part){ "remote", sums_of(row)->remote };
	return parts[0].count + parts[1].count ? 2 : 0;
}

enum {
	BOTH = FIGURE_JSON | FIGURE_CSV,
	NUMBER = BOTH | FIGURE_KEY,
};

#define MEMBER(of) FIGURE_MEMBER(struct locality_object, of)
#define SAMPLES(name_, of, help_)                                                       \
	{                                                                               \
		.name = name_, .unit = "count", .kind = FIGURE_NUMBER, .flags = NUMBER, \
		MEMBER(of), .help = help_                                               \
	}
#define NAMED                                                                         \
	{ "metric", NULL, FIGURE_TEXT, BOTH, .text = finding_row_kind },              \
	{                                                                             \
		"class", NULL, FIGURE_TEXT, BOTH | FIGURE_PAGE, .text = finding_class \
	}
#define SAMPLED                                                                        \
	{ "share",                                                                     \
	  "share",                                                                     \
	  FIGURE_NUMBER,                                                               \
	  NUMBER | FIGURE_PAGE,                                                        \
	  .value = finding_share,                                                      \
	  .range = finding_share_range,                                                \
	  .range_name = "share_ci",                                                    \
	  .help = "share of all samples of accesses" },                                \
		{ "samples",                                                           \
		  "count",                                                             \
		  FIGURE_NUMBER,                                                       \
		  NUMBER | FIGURE_PAGE,                                                \
		  .value = finding_count,                                              \
		  .help = "samples of accesses" },                                     \
		SAMPLES("loads", loads, "samples of loads"),                           \
		SAMPLES("stores", stores, "samples of stores"),                        \
		{ "levels", NULL, FIGURE_PARTS, FIGURE_JSON, .parts = levels },        \
		{ "latency",	    NULL,                                              \
		  FIGURE_NUMBER,    FIGURE_JSON | FIGURE_KEY,                          \
		  .value = latency, .help = "mean cycles of an access" },              \
		{ "tlb_walks", NULL, FIGURE_NUMBER, FIGURE_JSON, .value = tlb_walks }, \
		{ "numa", NULL, FIGURE_PARTS, FIGURE_JSON, .parts = nodes },           \
		{ "accesses", NULL, FIGURE_PATHS, FIGURE_JSON, .at = 0 },              \
	{                                                                              \
		.name = NULL                                                           \
	}

static const struct figure object_figures[] = {
	NAMED,
	{ "alloc_stack", NULL, FIGURE_STACK, BOTH, .at = 0 },
	{ "pid", NULL, FIGURE_NUMBER, BOTH, .value = finding_pid },
	{ "objects", "count", FIGURE_NUMBER, NUMBER, MEMBER(objects), .help = "objects allocated" },
	{ "bytes", "bytes", FIGURE_NUMBER, NUMBER | FIGURE_PAGE, MEMBER(bytes),
	  .help = "bytes allocated" },
	{ "value", NULL, FIGURE_NUMBER, BOTH, MEMBER(sums.weight) },
	{ "sampled_objects", NULL, FIGURE_NUMBER, BOTH, MEMBER(sums.objects) },
	SAMPLED,
};

static const struct figure other_figures[] = {
	NAMED,
	{ "pid", NULL, FIGURE_NUMBER, BOTH, .value = finding_pid },
	SAMPLED,
};

/* ---- figures of a metric --------------------------------------------------------------------- */

static const struct locality *of(const void *finding)
{
	return ((const struct finding *)finding)->own;
}

static double followed(const void *finding)
{
	return of(finding)->samples ? of(finding)->followed : NAN;
}

static const struct figure metric_figures[] = {
	{ "metric", NULL, FIGURE_TEXT, FIGURE_JSON, .text = finding_name },
	{ "samples", "count", FIGURE_NUMBER, FIGURE_JSON, FIGURE_OWN(struct locality, samples) },
	{ "unplaced", "count", FIGURE_NUMBER, FIGURE_JSON, FIGURE_OWN(struct locality, unplaced) },
	{ "followed", "share", FIGURE_NUMBER, FIGURE_JSON, .value = followed },
	{ .name = NULL },
};

/* ---- what to do about objects --------------------------------------------------------------- */

enum shape { SHAPE_OBJECT, SHAPE_ARRAY, SHAPE_REMOTE, SHAPES };

#define RULE(name_, problem_, fix_, after_)                                                    \
	{                                                                                      \
		.name = name_, .problem = problem_, .fix = fix_, .figure = "share",            \
		.before = "makes objects that take ", .after = " of " after_, .possible = true \
	}
#define SHAPED(after_)                                                                             \
	{                                                                                          \
		[SHAPE_OBJECT] = RULE("access-object",                                             \
				      "Much time is spent in front of accesses to these "          \
				      "objects: they are used often, or are far from the cache.",  \
				      "Keep what is used together in one object or array, make "   \
				      "them smaller, or use one while it is in the cache.",        \
				      after_),                                                     \
		[SHAPE_ARRAY] = RULE("access-array",                                               \
				     "Much time is spent in front of accesses to these arrays: "   \
				     "they are used often, or are far from the cache.",            \
				     "Go through them in the order of their elements, with what "  \
				     "is used together side by side, in parts that fit into the "  \
				     "cache.",                                                     \
				     after_),                                                      \
		[SHAPE_REMOTE] = RULE("access-remote",                                             \
				      "Most accesses to these objects go to the memory of "        \
				      "another NUMA node.",                                        \
				      "Let the threads that use them make and fill them, or keep " \
				      "the program on one node (numactl).",                        \
				      after_),                                                     \
	}

/* With the words of the other texts (wordings). */
static const struct finding_rule rules[LOCALITY_METRICS][SHAPES] = {
	[LOCALITY_TIME] = SHAPED("the time at accesses to the heap"),
	[LOCALITY_ACCESS] = SHAPED("the sampled accesses to the heap"),
};

static const struct finding_rule faults =
	RULE("page-faults", "The pages of these objects are touched for the first time there.",
	     "Use memory again rather than new memory, or have the JVM touch it at the start "
	     "(-XX:+AlwaysPreTouch, with -Xms as -Xmx).",
	     "the page faults in the heap");

static const struct finding_rule *rule_of(const struct finding *f, const struct finding_row *row)
{
	const struct file_access_sums *sums = &((const struct locality_object *)row)->sums;
	const struct locality *l = f->own;
	enum shape shape =
		row->class_name && strchr(row->class_name, '[') ? SHAPE_ARRAY : SHAPE_OBJECT;

	if (row->weak || !(row->range.low > 0))
		return NULL;
	if (l->metric == LOCALITY_FAULT)
		return &faults;
	if (sums->remote >= LOCALITY_LEAST && sums->remote > sums->local)
		shape = SHAPE_REMOTE;
	return &rules[l->metric][shape];
}

/* ---- metrics --------------------------------------------------------------------------------- */

static const struct finding_table_kind followed_objects = {
	.one = "context",
	.many = "contexts",
	.figures = object_figures,
	.shown = 10,
	.of_objects = true,
	.stack_title = { "allocated at" },
	.paths_title = "accessed at",
	.between = "[accessed at]",
	.head = locality_head,
	.lines = locality_lines,
	.of_context = locality_of_context,
	.rule = rule_of,
};

static const struct finding_table_kind other_objects = {
	.key = "others",
	.title = "objects that were not followed: too small, not sampled, or older than the "
		 "recording; by class",
	.one = "class",
	.many = "classes",
	.figures = other_figures,
	.shown = 5,
	.of_objects = true,
	.brief = true,
	.paths_title = "accessed at",
	.head = locality_head,
};

#define KIND                                                                                  \
	.title = "locality", .counted = "samples", .figures = metric_figures,                 \
	.own_size = sizeof(struct locality), .tables = { &followed_objects, &other_objects }, \
	.tell = locality_tell

static const struct finding_kind by_time = { KIND, .name = "time", .note = "[time]" };
static const struct finding_kind by_access = { KIND, .name = "access", .note = "[accesses]" };
static const struct finding_kind by_fault = { KIND, .name = "page-fault", .note = "[page faults]" };

static void find(struct finding *to, const struct model *m, const struct findings_options *options)
{
	struct locality all[LOCALITY_METRICS];

	if (options->contexts)
		locality_compute_of(all, m, options->confidence, options->contexts,
				    options->ncontexts);
	else
		locality_compute(all, m, options->confidence);
	for (int k = 0; k < LOCALITY_METRICS; k++) {
		struct locality *l = to[k].own;
		*l = all[k];
		to[k].seen = l->samples || l->unplaced;
		to[k].count = l->samples;
		to[k].least = 0;
		finding_add_table(&to[k], l->objects, l->nobjects, sizeof *l->objects);
		finding_add_table(&to[k], l->others, l->nothers, sizeof *l->others);
	}
}

const struct analysis locality_analysis = {
	.key = "locality",
	.title = "Locality",
	.about = "sampled accesses",
	.events = { { "locality",
		      "objects whose accesses take the time, by where they were allocated",
		      { .allocations = true, .latency = true, .flags = WIRE_LOCALITY } },
		    { "numa",
		      "the same, and accesses to the memory of another NUMA node",
		      { .allocations = true,
			.latency = true,
			.nodes = true,
			.flags = WIRE_LOCALITY | WIRE_NUMA } } },
	.store_size = sizeof(struct sums_store),
	.records = access_records,
	.flush = access_flush,
	.release = model_sums_release,
	.seen = seen,
	.accesses = accesses,
	.sum_up = sum_up,
	.totals_key = "locality_totals",
	.kinds = { &by_time, &by_access, &by_fault }, /* in the order of enum locality_metric */
	.metrics = { { .name = "locality",
		       .unit = "count",
		       .help = "samples of accesses to objects, on the stacks of the "
			       "allocations" } },
	.find = find,
};

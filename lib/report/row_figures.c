/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_figures.c - see row_figures.h. To add a figure, add a row of the table; and a VALUE if it is
 * not a member of struct replica.
 */
#include "report/row_figures.h"

#include <math.h>

#include "report/rows_group.h"

/* ---- values ------------------------------------------------------------------------------ */

/* Estimated samples of accesses to all objects of the row; NAN if there are none. */
static double accesses_value(const void *of)
{
	const struct row *row = of;
	double sum = 0;

	for (size_t i = 0; i < row->ncontexts; i++)
		sum += row->contexts[i]->accesses;
	return sum > 0 ? sum : NAN;
}

#define VALUE(name, expression)                                               \
	static double name##_value(const void *of)                            \
	{                                                                     \
		const struct replica *x = &((const struct row *)of)->replica; \
		return (double)(expression);                                  \
	}

VALUE(saved, replica_saved(x))
VALUE(likely, replica_likely(x))
VALUE(live, replica_saved_live(x).low)
VALUE(pairs, x->pairs)
VALUE(scanned, x->own.scanned)
VALUE(deep_scanned, x->deep.scanned)

/* ---- intervals --------------------------------------------------------------------------- */

/* What merging saves: from the lower bound to the same sum at the upper end of the coverage. */
static struct bounds_range saved_range(const void *of, double z)
{
	const struct replica *x = &((const struct row *)of)->replica;
	double low = replica_saved(x);

	(void)z;
	return (struct bounds_range){ low, fmax(low, replica_saved_high(x)) };
}

static struct bounds_range live_range(const void *of, double z)
{
	struct replica_interval ci = replica_saved_live(&((const struct row *)of)->replica);

	(void)z;
	return (struct bounds_range){ ci.low, ci.high };
}

/* ---- texts and frames --------------------------------------------------------------------- */

static const char *class_text(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return row_class(row);
}

static const char *verdict_text(const void *of, char room[FIGURE_TEXT_MAX])
{
	const struct row *row = of;

	(void)room;
	return replica_verdict_name(row->replica.own.verdict);
}

static const char *verdict_deep_text(const void *of, char room[FIGURE_TEXT_MAX])
{
	const struct replica *x = &((const struct row *)of)->replica;

	(void)room;
	return x->deep.scanned ? replica_verdict_name(x->deep.verdict) : NULL;
}

static const char *source_text(const void *of, char room[FIGURE_TEXT_MAX])
{
	const struct row *row = of;

	(void)room;
	return replica_source_name(row->replica.source);
}

/* The frames that all contexts of the row share. */
static size_t common_frames(const struct finding_row *of, uint32_t *jvm, const uint32_t **numbers)
{
	const struct row *row = (const struct row *)of;
	unsigned flags;

	*jvm = row->row.jvm;
	callstack_numbers(row->model, row->row.jvm, row->stack_id, numbers, &flags);
	return row->common;
}

const char *row_stack_missing(const struct row *row)
{
	const uint32_t *numbers;
	unsigned flags;
	size_t n = callstack_numbers(row->model, row->row.jvm, row->stack_id, &numbers, &flags);

	return n > 0 && row->common == n ? callstack_missing_word(flags) : NULL;
}

static double cut_value(const void *row)
{
	return row_stack_missing(row) != NULL;
}

static const char *missing_text(const void *row, char room[FIGURE_TEXT_MAX])
{
	(void)room;
	return row_stack_missing(row);
}

/* ---- the table --------------------------------------------------------------------------- */

enum {
	BOTH = FIGURE_JSON | FIGURE_CSV,
	KEY = FIGURE_KEY,
	OUTER = FIGURE_OUTER,
	SHOWN = BOTH | FIGURE_KEY | FIGURE_PAGE,
	POINT = SHOWN | FIGURE_POINT,
};

#define FIGURE(name_, unit_, flags_, ...)                                                   \
	{                                                                                   \
		.name = (name_), .unit = (unit_), .kind = FIGURE_NUMBER, .flags = (flags_), \
		__VA_ARGS__                                                                 \
	}

/* With an interval. */
#define RANGED(name_, unit_, flags_, ...) \
	FIGURE(name_, unit_, flags_, .range_name = name_ "_ci", __VA_ARGS__)

/* A figure of the replicas, and its interval at the confidence of the report. */
#define MEMBER(name)	      FIGURE_AT(struct row, replica.name, false)
#define RANGE(name, interval) FIGURE_AT_RANGE(struct row, replica.name, replica.interval, false)

#define TEXT(name_, flags_, text_, help_)                                                 \
	{                                                                                 \
		.name = (name_), .kind = FIGURE_TEXT, .flags = (flags_), .text = (text_), \
		.help = (help_)                                                           \
	}

/* Of a column that shows something else than a value. */
#define OTHER(name_, kind_, help_)                                \
	{                                                         \
		.name = (name_), .kind = (kind_), .help = (help_) \
	}

const struct figure row_figures[] = {
	[ROW_FIGURE_CLASS] = TEXT("class", FIGURE_CSV, class_text, "class of the objects"),
	[ROW_FIGURE_PID] = { .name = "pid",
			     .kind = FIGURE_NUMBER,
			     .flags = FIGURE_CSV,
			     .value = finding_pid,
			     .help = "the JVM's process id; shown if there are several" },
	[ROW_FIGURE_VERDICT] = TEXT("verdict", FIGURE_CSV, verdict_text, "the verdict"),
	[ROW_FIGURE_VERDICT_DEEP] = TEXT("verdict_deep", FIGURE_CSV, verdict_deep_text, NULL),
	[ROW_FIGURE_SOURCE] = TEXT("source", FIGURE_CSV, source_text, NULL),
	[ROW_FIGURE_RANK] = OTHER("#", FIGURE_NUMBER, "the line's number"),
	[ROW_FIGURE_SAVED] = RANGED(
		"saved_bytes", "bytes", KEY | FIGURE_PAGE | FIGURE_LINES, .value = saved_value,
		.range = saved_range, .key = "saved",
		.help = "lower bound of the bytes that merging equal objects saves, by content or "
			"deep content"),
	[ROW_FIGURE_LIKELY] = FIGURE(
		"likely_bytes", "bytes", KEY | FIGURE_PAGE | FIGURE_LINES, .value = likely_value,
		.key = "likely", .range = saved_range,
		.help = "estimate of the bytes that merging saves, for rows of which some are "
			"certain"),
	[ROW_FIGURE_LIVE] = RANGED(
		"live", "bytes", KEY, .value = live_value, .range = live_range,
		.help = "lower bound of what merging saves of the bytes alive at the last view"),
	[ROW_FIGURE_BYTES] = FIGURE("bytes", "bytes", SHOWN | OUTER | FIGURE_LINES, MEMBER(bytes),
				    .help = "bytes allocated"),
	[ROW_FIGURE_SHARE] = { .name = "share",
			       .unit = "share",
			       .help = "the line's share of all bytes" },
	[ROW_FIGURE_OBJECTS] = FIGURE("objects", "count", SHOWN | OUTER | FIGURE_LINES,
				      MEMBER(objects), .help = "objects allocated"),
	[ROW_FIGURE_THETA] =
		RANGED("theta", "share", SHOWN, RANGE(theta, theta_ci), .evidence = pairs_value,
		       .help = "pairs with an equal value, by the lower end of the interval"),
	[ROW_FIGURE_ALPHA] =
		FIGURE("alpha", "share", POINT, MEMBER(alpha), .evidence = pairs_value,
		       .help = "pairs with an equal value among those of unequal content"),
	[ROW_FIGURE_OMEGA] =
		FIGURE("omega", "share", POINT, MEMBER(omega), .evidence = pairs_value,
		       .help = "lower bound of the largest group of identical objects"),
	[ROW_FIGURE_GAMMA] =
		FIGURE("gamma", "share", POINT, MEMBER(gamma), .evidence = pairs_value,
		       .help = "upper bound of the largest group of identical objects"),
	[ROW_FIGURE_IDENTICAL] = RANGED("identical", "share", SHOWN, RANGE(identical, identical_ci),
					.evidence = pairs_value,
					.help = "pairs with equal content, by the lower end"),
	[ROW_FIGURE_GROUP] =
		RANGED("largest_group", "share", SHOWN, RANGE(own.largest, own.largest_ci),
		       .key = "group", .evidence = scanned_value,
		       .help = "the largest group as scanned, by the lower end"),
	[ROW_FIGURE_DEEP] = RANGED(
		"largest_group_deep", "share", SHOWN, RANGE(deep.largest, deep.largest_ci),
		.key = "deep", .evidence = deep_scanned_value,
		.help = "the largest group of objects that are equal with what they refer to, by "
			"the lower end"),
	[ROW_FIGURE_PAIRS] =
		FIGURE("pairs", "count", SHOWN, .value = pairs_value, .help = "pairs compared"),
	[ROW_FIGURE_ACCESSES] =
		FIGURE("accesses", "count", KEY, .value = accesses_value,
		       .help = "samples of accesses to the objects, if accesses were sampled"),
	[ROW_FIGURE_LINE] = OTHER("line", FIGURE_TEXT,
				  "file and line that make the objects, in the reader's own code"),
	[ROW_FIGURE_SITE] = OTHER("site", FIGURE_TEXT, "where they are allocated"),
	[ROW_FIGURE_AVOIDABLE] = FIGURE("avoidable_bytes", "bytes", SHOWN | OUTER | FIGURE_LINES,
					FIGURE_MEMBER(struct row, avoidable), .key = "avoidable",
					.help = "certain and likely bytes that findings avoid"),

	/* figures without a column */
	FIGURE("sampled", "count", BOTH | OUTER | FIGURE_PAGE, MEMBER(sampled)),
	FIGURE("a", "count", BOTH | FIGURE_PAGE, MEMBER(a)),
	FIGURE("b", "count", BOTH | FIGURE_PAGE, MEMBER(b)),
	FIGURE("c", "count", BOTH | FIGURE_PAGE, MEMBER(c)),
	FIGURE("unused", "share", BOTH, MEMBER(unused)),
	FIGURE("scanned", "count", BOTH | FIGURE_PAGE | FIGURE_LINES, .value = scanned_value),
	FIGURE("deep_scanned", "count", BOTH | FIGURE_PAGE, .value = deep_scanned_value),
	FIGURE("deep_cut", "share", BOTH, MEMBER(deep_cut)),
	FIGURE("distinct", "count", BOTH, MEMBER(own.distinct)),
	FIGURE("distinct_deep", "count", BOTH, MEMBER(deep.distinct)),
	RANGED("saved_bytes", "bytes", BOTH, RANGE(own.saved_bytes, own.saved_bytes_ci)),
	RANGED("saved_objects", "count", BOTH, RANGE(own.saved_objects, own.saved_objects_ci)),
	RANGED("saved_bytes_deep", "bytes", BOTH, RANGE(deep.saved_bytes, deep.saved_bytes_ci)),
	RANGED("saved_objects_deep", "count", BOTH,
	       RANGE(deep.saved_objects, deep.saved_objects_ci)),
	FIGURE("saved_bytes_at_end", "bytes", BOTH | FIGURE_LINES, MEMBER(saved_end_bytes)),
	FIGURE("used_alike", "count", BOTH, MEMBER(used_alike)),
	FIGURE("used_same", "count", BOTH, MEMBER(used_same)),
	RANGED("dedup_bytes", "bytes", BOTH, RANGE(dedup_ci.low, dedup_ci)),
	FIGURE("live_sampled", "count", BOTH, MEMBER(live_sampled)),
	RANGED("live_objects", "count", BOTH, RANGE(live_objects, live_objects_ci)),
	RANGED("live_bytes", "bytes", BOTH | FIGURE_LINES, RANGE(live_bytes, live_bytes_ci)),
	RANGED("saved_live_bytes", "bytes", BOTH, RANGE(own.saved_live_ci.low, own.saved_live_ci)),
	RANGED("saved_live_bytes_deep", "bytes", BOTH,
	       RANGE(deep.saved_live_ci.low, deep.saved_live_ci)),
	RANGED("dedup_live_bytes", "bytes", BOTH, RANGE(dedup_live_ci.low, dedup_live_ci)),
	RANGED("identity", "share", BOTH, RANGE(identity, identity_ci)),
	RANGED("immutable", "share", BOTH, RANGE(immutable, immutable_ci)),
	FIGURE("lasting", "share", BOTH, MEMBER(lasting)),
	RANGED("constant", "share", BOTH, RANGE(constant, constant_ci)),
	{ .name = "alloc_stack_cut", .kind = FIGURE_BOOL, .flags = FIGURE_CSV, .value = cut_value },
	TEXT("alloc_stack_missing", FIGURE_CSV, missing_text, NULL),
	{ .name = "alloc_stack", .kind = FIGURE_STACK, .flags = FIGURE_CSV },
	{ .name = NULL },
};

const struct finding_table_kind row_table_kind = {
	.one = "context",
	.many = "contexts",
	.figures = row_figures,
	.frames = common_frames,
	.of_objects = true,
};

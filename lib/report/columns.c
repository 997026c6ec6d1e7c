/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns.c - see columns.h. To add a figure, add a VALUE, a RANGE if it has an interval, and a row
 * of the table.
 */
#include "report/columns.h"

#include <math.h>
#include <string.h>

#include "report/columns_private.h"

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
VALUE(bytes, x->bytes)
VALUE(objects, x->objects)
VALUE(theta, x->theta)
VALUE(alpha, x->alpha)
VALUE(omega, x->omega)
VALUE(gamma, x->gamma)
VALUE(identical, x->identical)
VALUE(largest_group, x->largest_group)
VALUE(largest_deep, x->largest_deep)
VALUE(pairs, x->pairs)
VALUE(sampled, x->sampled)
VALUE(a, x->a)
VALUE(b, x->b)
VALUE(c, x->c)
VALUE(unused, x->unused)
VALUE(scanned, x->scanned)
VALUE(deep_scanned, x->deep_scanned)
VALUE(deep_cut, x->deep_cut)
VALUE(distinct, x->distinct)
VALUE(distinct_deep, x->distinct_deep)
VALUE(saved_bytes, x->saved_bytes)
VALUE(saved_objects, x->saved_objects)
VALUE(saved_deep_bytes, x->saved_deep_bytes)
VALUE(saved_deep_objects, x->saved_deep_objects)
VALUE(saved_end_bytes, x->saved_end_bytes)
VALUE(used_alike, x->used_alike)
VALUE(used_same, x->used_same)
VALUE(dedup, x->dedup_ci.low)
VALUE(live_sampled, x->live_sampled)
VALUE(live_objects, x->live_objects)
VALUE(live_bytes, x->live_bytes)
VALUE(saved_live, x->saved_live_ci.low)
VALUE(saved_live_deep, x->saved_live_deep_ci.low)
VALUE(dedup_live, x->dedup_live_ci.low)
VALUE(identity, x->identity)
VALUE(immutable, x->immutable)
VALUE(lasting, x->lasting)
VALUE(constant, x->constant)

/* ---- intervals --------------------------------------------------------------------------- */

/* At the confidence of the report, whatever `z` is. */
#define RANGE(name, member)                                                    \
	static struct bounds_range name##_range(const void *of, double z)      \
	{                                                                      \
		const struct replica *x = &((const struct row *)of)->replica;  \
		(void)z;                                                       \
		return (struct bounds_range){ x->member.low, x->member.high }; \
	}

RANGE(theta, theta_ci)
RANGE(identical, identical_ci)
RANGE(largest_group, largest_group_ci)
RANGE(largest_deep, largest_deep_ci)
RANGE(saved_bytes, saved_bytes_ci)
RANGE(saved_objects, saved_objects_ci)
RANGE(saved_deep_bytes, saved_deep_bytes_ci)
RANGE(saved_deep_objects, saved_deep_objects_ci)
RANGE(dedup, dedup_ci)
RANGE(live_objects, live_objects_ci)
RANGE(live_bytes, live_bytes_ci)
RANGE(saved_live, saved_live_ci)
RANGE(saved_live_deep, saved_live_deep_ci)
RANGE(dedup_live, dedup_live_ci)
RANGE(identity, identity_ci)
RANGE(immutable, immutable_ci)
RANGE(constant, constant_ci)

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

/* ---- the table --------------------------------------------------------------------------- */

enum {
	BOTH = FIGURE_JSON | FIGURE_CSV,
	KEY = FIGURE_KEY,
	SHOWN = BOTH | FIGURE_KEY | FIGURE_PAGE,
	POINT = SHOWN | FIGURE_POINT,
	STATS = COLUMN_STATS,
};

#define FIGURE(name_, unit_, flags_, of, ...)                                               \
	{                                                                                   \
		.name = (name_), .unit = (unit_), .kind = FIGURE_NUMBER, .flags = (flags_), \
		.value = of##_value, __VA_ARGS__                                            \
	}
/* With an interval. */
#define RANGED(name_, unit_, flags_, of, ...)                                            \
	FIGURE(name_, unit_, flags_, of, .range = of##_range, .range_name = name_ "_ci", \
	       ##__VA_ARGS__)
/* A column that shows something else than a value. */
#define OTHER(name_, kind_, help_)                                \
	{                                                         \
		.name = (name_), .kind = (kind_), .help = (help_) \
	}

const struct column columns[] = {
	{ OTHER("#", FIGURE_NUMBER, "the line's number"),
	  .in = COLUMN_IN(SHOW(0, 0), SHOW(3, 0), ABSENT), .print = column_print_rank,
	  .ink = column_ink_rank },
	{ OTHER("pid", FIGURE_NUMBER, "the JVM's process id; shown if there are several"),
	  .flags = COLUMN_PIDS, .in = COLUMN_IN(SHOW(5, 0), SHOW(6, 0), SHOW(6, 0)),
	  .print = column_print_pid },
	{ RANGED("saved_bytes", "bytes", KEY | FIGURE_PAGE | FIGURE_LINES, saved, .key = "saved",
		 .help = "lower bound of the bytes that merging equal objects saves, by content or "
			 "deep content"),
	  .in = COLUMN_IN(SHOW(0, 0), SHOW(0, 'v'), AS_KEY(8, 'V')), .print = column_print_saved,
	  .ink = column_ink_saved },
	{ FIGURE("likely_bytes", "bytes", KEY | FIGURE_PAGE | FIGURE_LINES, likely, .key = "likely",
		 .range = saved_range,
		 .help = "estimate of the bytes that merging saves, for rows of which some are "
			 "certain"),
	  .in = COLUMN_IN(SHOW(0, 0), SHOW(1, 'l'), ABSENT) },
	{ RANGED("live", "bytes", KEY, live,
		 .help = "lower bound of the same for the bytes alive at the last view"),
	  .in = COLUMN_IN(AS_KEY(0, 0), ABSENT, ABSENT) },
	{ FIGURE("bytes", "bytes", SHOWN | FIGURE_LINES, bytes, .help = "bytes allocated"),
	  .flags = COLUMN_OUTER, .in = COLUMN_IN(SHOW(4, 0), SHOW(0, 'b'), AS_KEY(8, 'B')) },
	{ { .name = "share", .unit = "share", .help = "the line's share of all bytes" },
	  .in = COLUMN_IN(SHOW(3, 0), ABSENT, ABSENT),
	  .print = column_print_share },
	{ FIGURE("objects", "count", SHOWN | FIGURE_LINES, objects, .help = "objects allocated"),
	  .flags = COLUMN_OUTER, .in = COLUMN_IN(SHOW(7, 0), SHOW(4, 'o'), AS_KEY(8, 'O')) },
	{ RANGED("theta", "share", SHOWN, theta, .evidence = pairs_value,
		 .help = "pairs with an equal value, by the lower end of the interval"),
	  .flags = STATS, .greek = GLYPH_THETA,
	  .in = COLUMN_IN(SHOW(1, 0), SHOW(7, 't'), SHOW(7, 't')) },
	{ FIGURE("alpha", "share", POINT, alpha, .evidence = pairs_value,
		 .help = "the same among pairs of unequal content"),
	  .flags = STATS, .greek = GLYPH_ALPHA,
	  .in = COLUMN_IN(SHOW(9, 0), AS_KEY(9, 'a'), ABSENT) },
	{ FIGURE("omega", "share", POINT, omega, .evidence = pairs_value,
		 .help = "lower bound of the largest group of identical objects"),
	  .flags = STATS, .greek = GLYPH_OMEGA,
	  .in = COLUMN_IN(SHOW(8, 0), SHOW(8, 'm'), SHOW(8, 'm')) },
	{ FIGURE("gamma", "share", POINT, gamma, .evidence = pairs_value,
		 .help = "its upper bound"),
	  .flags = STATS, .greek = GLYPH_GAMMA,
	  .in = COLUMN_IN(SHOW(8, 0), AS_KEY(9, 'G'), ABSENT) },
	{ RANGED("identical", "share", SHOWN, identical, .evidence = pairs_value,
		 .help = "pairs with equal content, by the lower end"),
	  .in = COLUMN_IN(AS_KEY(2, 0), AS_KEY(9, 'E'), ABSENT) },
	{ RANGED("largest_group", "share", SHOWN, largest_group, .key = "group",
		 .evidence = scanned_value,
		 .help = "the largest group as scanned, by the lower end"),
	  .flags = STATS, .in = COLUMN_IN(SHOW(3, 0), SHOW(9, 'g'), SHOW(9, 'g')) },
	{ RANGED("largest_group_deep", "share", SHOWN, largest_deep, .key = "deep",
		 .evidence = deep_scanned_value,
		 .help = "the largest group of objects that are equal with what they refer to, by "
			 "the lower end"),
	  .flags = STATS, .in = COLUMN_IN(SHOW(3, 0), SHOW(10, 'd'), AS_KEY(6, 'd')) },
	{ FIGURE("pairs", "count", SHOWN, pairs, .help = "pairs compared"), .flags = STATS,
	  .in = COLUMN_IN(SHOW(6, 0), SHOW(11, 'n'), AS_KEY(8, 'n')) },
	{ FIGURE("accesses", "count", KEY, accesses,
		 .help = "samples of accesses to the objects, if accesses were sampled"),
	  .in = COLUMN_IN(AS_KEY(5, 0), ABSENT, ABSENT) },
	{ OTHER("verdict", FIGURE_TEXT, "the verdict"),
	  .in = COLUMN_IN(SHOW(0, 0), SHOW(0, 0), SHOW(0, 0)), .print = column_print_verdict,
	  .ink = column_ink_verdict },
	{ OTHER("line", FIGURE_TEXT,
		"file and line that make the objects, in the reader's own code"),
	  .flags = COLUMN_HEAD | COLUMN_LINE, .in = COLUMN_IN(SHOW(0, 0), SHOW(0, 0), SHOW(0, 0)),
	  .print = column_print_line },
	{ OTHER("class", FIGURE_TEXT, "class of the objects"), .flags = COLUMN_TAIL | COLUMN_CLASS,
	  .in = COLUMN_IN(SHOW(0, 0), SHOW(0, 0), SHOW(0, 0)), .print = column_print_class },
	{ OTHER("site", FIGURE_TEXT, "where they are allocated"),
	  .flags = COLUMN_HEAD | COLUMN_SITE, .in = COLUMN_IN(SHOW(0, 0), SHOW(0, 0), SHOW(0, 0)),
	  .print = column_print_site },

	/* figures without a column */
	{ .figure = FIGURE("sampled", "count", BOTH | FIGURE_PAGE, sampled),
	  .flags = COLUMN_OUTER },
	{ .figure = FIGURE("a", "count", BOTH | FIGURE_PAGE, a) },
	{ .figure = FIGURE("b", "count", BOTH | FIGURE_PAGE, b) },
	{ .figure = FIGURE("c", "count", BOTH | FIGURE_PAGE, c) },
	{ .figure = FIGURE("unused", "share", BOTH, unused) },
	{ .figure = FIGURE("scanned", "count", BOTH | FIGURE_PAGE | FIGURE_LINES, scanned) },
	{ .figure = FIGURE("deep_scanned", "count", BOTH | FIGURE_PAGE, deep_scanned) },
	{ .figure = FIGURE("deep_cut", "share", BOTH, deep_cut) },
	{ .figure = FIGURE("distinct", "count", BOTH, distinct) },
	{ .figure = FIGURE("distinct_deep", "count", BOTH, distinct_deep) },
	{ .figure = RANGED("saved_bytes", "bytes", BOTH, saved_bytes) },
	{ .figure = RANGED("saved_objects", "count", BOTH, saved_objects) },
	{ .figure = RANGED("saved_bytes_deep", "bytes", BOTH, saved_deep_bytes) },
	{ .figure = RANGED("saved_objects_deep", "count", BOTH, saved_deep_objects) },
	{ .figure = FIGURE("saved_bytes_at_end", "bytes", BOTH | FIGURE_LINES, saved_end_bytes) },
	{ .figure = FIGURE("used_alike", "count", BOTH, used_alike) },
	{ .figure = FIGURE("used_same", "count", BOTH, used_same) },
	{ .figure = RANGED("dedup_bytes", "bytes", BOTH, dedup) },
	{ .figure = FIGURE("live_sampled", "count", BOTH, live_sampled) },
	{ .figure = RANGED("live_objects", "count", BOTH, live_objects) },
	{ .figure = RANGED("live_bytes", "bytes", BOTH, live_bytes) },
	{ .figure = RANGED("saved_live_bytes", "bytes", BOTH, saved_live) },
	{ .figure = RANGED("saved_live_bytes_deep", "bytes", BOTH, saved_live_deep) },
	{ .figure = RANGED("dedup_live_bytes", "bytes", BOTH, dedup_live) },
	{ .figure = RANGED("identity", "share", BOTH, identity) },
	{ .figure = RANGED("immutable", "share", BOTH, immutable) },
	{ .figure = FIGURE("lasting", "share", BOTH, lasting) },
	{ .figure = RANGED("constant", "share", BOTH, constant) },
	{ .figure = { .name = NULL } },
};

const struct column *column_find(const char *name)
{
	for (const struct column *c = columns; c->figure.name; c++)
		if (column_is_key(c) && strcmp(column_name(c), name) == 0)
			return c;
	return NULL;
}

const struct column *column_named(const char *name)
{
	for (const struct column *c = columns; c->figure.name; c++)
		if (column_is_shown(c) && strcmp(column_name(c), name) == 0)
			return c;
	return NULL;
}

unsigned column_table_flags(const struct column *c, const struct cell_context *ctx)
{
	bool right = c->figure.kind == FIGURE_NUMBER && !column_has_range(&c->figure, ctx);

	return c->flags | (right ? COLUMN_RIGHT : 0);
}

static void put_names(FILE *out, bool with_help, bool (*is_named)(const struct column *c))
{
	const char *separator = "";

	for (const struct column *c = columns; c->figure.name; c++) {
		if (!is_named(c))
			continue;
		if (with_help)
			fprintf(out, "\n- %s: %s", column_name(c), c->figure.help);
		else
			fprintf(out, "%s%s", separator, column_name(c));
		separator = ", ";
	}
}

void columns_put_keys(FILE *out, bool with_help)
{
	put_names(out, with_help, column_is_key);
}

void columns_put_names(FILE *out, bool with_help)
{
	put_names(out, with_help, column_is_shown);
}

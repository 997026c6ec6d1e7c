/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns.c - see columns.h. To add a figure, add a row of the table; and a VALUE if it is not a
 * member of struct replica.
 */
#include "report/columns.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

/* ---- the headings and cells of columns as text, see columns.h. */

#define MISSING_MOST 1e4 /* with fewer missing snapshots, their number is shown */

/* ---- numbers ------------------------------------------------------------------------------- */

static void put_number(FILE *out, const struct cell_context *ctx, const char *text)
{
	fputs(strcmp(text, "-") == 0 ? style_glyph(ctx->style, GLYPH_DASH) : text, out);
}

static void put_share(FILE *out, const struct cell_context *ctx, double share)
{
	char text[UNITS_TEXT];

	put_number(out, ctx, units_percent(text, share));
}

/* A share and its interval, which is rounded outwards; always of one width. */
static void put_range(FILE *out, const struct cell_context *ctx, double value,
		      struct bounds_range range)
{
	char text[UNITS_TEXT];

	if (isnan(value)) {
		fprintf(out, "    %s          ", style_glyph(ctx->style, GLYPH_DASH));
		return;
	}
	fprintf(out, "%5s ", units_percent(text, value));
	if (isnan(range.low))
		fprintf(out, "%9s", "");
	else
		fprintf(out, "[%3.0f%s%3.0f]", floor(range.low * 100),
			style_glyph(ctx->style, GLYPH_DASH), ceil(range.high * 100));
}

static void put_value(FILE *out, const struct figure *f, const struct row *row,
		      const struct cell_context *ctx)
{
	double value = figure_value(f, row, (double)ctx->min_pairs);
	char text[UNITS_TEXT];

	if (figure_is_bytes(f))
		put_number(out, ctx, units_bytes(text, value));
	else if (!figure_is_share(f))
		put_number(out, ctx, units_count(text, value));
	else if (column_has_range(f, ctx))
		put_range(out, ctx, value, figure_range(f, row, 0));
	else
		put_share(out, ctx, value);
}

void column_put_cell(FILE *out, const struct column *c, const struct row *row,
		     const struct cell_context *ctx)
{
	if (c->print)
		c->print(out, row, ctx);
	else
		put_value(out, &c->figure, row, ctx);
}

void column_put_heading(FILE *out, const struct column *c, const struct cell_context *ctx)
{
	fputs(c->greek ? style_glyph(ctx->style, c->greek) : column_name(c), out);
	if (figure_is_share(&c->figure))
		fputs(" %", out);
	if (column_has_range(&c->figure, ctx))
		fprintf(out, " [%.4g %%]", ctx->confidence * 100);
}

/* ---- cells of single columns --------------------------------------------------------------- */

void column_print_rank(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	(void)row;
	fprintf(out, "%zu", ctx->rank);
}

void column_print_pid(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	(void)ctx;
	fprintf(out, "%d", row->pid);
}

/* Marks a saving of objects that are equal only by deep content. */
void column_print_saved(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	const struct replica *r = &row->replica;
	char text[UNITS_TEXT];

	if (!ctx->brief && replica_saved_deep(r) && replica_saved(r) > 0)
		fputs("deep ", out);
	put_number(out, ctx, units_bytes(text, replica_saved(r)));
}

void column_print_share(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	put_share(out, ctx, ctx->bytes > 0 ? row->replica.bytes / ctx->bytes : NAN);
}

void column_print_verdict(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	const struct replica *r = &row->replica;
	bool deep;
	enum replica_verdict verdict = replica_shown(r, &deep);
	double missing = replica_decided(r)->missing;

	if (verdict == VERDICT_UNKNOWN && row->held != VERDICT_UNKNOWN)
		fprintf(out, "(%s)", replica_verdict_name(row->held));
	else if (verdict == VERDICT_UNKNOWN && missing >= 1 && missing < MISSING_MOST &&
		 !ctx->summary)
		fprintf(out, "unknown (%.0f more snapshot%s)", missing, missing < 1.5 ? "" : "s");
	else
		fprintf(out, "%s%s", replica_verdict_name(verdict),
			deep && !ctx->summary ? " (deep)" : "");
}

void column_print_line(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	row_put_line(out, ctx->style, row);
}

void column_print_class(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	style_put(out, ctx->style, row_class(row));
}

void column_print_site(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	row_put_site(out, ctx->style, row);
}

/* ---- inks ---------------------------------------------------------------------------------- */

enum ink column_ink_saved(const struct row *row)
{
	return replica_saved(&row->replica) > 0 ? INK_BOLD : INK_PLAIN;
}

enum ink column_ink_rank(const struct row *row)
{
	(void)row;
	return INK_DIM;
}

enum ink column_ink_verdict(const struct row *row)
{
	bool deep;

	switch (replica_shown(&row->replica, &deep)) {
	case VERDICT_REPLICA:
		return INK_RED;
	case VERDICT_FEW_VALUES:
	case VERDICT_SOME_EQUAL:
		return INK_YELLOW;
	case VERDICT_PARTIAL:
		return INK_CYAN;
	case VERDICT_DISTINCT:
	case VERDICT_CHANGING:
		return INK_GREEN;
	case VERDICT_ALIKE:
		return INK_CYAN;
	default:
		return INK_DIM;
	}
}

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
VALUE(scanned, x->scanned)
VALUE(deep_scanned, x->deep_scanned)

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

/* ---- the table --------------------------------------------------------------------------- */

enum {
	BOTH = FIGURE_JSON | FIGURE_CSV,
	KEY = FIGURE_KEY,
	SHOWN = BOTH | FIGURE_KEY | FIGURE_PAGE,
	POINT = SHOWN | FIGURE_POINT,
	STATS = COLUMN_STATS,
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
	{ RANGED("saved_bytes", "bytes", KEY | FIGURE_PAGE | FIGURE_LINES, .value = saved_value,
		 .range = saved_range, .key = "saved",
		 .help = "lower bound of the bytes that merging equal objects saves, by content or "
			 "deep content"),
	  .in = COLUMN_IN(SHOW(0, 0), SHOW(0, 'v'), AS_KEY(8, 'V')), .print = column_print_saved,
	  .ink = column_ink_saved },
	{ FIGURE("likely_bytes", "bytes", KEY | FIGURE_PAGE | FIGURE_LINES, .value = likely_value,
		 .key = "likely", .range = saved_range,
		 .help = "estimate of the bytes that merging saves, for rows of which some are "
			 "certain"),
	  .in = COLUMN_IN(SHOW(0, 0), SHOW(1, 'l'), ABSENT) },
	{ RANGED("live", "bytes", KEY, .value = live_value, .range = live_range,
		 .help = "lower bound of what merging saves of the bytes alive at the last view"),
	  .in = COLUMN_IN(AS_KEY(0, 0), ABSENT, ABSENT) },
	{ FIGURE("bytes", "bytes", SHOWN | FIGURE_LINES, MEMBER(bytes), .help = "bytes allocated"),
	  .flags = COLUMN_OUTER, .in = COLUMN_IN(SHOW(4, 0), SHOW(0, 'b'), AS_KEY(8, 'B')) },
	{ { .name = "share", .unit = "share", .help = "the line's share of all bytes" },
	  .in = COLUMN_IN(SHOW(3, 0), ABSENT, ABSENT),
	  .print = column_print_share },
	{ FIGURE("objects", "count", SHOWN | FIGURE_LINES, MEMBER(objects),
		 .help = "objects allocated"),
	  .flags = COLUMN_OUTER, .in = COLUMN_IN(SHOW(7, 0), SHOW(4, 'o'), AS_KEY(8, 'O')) },
	{ RANGED("theta", "share", SHOWN, RANGE(theta, theta_ci), .evidence = pairs_value,
		 .help = "pairs with an equal value, by the lower end of the interval"),
	  .flags = STATS, .greek = GLYPH_THETA,
	  .in = COLUMN_IN(SHOW(1, 0), SHOW(7, 't'), SHOW(7, 't')) },
	{ FIGURE("alpha", "share", POINT, MEMBER(alpha), .evidence = pairs_value,
		 .help = "pairs with an equal value among those of unequal content"),
	  .flags = STATS, .greek = GLYPH_ALPHA,
	  .in = COLUMN_IN(SHOW(9, 0), AS_KEY(9, 'a'), ABSENT) },
	{ FIGURE("omega", "share", POINT, MEMBER(omega), .evidence = pairs_value,
		 .help = "lower bound of the largest group of identical objects"),
	  .flags = STATS, .greek = GLYPH_OMEGA,
	  .in = COLUMN_IN(SHOW(8, 0), SHOW(8, 'm'), SHOW(8, 'm')) },
	{ FIGURE("gamma", "share", POINT, MEMBER(gamma), .evidence = pairs_value,
		 .help = "upper bound of the largest group of identical objects"),
	  .flags = STATS, .greek = GLYPH_GAMMA,
	  .in = COLUMN_IN(SHOW(8, 0), AS_KEY(9, 'G'), ABSENT) },
	{ RANGED("identical", "share", SHOWN, RANGE(identical, identical_ci),
		 .evidence = pairs_value, .help = "pairs with equal content, by the lower end"),
	  .in = COLUMN_IN(AS_KEY(2, 0), AS_KEY(9, 'E'), ABSENT) },
	{ RANGED("largest_group", "share", SHOWN, RANGE(largest_group, largest_group_ci),
		 .key = "group", .evidence = scanned_value,
		 .help = "the largest group as scanned, by the lower end"),
	  .flags = STATS, .in = COLUMN_IN(SHOW(3, 0), SHOW(9, 'g'), SHOW(9, 'g')) },
	{ RANGED("largest_group_deep", "share", SHOWN, RANGE(largest_deep, largest_deep_ci),
		 .key = "deep", .evidence = deep_scanned_value,
		 .help = "the largest group of objects that are equal with what they refer to, by "
			 "the lower end"),
	  .flags = STATS, .in = COLUMN_IN(SHOW(3, 0), SHOW(10, 'd'), AS_KEY(6, 'd')) },
	{ FIGURE("pairs", "count", SHOWN, .value = pairs_value, .help = "pairs compared"),
	  .flags = STATS, .in = COLUMN_IN(SHOW(6, 0), SHOW(11, 'n'), AS_KEY(8, 'n')) },
	{ FIGURE("accesses", "count", KEY, .value = accesses_value,
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
	{ .figure = FIGURE("sampled", "count", BOTH | FIGURE_PAGE, MEMBER(sampled)),
	  .flags = COLUMN_OUTER },
	{ .figure = FIGURE("a", "count", BOTH | FIGURE_PAGE, MEMBER(a)) },
	{ .figure = FIGURE("b", "count", BOTH | FIGURE_PAGE, MEMBER(b)) },
	{ .figure = FIGURE("c", "count", BOTH | FIGURE_PAGE, MEMBER(c)) },
	{ .figure = FIGURE("unused", "share", BOTH, MEMBER(unused)) },
	{ .figure = FIGURE("scanned", "count", BOTH | FIGURE_PAGE | FIGURE_LINES,
			   .value = scanned_value) },
	{ .figure = FIGURE("deep_scanned", "count", BOTH | FIGURE_PAGE,
			   .value = deep_scanned_value) },
	{ .figure = FIGURE("deep_cut", "share", BOTH, MEMBER(deep_cut)) },
	{ .figure = FIGURE("distinct", "count", BOTH, MEMBER(distinct)) },
	{ .figure = FIGURE("distinct_deep", "count", BOTH, MEMBER(distinct_deep)) },
	{ .figure = RANGED("saved_bytes", "bytes", BOTH, RANGE(saved_bytes, saved_bytes_ci)) },
	{ .figure =
		  RANGED("saved_objects", "count", BOTH, RANGE(saved_objects, saved_objects_ci)) },
	{ .figure = RANGED("saved_bytes_deep", "bytes", BOTH,
			   RANGE(saved_deep_bytes, saved_deep_bytes_ci)) },
	{ .figure = RANGED("saved_objects_deep", "count", BOTH,
			   RANGE(saved_deep_objects, saved_deep_objects_ci)) },
	{ .figure = FIGURE("saved_bytes_at_end", "bytes", BOTH | FIGURE_LINES,
			   MEMBER(saved_end_bytes)) },
	{ .figure = FIGURE("used_alike", "count", BOTH, MEMBER(used_alike)) },
	{ .figure = FIGURE("used_same", "count", BOTH, MEMBER(used_same)) },
	{ .figure = RANGED("dedup_bytes", "bytes", BOTH, RANGE(dedup_ci.low, dedup_ci)) },
	{ .figure = FIGURE("live_sampled", "count", BOTH, MEMBER(live_sampled)) },
	{ .figure = RANGED("live_objects", "count", BOTH, RANGE(live_objects, live_objects_ci)) },
	{ .figure = RANGED("live_bytes", "bytes", BOTH, RANGE(live_bytes, live_bytes_ci)) },
	{ .figure = RANGED("saved_live_bytes", "bytes", BOTH,
			   RANGE(saved_live_ci.low, saved_live_ci)) },
	{ .figure = RANGED("saved_live_bytes_deep", "bytes", BOTH,
			   RANGE(saved_live_deep_ci.low, saved_live_deep_ci)) },
	{ .figure = RANGED("dedup_live_bytes", "bytes", BOTH,
			   RANGE(dedup_live_ci.low, dedup_live_ci)) },
	{ .figure = RANGED("identity", "share", BOTH, RANGE(identity, identity_ci)) },
	{ .figure = RANGED("immutable", "share", BOTH, RANGE(immutable, immutable_ci)) },
	{ .figure = FIGURE("lasting", "share", BOTH, MEMBER(lasting)) },
	{ .figure = RANGED("constant", "share", BOTH, RANGE(constant, constant_ci)) },
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

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns.c - see columns.h. Where a share has an interval, its lower end is what counts: a
 * context with one lucky pair must not lead. Shares without one (alpha, omega, gamma) count from
 * min_pairs on.
 */
#include "report/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

#define MISSING_MOST 1e4 /* looks that are worth a word */

/* ---- values ------------------------------------------------------------------------------ */

static double enough_pairs(const struct row *row, const struct cell_context *ctx, double value)
{
	return row->replica.pairs < ctx->min_pairs ? NAN : value;
}

/* Samples of accesses that all its objects would have had; NAN where there are none. */
static double row_accesses(const struct row *row)
{
	double sum = 0;

	for (size_t i = 0; i < row->ncontexts; i++)
		sum += row->contexts[i]->accesses;
	return sum > 0 ? sum : NAN;
}

#define VALUE(name, expression)                                                           \
	static double name##_value(const struct row *row, const struct cell_context *ctx) \
	{                                                                                 \
		(void)ctx;                                                                \
		return expression;                                                        \
	}

VALUE(saved, replica_saved(&row->replica))
VALUE(likely, replica_likely(&row->replica))
VALUE(live, replica_saved_live(&row->replica).low)
VALUE(bytes, row->replica.bytes)
VALUE(objects, row->replica.objects)
VALUE(pairs, (double)row->replica.pairs)
VALUE(accesses, row_accesses(row))
VALUE(theta, row->replica.theta_ci.low)
VALUE(identical, row->replica.identical_ci.low)
VALUE(group, row->replica.largest_group_ci.low)
VALUE(deep, row->replica.largest_deep_ci.low)
VALUE(omega, enough_pairs(row, ctx, row->replica.omega))
VALUE(alpha, enough_pairs(row, ctx, row->replica.alpha))
VALUE(gamma, enough_pairs(row, ctx, row->replica.gamma))

/* ---- cells ------------------------------------------------------------------------------- */

static void put_number(FILE *out, const struct cell_context *ctx, const char *text)
{
	fputs(strcmp(text, "-") == 0 ? style_glyph(ctx->style, GLYPH_DASH) : text, out);
}

/* A share and its interval, which is rounded outwards; always of one width. */
static void put_range(FILE *out, const struct cell_context *ctx, double value,
		      const struct replica_interval *ci, uint64_t evidence)
{
	char text[UNITS_TEXT];

	if (ctx->points) {
		put_number(out, ctx, units_percent(text, evidence < ctx->min_pairs ? NAN : value));
		return;
	}
	if (isnan(value) || evidence < ctx->min_pairs) {
		fprintf(out, "    %s          ", style_glyph(ctx->style, GLYPH_DASH));
		return;
	}
	fprintf(out, "%5s ", units_percent(text, value));
	if (isnan(ci->low) || isnan(ci->high))
		fprintf(out, "%9s", "");
	else
		fprintf(out, "[%3.0f%s%3.0f]", floor(ci->low * 100),
			style_glyph(ctx->style, GLYPH_DASH), ceil(ci->high * 100));
}

/* Says so where it is of objects that are equal with what they refer to, and not as such. */
static void put_saved(FILE *out, const struct cell_context *ctx, const struct replica *r)
{
	char text[UNITS_TEXT];

	if (!ctx->brief && replica_saved_deep(r) && replica_saved(r) > 0)
		fputs("deep ", out);
	put_number(out, ctx, units_bytes(text, replica_saved(r)));
}

#define PRINT(name, statement)                                                                     \
	static void name##_print(FILE *out, const struct row *row, const struct cell_context *ctx) \
	{                                                                                          \
		const struct replica *r = &row->replica;                                           \
		char text[UNITS_TEXT];                                                             \
		(void)r;                                                                           \
		(void)ctx;                                                                         \
		(void)text;                                                                        \
		statement;                                                                         \
	}

PRINT(rank, fprintf(out, "%zu", ctx->rank))
PRINT(pid, fprintf(out, "%d", row->pid))
PRINT(saved, put_saved(out, ctx, r))
PRINT(likely, put_number(out, ctx, units_bytes(text, replica_likely(r))))
PRINT(live, put_number(out, ctx, units_bytes(text, live_value(row, ctx))))
PRINT(bytes, put_number(out, ctx, units_bytes(text, r->bytes)))
PRINT(objects, put_number(out, ctx, units_count(text, r->objects)))
PRINT(pairs, put_number(out, ctx, units_count(text, (double)r->pairs)))
PRINT(accesses, put_number(out, ctx, units_count(text, accesses_value(row, ctx))))
PRINT(share,
      put_number(out, ctx, units_percent(text, ctx->bytes > 0 ? r->bytes / ctx->bytes : NAN)))
PRINT(theta, put_range(out, ctx, r->theta, &r->theta_ci, r->pairs))
PRINT(identical, put_range(out, ctx, r->identical, &r->identical_ci, r->pairs))
PRINT(group, put_range(out, ctx, r->largest_group, &r->largest_group_ci, r->scanned))
PRINT(deep, put_range(out, ctx, r->largest_deep, &r->largest_deep_ci, r->deep_scanned))
PRINT(alpha, put_number(out, ctx, units_percent(text, alpha_value(row, ctx))))
PRINT(omega, put_number(out, ctx, units_percent(text, omega_value(row, ctx))))
PRINT(gamma, put_number(out, ctx, units_percent(text, gamma_value(row, ctx))))
PRINT(class, style_put(out, ctx->style, row_class(row)))

static void verdict_print(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	const struct replica *r = &row->replica;
	bool deep;
	enum replica_verdict verdict = replica_shown(r, &deep);

	double missing = replica_decided(r)->missing;
	if (verdict == VERDICT_UNKNOWN && missing >= 1 && missing < MISSING_MOST && !ctx->summary)
		fprintf(out, "unknown (%.0f more snapshots)", missing);
	else
		fprintf(out, "%s%s", replica_verdict_name(verdict),
			deep && !ctx->summary ? " (deep)" : "");
}

static void site_print(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	row_put_site(out, ctx->style, row);
}

static void line_print(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	row_put_line(out, ctx->style, row);
}

/* ---- inks -------------------------------------------------------------------------------- */

static enum ink bold(const struct row *row)
{
	return replica_saved(&row->replica) > 0 ? INK_BOLD : INK_PLAIN;
}

static enum ink dim(const struct row *row)
{
	(void)row;
	return INK_DIM;
}

static enum ink verdict_ink(const struct row *row)
{
	bool deep;

	switch (replica_shown(&row->replica, &deep)) {
	case VERDICT_REPLICA:
		return INK_RED;
	case VERDICT_FEW_VALUES:
		return INK_YELLOW;
	case VERDICT_PARTIAL:
		return INK_CYAN;
	case VERDICT_DISTINCT:
		return INK_GREEN;
	case VERDICT_ALIKE:
		return INK_CYAN;
	default:
		return INK_DIM;
	}
}

/* ---- the table --------------------------------------------------------------------------- */

enum {
	RIGHT = COLUMN_RIGHT,
	BYTES = COLUMN_RIGHT | COLUMN_BYTES,
	COUNT = COLUMN_RIGHT | COLUMN_COUNT,
	PERCENT = COLUMN_RIGHT | COLUMN_PERCENT,
	STATS = COLUMN_STATS,
	RANGE = COLUMN_PERCENT | COLUMN_RANGE | COLUMN_STATS,
	NO_GREEK = -1,
};

const struct column columns[] = {
	{ "#", RIGHT, 0, NO_GREEK, NULL, rank_print, dim, "the line's number" },
	{ "pid", RIGHT | COLUMN_PIDS, 5, NO_GREEK, NULL, pid_print, NULL,
	  "the JVM's process id; shown where there are several" },
	{ "saved", BYTES, 0, NO_GREEK, saved_value, saved_print, bold,
	  "bytes that merging equal objects, as such or deep, would at least save" },
	{ "likely", BYTES, 0, NO_GREEK, likely_value, likely_print, NULL,
	  "bytes that merging saves, as estimated, where at least some are sure" },
	{ "live", BYTES | COLUMN_HIDDEN, 0, NO_GREEK, live_value, live_print, NULL,
	  "the same of the bytes that were alive at the last view" },
	{ "bytes", BYTES, 4, NO_GREEK, bytes_value, bytes_print, NULL, "bytes allocated" },
	{ "share", PERCENT, 3, NO_GREEK, NULL, share_print, NULL,
	  "of all bytes, those of the line" },
	{ "objects", COUNT, 7, NO_GREEK, objects_value, objects_print, NULL, "objects allocated" },
	{ "theta", RANGE, 1, GLYPH_THETA, theta_value, theta_print, NULL,
	  "pairs with an equal value, by the lower end of the interval" },
	{ "alpha", PERCENT | STATS, 9, GLYPH_ALPHA, alpha_value, alpha_print, NULL,
	  "the same among pairs of unequal content" },
	{ "omega", PERCENT | STATS, 8, GLYPH_OMEGA, omega_value, omega_print, NULL,
	  "lower bound of the largest group of identical objects" },
	{ "gamma", PERCENT | STATS, 8, GLYPH_GAMMA, gamma_value, gamma_print, NULL,
	  "its upper bound" },
	{ "identical", RANGE | COLUMN_HIDDEN, 2, NO_GREEK, identical_value, identical_print, NULL,
	  "pairs with equal content, by the lower end" },
	{ "group", RANGE, 3, NO_GREEK, group_value, group_print, NULL,
	  "the largest group as scanned, by the lower end" },
	{ "deep", RANGE, 3, NO_GREEK, deep_value, deep_print, NULL,
	  "the largest group of objects that are equal with what they refer to, by the lower end" },
	{ "pairs", COUNT | STATS, 6, NO_GREEK, pairs_value, pairs_print, NULL, "pairs compared" },
	{ "accesses", COUNT | COLUMN_HIDDEN, 5, NO_GREEK, accesses_value, accesses_print, NULL,
	  "samples of accesses to the objects, where they were looked for" },
	{ "verdict", 0, 0, NO_GREEK, NULL, verdict_print, verdict_ink,
	  "what the evidence comes to" },
	{ "line", COLUMN_HEAD | COLUMN_LINE, 0, NO_GREEK, NULL, line_print, NULL,
	  "file and line that make the objects, in the reader's own code" },
	{ "class", COLUMN_TAIL | COLUMN_CLASS, 0, NO_GREEK, NULL, class_print, NULL,
	  "class of the objects" },
	{ "site", COLUMN_HEAD | COLUMN_SITE, 0, NO_GREEK, NULL, site_print, NULL,
	  "where they are allocated" },
	{ NULL, 0, 0, NO_GREEK, NULL, NULL, NULL, NULL },
};

const struct column *column_find(const char *name)
{
	for (const struct column *c = columns; c->name; c++)
		if (c->value && strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

const struct column *column_named(const char *name)
{
	for (const struct column *c = columns; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

struct bounds_range column_range(const struct column *c, const struct row *row,
				 const struct cell_context *ctx)
{
	const struct replica *r = &row->replica;
	double value = c->value(row, ctx);

	if (c->value == theta_value)
		return (struct bounds_range){ value, r->theta_ci.high };
	if (c->value == identical_value)
		return (struct bounds_range){ value, r->identical_ci.high };
	if (c->value == saved_value)
		return (struct bounds_range){ value, fmax(value, replica_saved_high(r)) };
	if (c->value == live_value)
		return (struct bounds_range){ value, replica_saved_live(r).high };
	if (c->value == group_value)
		return (struct bounds_range){ value, r->largest_group_ci.high };
	if (c->value == deep_value)
		return (struct bounds_range){ value, r->largest_deep_ci.high };
	return (struct bounds_range){ value, value };
}

static void put_names(FILE *out, bool with_help, bool keys_only)
{
	const char *separator = "";

	for (const struct column *c = columns; c->name; c++) {
		if (keys_only && !c->value)
			continue;
		if (with_help)
			fprintf(out, "\n- %s: %s", c->name, c->help);
		else
			fprintf(out, "%s%s", separator, c->name);
		separator = ", ";
	}
}

void columns_put_keys(FILE *out, bool with_help)
{
	put_names(out, with_help, true);
}

void columns_put_names(FILE *out, bool with_help)
{
	put_names(out, with_help, false);
}

void column_put_heading(FILE *out, const struct column *c, const struct cell_context *ctx)
{
	fputs(c->greek == NO_GREEK ? c->name : style_glyph(ctx->style, (enum glyph)c->greek), out);
	if (c->flags & COLUMN_PERCENT)
		fputs(" %", out);
	if ((c->flags & COLUMN_RANGE) && !ctx->points)
		fprintf(out, " [%.4g %%]", ctx->confidence * 100);
}

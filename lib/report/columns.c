/* SPDX-License-Identifier: Apache-2.0 */
/* columns.c - see columns.h. */
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
		put_value(out, c->figure, row, ctx);
}

void column_put_heading(FILE *out, const struct column *c, const struct cell_context *ctx)
{
	fputs(c->greek ? style_glyph(ctx->style, c->greek) : column_name(c), out);
	if (figure_is_share(c->figure))
		fputs(" %", out);
	if (column_has_range(c->figure, ctx))
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
	fprintf(out, "%d", row->row.pid);
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

/* Of what is only possible there is no number that adds up with those of other rows. */
void column_print_avoidable(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	char text[UNITS_TEXT];

	if (row->possible && !(row->avoidable > 0))
		fputs("possibly", out);
	else
		put_number(out, ctx, units_bytes(text, row->avoidable));
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

/* ---- the table ---------------------------------------------------------------------------- */

const struct column columns[] = {
	{ &row_figures[ROW_FIGURE_RANK], .in = COLUMN_IN(SHOW(0, 0), SHOW(3, 0), ABSENT),
	  .print = column_print_rank, .ink = column_ink_rank },
	{ &row_figures[ROW_FIGURE_PID], .flags = COLUMN_PIDS,
	  .in = COLUMN_IN(SHOW(5, 0), SHOW(6, 0), SHOW(6, 0)), .print = column_print_pid },
	{ &row_figures[ROW_FIGURE_SAVED], .in = COLUMN_IN(SHOW(0, 0), SHOW(0, 'v'), AS_KEY(8, 'V')),
	  .print = column_print_saved, .ink = column_ink_saved },
	{ &row_figures[ROW_FIGURE_LIKELY], .in = COLUMN_IN(SHOW(0, 0), SHOW(1, 'l'), ABSENT) },
	{ &row_figures[ROW_FIGURE_AVOIDABLE],
	  .in = COLUMN_IN(SHOW(2, 0), SHOW(2, 'A'), AS_KEY(8, 'A')),
	  .print = column_print_avoidable },
	{ &row_figures[ROW_FIGURE_LIVE], .in = COLUMN_IN(AS_KEY(0, 0), ABSENT, ABSENT) },
	{ &row_figures[ROW_FIGURE_BYTES],
	  .in = COLUMN_IN(SHOW(4, 0), SHOW(0, 'b'), AS_KEY(8, 'B')) },
	{ &row_figures[ROW_FIGURE_SHARE], .in = COLUMN_IN(SHOW(3, 0), ABSENT, ABSENT),
	  .print = column_print_share },
	{ &row_figures[ROW_FIGURE_OBJECTS],
	  .in = COLUMN_IN(SHOW(7, 0), SHOW(4, 'o'), AS_KEY(8, 'O')) },
	{ &row_figures[ROW_FIGURE_THETA], .flags = COLUMN_STATS, .greek = GLYPH_THETA,
	  .in = COLUMN_IN(SHOW(1, 0), SHOW(7, 't'), SHOW(7, 't')) },
	{ &row_figures[ROW_FIGURE_ALPHA], .flags = COLUMN_STATS, .greek = GLYPH_ALPHA,
	  .in = COLUMN_IN(SHOW(9, 0), AS_KEY(9, 'a'), ABSENT) },
	{ &row_figures[ROW_FIGURE_OMEGA], .flags = COLUMN_STATS, .greek = GLYPH_OMEGA,
	  .in = COLUMN_IN(SHOW(8, 0), SHOW(8, 'm'), SHOW(8, 'm')) },
	{ &row_figures[ROW_FIGURE_GAMMA], .flags = COLUMN_STATS, .greek = GLYPH_GAMMA,
	  .in = COLUMN_IN(SHOW(8, 0), AS_KEY(9, 'G'), ABSENT) },
	{ &row_figures[ROW_FIGURE_IDENTICAL],
	  .in = COLUMN_IN(AS_KEY(2, 0), AS_KEY(9, 'E'), ABSENT) },
	{ &row_figures[ROW_FIGURE_GROUP], .flags = COLUMN_STATS,
	  .in = COLUMN_IN(SHOW(3, 0), SHOW(9, 'g'), SHOW(9, 'g')) },
	{ &row_figures[ROW_FIGURE_DEEP], .flags = COLUMN_STATS,
	  .in = COLUMN_IN(SHOW(3, 0), SHOW(10, 'd'), AS_KEY(6, 'd')) },
	{ &row_figures[ROW_FIGURE_PAIRS], .flags = COLUMN_STATS,
	  .in = COLUMN_IN(SHOW(6, 0), SHOW(11, 'n'), AS_KEY(8, 'n')) },
	{ &row_figures[ROW_FIGURE_ACCESSES], .in = COLUMN_IN(AS_KEY(5, 0), ABSENT, ABSENT) },
	{ &row_figures[ROW_FIGURE_VERDICT], .in = COLUMN_IN(SHOW(0, 0), SHOW(0, 0), SHOW(0, 0)),
	  .print = column_print_verdict, .ink = column_ink_verdict },
	{ &row_figures[ROW_FIGURE_LINE], .flags = COLUMN_HEAD | COLUMN_LINE,
	  .in = COLUMN_IN(SHOW(0, 0), SHOW(0, 0), SHOW(0, 0)), .print = column_print_line },
	{ &row_figures[ROW_FIGURE_CLASS], .flags = COLUMN_TAIL | COLUMN_CLASS,
	  .in = COLUMN_IN(SHOW(0, 0), SHOW(0, 0), SHOW(0, 0)), .print = column_print_class },
	{ &row_figures[ROW_FIGURE_SITE], .flags = COLUMN_HEAD | COLUMN_SITE,
	  .in = COLUMN_IN(SHOW(0, 0), SHOW(0, 0), SHOW(0, 0)), .print = column_print_site },
	{ .figure = NULL },
};

const struct column *column_find(const char *name)
{
	for (const struct column *c = columns; c->figure; c++)
		if (column_is_key(c) && strcmp(column_name(c), name) == 0)
			return c;
	return NULL;
}

const struct column *column_named(const char *name)
{
	for (const struct column *c = columns; c->figure; c++)
		if (column_is_shown(c) && strcmp(column_name(c), name) == 0)
			return c;
	return NULL;
}

unsigned column_table_flags(const struct column *c, const struct cell_context *ctx)
{
	bool right = c->figure->kind == FIGURE_NUMBER && !column_has_range(c->figure, ctx);

	return c->flags | (right ? COLUMN_RIGHT : 0);
}

static void put_names(FILE *out, bool with_help, bool (*is_named)(const struct column *c))
{
	const char *separator = "";

	for (const struct column *c = columns; c->figure; c++) {
		if (!is_named(c))
			continue;
		if (with_help)
			fprintf(out, "\n- %s: %s", column_name(c), c->figure->help);
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

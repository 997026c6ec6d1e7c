/* SPDX-License-Identifier: Apache-2.0 */
/* columns_cells.c - the headings and cells of columns as text, see columns.h. */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "report/columns_private.h"

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

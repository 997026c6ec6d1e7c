/* SPDX-License-Identifier: Apache-2.0 */
/* live_columns.c - see live_columns.h. */
#include "live/live_columns.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "live/rates.h"

/* ---- values ------------------------------------------------------------------------------ */

static double saved_value(const struct row *row, const struct cell_context *ctx)
{
	return ctx->rates ? rates_saved(ctx->rates, row) : NAN;
}

static double bytes_value(const struct row *row, const struct cell_context *ctx)
{
	return ctx->rates ? rates_bytes(ctx->rates, row) : NAN;
}

static double objects_value(const struct row *row, const struct cell_context *ctx)
{
	return ctx->rates ? rates_objects(ctx->rates, row) : NAN;
}

/* ---- cells ------------------------------------------------------------------------------- */

static void put(FILE *out, const struct cell_context *ctx, const char *text)
{
	fputs(strcmp(text, "-") == 0 ? style_glyph(ctx->style, GLYPH_DASH) : text, out);
}

static void saved_print(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	char text[UNITS_TEXT];

	put(out, ctx, units_bytes(text, saved_value(row, ctx)));
}

static void bytes_print(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	char text[UNITS_TEXT];

	put(out, ctx, units_bytes(text, bytes_value(row, ctx)));
}

static void objects_print(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	char text[UNITS_TEXT];

	put(out, ctx, units_rate(text, objects_value(row, ctx)));
}

static void trend_print(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	if (ctx->rates && ctx->trend)
		rates_put_trend(out, ctx->rates, row, ctx->trend, ctx->style->utf8);
}

static enum ink saved_ink(const struct row *row)
{
	return replica_saved(&row->replica) > 0 ? INK_BOLD : INK_PLAIN;
}

static enum ink trend_ink(const struct row *row)
{
	(void)row;
	return INK_CYAN;
}

/* ---- the table --------------------------------------------------------------------------- */

enum {
	BYTES = COLUMN_RIGHT | COLUMN_BYTES,
	COUNT = COLUMN_RIGHT | COLUMN_COUNT,
	NO_GREEK = -1,
};

const struct column live_columns[] = {
	{ "saved/s", BYTES, 0, NO_GREEK, saved_value, saved_print, saved_ink,
	  "least bytes per second that merging equal objects would save" },
	{ "bytes/s", BYTES, 0, NO_GREEK, bytes_value, bytes_print, NULL,
	  "bytes allocated per second, over the last five seconds" },
	{ "objects/s", COUNT, 4, NO_GREEK, objects_value, objects_print, NULL,
	  "objects allocated per second, over the last five seconds" },
	{ "trend", 0, 1, NO_GREEK, NULL, trend_print, trend_ink,
	  "bytes allocated in the last minute, the newest on the right" },
	{ NULL, 0, 0, NO_GREEK, NULL, NULL, NULL, NULL },
};

const struct column *live_column_named(const char *name)
{
	for (const struct column *c = live_columns; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return column_named(name);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* live_columns.c - see live_columns.h. */
#include "live/live_columns.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "live/rates.h"

/* ---- values ------------------------------------------------------------------------------ */

static double saved_value(const void *row)
{
	const struct rate *rate = ((const struct row *)row)->rate;

	return rate ? rate->bytes_now * rate->saved_share : NAN;
}

static double bytes_value(const void *row)
{
	const struct rate *rate = ((const struct row *)row)->rate;

	return rate ? rate->bytes_now : 0;
}

static double objects_value(const void *row)
{
	const struct rate *rate = ((const struct row *)row)->rate;

	return rate ? rate->objects_now : 0;
}

/* ---- cells ------------------------------------------------------------------------------- */

static void objects_print(FILE *out, const struct row *row, const struct cell_context *ctx)
{
	char text[UNITS_TEXT];

	(void)ctx;
	fputs(units_rate(text, objects_value(row)), out);
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

#define FIGURE(name_, unit_, of, help_)                                                       \
	{                                                                                     \
		.name = (name_), .unit = (unit_), .kind = FIGURE_NUMBER, .flags = FIGURE_KEY, \
		.value = of##_value, .help = (help_)                                          \
	}

static const struct column live_columns[] = {
	{ .figure = FIGURE("saved/s", "bytes", saved,
			   "least bytes per second that merging equal objects would save"),
	  .in = COLUMN_IN(ABSENT, ABSENT, SHOW(0, 'v')),
	  .ink = saved_ink },
	{ .figure = FIGURE("bytes/s", "bytes", bytes,
			   "bytes allocated per second, over the last five seconds"),
	  .in = COLUMN_IN(ABSENT, ABSENT, SHOW(0, 'b')) },
	{ .figure = FIGURE("objects/s", "count", objects,
			   "objects allocated per second, over the last five seconds"),
	  .in = COLUMN_IN(ABSENT, ABSENT, SHOW(5, 'o')),
	  .print = objects_print },
	{ .figure = { .name = "trend",
		      .kind = FIGURE_TEXT,
		      .help = "bytes allocated in the last minute, the newest on the right" },
	  .in = COLUMN_IN(ABSENT, ABSENT, SHOW(2, 0)),
	  .print = trend_print,
	  .ink = trend_ink },
	{ .figure = { .name = NULL } },
};

/* Adds those of `from` up to `end` that the table has. */
static size_t add(const struct column *list[TABLE_COLUMNS], size_t n, const struct column *from,
		  const struct column *end, enum column_table table)
{
	for (const struct column *c = from; c != end && c->figure.name; c++)
		if (c->in[table].show != COLUMN_ABSENT && n < TABLE_COLUMNS)
			list[n++] = c;
	return n;
}

/* What happens now stands before what is known of the whole recording. */
size_t live_columns_list(const struct column *list[TABLE_COLUMNS], enum column_table table)
{
	const struct column *key = columns;

	while (key->figure.name && !column_is_key(key))
		key++;
	size_t n = add(list, 0, columns, key, table);
	n = add(list, n, live_columns, NULL, table);
	return add(list, n, key, NULL, table);
}

const struct column *live_column_find(const char *name, enum column_table table)
{
	const struct column *list[TABLE_COLUMNS];
	size_t n = live_columns_list(list, table);

	for (size_t i = 0; i < n; i++)
		if (column_is_key(list[i]) && strcmp(column_name(list[i]), name) == 0)
			return list[i];
	return NULL;
}

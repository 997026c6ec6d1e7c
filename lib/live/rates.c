/* SPDX-License-Identifier: Apache-2.0 */
/* rates.c - see rates.h. */
#include "live/rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

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

enum { LIVE_SAVED, LIVE_BYTES, LIVE_OBJECTS, LIVE_TREND };

static const struct figure live_figures[] = {
	[LIVE_SAVED] = FIGURE("saved/s", "bytes", saved,
			      "least bytes per second that merging equal objects would save"),
	[LIVE_BYTES] = FIGURE("bytes/s", "bytes", bytes,
			      "bytes allocated per second, over the last five seconds"),
	[LIVE_OBJECTS] = FIGURE("objects/s", "count", objects,
				"objects allocated per second, over the last five seconds"),
	[LIVE_TREND] = { .name = "trend",
			 .kind = FIGURE_TEXT,
			 .help = "bytes allocated in the last minute, the newest on the right" },
};

static const struct column live_columns[] = {
	{ &live_figures[LIVE_SAVED], .in = COLUMN_IN(ABSENT, ABSENT, SHOW(0, 'v')),
	  .ink = saved_ink },
	{ &live_figures[LIVE_BYTES], .in = COLUMN_IN(ABSENT, ABSENT, SHOW(0, 'b')) },
	{ &live_figures[LIVE_OBJECTS], .in = COLUMN_IN(ABSENT, ABSENT, SHOW(5, 'o')),
	  .print = objects_print },
	{ &live_figures[LIVE_TREND], .in = COLUMN_IN(ABSENT, ABSENT, SHOW(2, 0)),
	  .print = trend_print, .ink = trend_ink },
	{ .figure = NULL },
};

/* Adds those of `from` up to `end` that the table has. */
static size_t add(const struct column *list[TABLE_COLUMNS], size_t n, const struct column *from,
		  const struct column *end, enum column_table table)
{
	for (const struct column *c = from; c != end && c->figure; c++)
		if (c->in[table].show != COLUMN_ABSENT && n < TABLE_COLUMNS)
			list[n++] = c;
	return n;
}

/* What happens now stands before what is known of the whole recording. */
size_t live_columns_list(const struct column *list[TABLE_COLUMNS], enum column_table table)
{
	const struct column *key = columns;

	while (key->figure && !column_is_key(key))
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

#define SECOND 1e9

uint64_t rates_key(const struct row *row)
{
	return (uint64_t)row->row.jvm << 32 | row->contexts[0]->id;
}

static struct rate *find(const struct rates *r, const struct row *row)
{
	return row->rate ? row->rate : idmap_get(&r->map, rates_key(row));
}

static struct rate *find_or_add(struct rates *r, const struct row *row, bool *added)
{
	struct rate *rate = find(r, row);

	*added = !rate;
	if (rate)
		return rate;
	rate = calloc(1, sizeof *rate);
	if (!rate)
		return NULL;
	rate->key = rates_key(row);
	if (idmap_put(&r->map, rate->key, rate) == 0)
		return rate;
	free(rate);
	return NULL;
}

void rates_release(struct rates *r)
{
	for (size_t i = 0; r->map.slots && i <= r->map.mask; i++)
		free(r->map.slots[i].value);
	idmap_release(&r->map);
	*r = (struct rates)RATES_INIT;
}

/* ---- buckets ------------------------------------------------------------------------------ */

/* The bucket of `age` seconds before `now`, if there are as many buckets. */
static double bucket(const struct rate *rate, const float *of, unsigned buckets, uint64_t now,
		     unsigned age)
{
	if (age > now || now - age > rate->second || age >= buckets)
		return 0;
	return of[(now - age) % buckets];
}

/* Makes `second` the newest bucket; seconds since the last one had no allocation. */
static void advance(struct rate *rate, uint64_t second)
{
	uint64_t from = rate->second;

	if (second <= from)
		return;
	if (second - from > RATES_SECONDS)
		from = second - RATES_SECONDS;
	while (from < second) {
		from++;
		rate->b[from % RATES_SECONDS] = 0;
		rate->o[from % RATES_WINDOW] = 0;
	}
	rate->second = second;
}

/* Distributes an amount over the buckets between two times (seconds). */
static void spread(struct rate *rate, double from, double to, double objects, double bytes)
{
	uint64_t last = (uint64_t)to;

	advance(rate, last);
	if (to <= from)
		from = to - 1e-9;
	uint64_t first = (uint64_t)fmax(from, 0), kept = last - RATES_SECONDS + 1;
	if (last >= RATES_SECONDS && first < kept)
		first = kept;
	for (uint64_t s = first; s <= last; s++) {
		double share = fmin(to, (double)s + 1) - fmax(from, (double)s);
		share = fmax(share, 0) / (to - from);
		rate->b[s % RATES_SECONDS] += (float)(bytes * share);
		if (last - s < RATES_WINDOW)
			rate->o[s % RATES_WINDOW] += (float)(objects * share);
	}
}

/* How many of the last `most` seconds were observed; the current second counts in part. */
static double covered(const struct rates *r, double most)
{
	double now = (double)r->now_ns / SECOND, begin = (double)r->begin_ns / SECOND;
	/* the newest bucket is filled only up to now */
	double span = most - 1 + (now - floor(now));

	return fmin(span, now - begin);
}

/* Updates the means of the last seconds; most lines allocated nothing in them. */
static void note_means(const struct rates *r, struct rate *rate)
{
	uint64_t now = (uint64_t)((double)r->now_ns / SECOND);
	double seconds = covered(r, RATES_WINDOW), objects = 0, bytes = 0;

	rate->objects_now = rate->bytes_now = 0;
	if (seconds <= 0 || rate->second + RATES_WINDOW <= now)
		return;
	for (unsigned i = 0; i < RATES_WINDOW; i++) {
		objects += bucket(rate, rate->o, RATES_WINDOW, now, i);
		bytes += bucket(rate, rate->b, RATES_SECONDS, now, i);
	}
	rate->objects_now = objects / seconds;
	rate->bytes_now = bytes / seconds;
}

static void add_to_sums(struct rates *r, const struct rate *rate)
{
	double saved = rate->bytes_now * rate->saved_share;

	r->bytes += rate->bytes_now;
	r->saved += isnan(saved) ? 0 : saved;
}

/* Begins an update; false if no time has passed. */
static bool begin_update(struct rates *r, uint64_t now_ns, bool from_zero)
{
	if (r->begun && now_ns <= r->now_ns)
		return false;
	if (!r->begun)
		r->begin_ns = from_zero ? 0 : now_ns;
	r->now_ns = now_ns;
	r->bytes = r->saved = 0;
	return true;
}

/* Takes a row's totals. `counts`: the increase came between two times (seconds). */
static int update_row(struct rates *r, struct row *row, double from, double to, bool counts)
{
	const struct replica *x = &row->replica;
	bool added;
	struct rate *rate = find_or_add(r, row, &added);

	if (!rate)
		return -1;
	row->rate = rate;
	/* all that a new line has came since the last update */
	if (counts && (x->objects != rate->objects || x->bytes != rate->bytes))
		spread(rate, from, to, fmax(x->objects - rate->objects, 0),
		       fmax(x->bytes - rate->bytes, 0));
	rate->objects = x->objects;
	rate->bytes = x->bytes;
	note_means(r, rate);
	add_to_sums(r, rate);
	return 0;
}

int rates_update(struct rates *r, struct rows *rows, uint64_t now_ns, bool from_zero)
{
	bool counts = r->begun || from_zero;
	double from = (double)r->now_ns / SECOND, to = (double)now_ns / SECOND;

	if (!begin_update(r, now_ns, from_zero))
		return 0;
	for (size_t i = 0; i < rows->table.n; i++)
		if (update_row(r, rows_at(rows, i), from, to, counts) < 0)
			return -1;
	r->begun = true;
	return 0;
}

/*
 * Remembers a verdict. Sampling becomes sparser after the first second, so few snapshots may soon
 * stand for most of the bytes: what was proven of the first objects is not proven of all then.
 */
static void note_verdict(struct rate *rate, struct row *row)
{
	bool deep;
	enum replica_verdict shown = replica_shown(&row->replica, &deep);

	if (replica_is_decided(shown))
		rate->verdict = shown;
	row->held = shown == VERDICT_UNKNOWN ? rate->verdict : VERDICT_UNKNOWN;
}

static void note_saved(struct rates *r, struct row *row)
{
	struct rate *rate = find(r, row);
	double bytes = row->replica.bytes;

	row->rate = rate;
	if (!rate)
		return;
	rate->saved_share = bytes > 0 ? replica_saved(&row->replica) / bytes : NAN;
	note_verdict(rate, row);
}

void rates_note_saved(struct rates *r, struct rows *rows)
{
	r->bytes = r->saved = 0;
	for (size_t i = 0; i < rows->table.n; i++) {
		note_saved(r, rows_at(rows, i));
		if (rows_at(rows, i)->rate)
			add_to_sums(r, rows_at(rows, i)->rate);
	}
}

/* ---- figures ------------------------------------------------------------------------------ */

double rates_objects(const struct rates *r, const struct row *row)
{
	const struct rate *rate = find(r, row);

	return rate ? rate->objects_now : 0;
}

double rates_bytes(const struct rates *r, const struct row *row)
{
	const struct rate *rate = find(r, row);

	return rate ? rate->bytes_now : 0;
}

double rates_saved(const struct rates *r, const struct row *row)
{
	const struct rate *rate = find(r, row);

	return rate ? rate->bytes_now * rate->saved_share : NAN;
}

/* ---- the last minute ------------------------------------------------------------------------ */

void rates_put_trend(FILE *out, const struct rates *r, const struct row *row, unsigned width,
		     bool utf8)
{
	const struct rate *rate = find(r, row);
	uint64_t now = (uint64_t)((double)r->now_ns / SECOND);
	unsigned each = RATES_SECONDS / width; /* seconds per column */
	double column[RATES_SECONDS] = { 0 }, most = 0;

	for (unsigned i = 0; rate && i < width; i++) {
		/* the newest second has only begun and would always look low */
		for (unsigned k = 0; k < each; k++) {
			unsigned age = (width - 1 - i) * each + k + (each == 1 ? 0 : 1);
			column[i] += bucket(rate, rate->b, RATES_SECONDS, now, age);
		}
		most = fmax(most, column[i]);
	}
	for (unsigned i = 0; i < width; i++) {
		int level = most > 0 ? (int)ceil(column[i] / most * STYLE_LEVELS) : 0;
		fputs(style_level(utf8, level), out);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rates.h - how fast each line of a live table allocates, now and over the last minute.
 *
 * It gets each line's total from time to time and spreads the increase evenly over the seconds
 * since the last time. Times are those of the recording, so that a late update does no harm.
 */
#ifndef OJX_RATES_H
#define OJX_RATES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/idmap.h"
#include "report/columns.h"
#include "report/rows.h"

enum {
	RATES_SECONDS = 60, /* seconds that are kept */
	RATES_WINDOW = 5,   /* seconds over which a rate is averaged */
};

struct rate {
	uint64_t key;
	uint64_t second;	       /* of the newest bucket, in time of the recording */
	double objects, bytes;	       /* totals so far */
	double saved_share;	       /* share of the bytes that merging would save */
	enum replica_verdict verdict;  /* the last one that decided; VERDICT_UNKNOWN: none */
	double objects_now, bytes_now; /* per second, in the last update */
	float o[RATES_WINDOW];	       /* objects in each second, at second % RATES_WINDOW */
	float b[RATES_SECONDS];	       /* bytes in each second, at second % RATES_SECONDS */
};

struct rates {
	struct idmap map; /* of struct rate */
	uint64_t begin_ns, now_ns;
	double bytes, saved; /* per second, of all rows */
	bool begun;	     /* there was a first update, to which later ones are compared */
};
#define RATES_INIT             \
	{                      \
		.begun = false \
	}

/* Forgets all rows; their rates must not be used any more. */
void rates_release(struct rates *r);

/* The key that identifies a row over time. */
uint64_t rates_key(const struct row *row);

/*
 * Takes the totals of all rows at `now_ns`. `from_zero`: everything was allocated since 0.
 * Otherwise the first call only stores the totals. 0, or -1 if out of memory.
 */
int rates_update(struct rates *r, struct rows *rows, uint64_t now_ns, bool from_zero);

/*
 * Notes how many of each row's bytes merging would save, and its verdict; tells rows that have none
 * now which one they had. Also for rows that were made anew since the last update.
 */
void rates_note_saved(struct rates *r, struct rows *rows);

/* Per second; 0 for an unknown row. */
double rates_objects(const struct rates *r, const struct row *row);
double rates_bytes(const struct rates *r, const struct row *row);
double rates_saved(const struct rates *r, const struct row *row);

/*
 * Writes the last minute in `width` columns, the newest on the right, scaled to the row's maximum.
 */
void rates_put_trend(FILE *out, const struct rates *r, const struct row *row, unsigned width,
		     bool utf8);

/*
 * ---- columns that only a live table has: bytes allocated per second, how many of them
 * merging would save, and the last minute. They work like those of columns.h. Their figures
 * are in the row's rate.
 */

/*
 * Lists the columns of a table in their order, those that are shown only as the sort key among
 * them; COLUMN_TOP has also these here. Returns how many they are.
 */
size_t live_columns_list(const struct column *list[TABLE_COLUMNS], enum column_table table);

/* The sort key of that name in that table, or NULL. */
const struct column *live_column_find(const char *name, enum column_table table);

#endif

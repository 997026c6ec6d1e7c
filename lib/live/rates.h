/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rates.h - how fast each line of a live table allocates, and how that went over the last minute.
 *
 * It is told each line's total from time to time, and spreads what was added evenly over the
 * seconds that have passed since. Times are those of the recording, so that a reader who looks late
 * is not misled.
 */
#ifndef OJX_RATES_H
#define OJX_RATES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/idmap.h"
#include "report/rows.h"

enum {
	RATES_SECONDS = 60, /* that are remembered */
	RATES_WINDOW = 5,   /* seconds of which a rate is the mean */
};

struct rate {
	uint64_t key;
	uint64_t second;	       /* of the newest bucket, in recording time */
	double objects, bytes;	       /* totals so far */
	double saved_share;	       /* of the bytes: what merging would save */
	double objects_now, bytes_now; /* per second, as of the last update */
	float o[RATES_WINDOW];	/* objects in each of the last seconds, by second % RATES_WINDOW */
	float b[RATES_SECONDS]; /* bytes, by second % RATES_SECONDS */
};

struct rates {
	struct idmap map; /* of struct rate */
	uint64_t begin_ns, now_ns;
	double bytes, saved; /* per second, of all rows */
	bool begun; /* a first update was made: its totals are what the others are compared with */
};
#define RATES_INIT             \
	{                      \
		.begun = false \
	}

/* Forgets all rows; they must not be asked for any more. */
void rates_release(struct rates *r);

/* What tells rows apart over time. */
uint64_t rates_key(const struct row *row);

/*
 * Takes the totals of all rows at `now_ns`. With `from_zero` all that there is counts as allocated
 * since 0; else the first call only notes where things stand. 0, or -1 where memory lacks.
 */
int rates_update(struct rates *r, struct rows *rows, uint64_t now_ns, bool from_zero);
/*
 * Notes how much of each row's bytes merging would save; also of rows that were made anew at the
 * time of the last update.
 */
void rates_note_saved(struct rates *r, struct rows *rows);

/* Per second; 0 for a row that is not known. */
double rates_objects(const struct rates *r, const struct row *row);
double rates_bytes(const struct rates *r, const struct row *row);
double rates_saved(const struct rates *r, const struct row *row);

/* Writes the last minute in `width` columns, the newest on the right, as high as the row's own
 * maximum is. */
void rates_put_trend(FILE *out, const struct rates *r, const struct row *row, unsigned width,
		     bool utf8);

#endif

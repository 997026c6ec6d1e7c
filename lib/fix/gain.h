/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gain.h - which rows have something to gain.
 *
 * Rows with something to save or to fix come first; the best three become findings. Of the others,
 * the report says how many they are, and how much longer to record to know more.
 */
#ifndef OJX_GAIN_H
#define OJX_GAIN_H

#include <stddef.h>

#include "report/rows.h"

enum gain {
	GAIN_NOTHING, /* decided: nothing to save, nothing to fix */
	GAIN_UNKNOWN, /* too little evidence */
	GAIN_FIX,     /* no saving is proven, but there is something to change */
	GAIN_SAVE,    /* merging saves something */
};

/* What there is to gain at a complete row. */
enum gain row_gain(const struct row *row);

/*
 * Seconds of further recording until there is a verdict; NAN: there is one, or the number is not
 * known.
 */
double row_seconds_missing(const struct row *row, double recorded_s);

/*
 * Puts the rows with something to save or to fix before the others; both groups keep their order.
 * Rows must be complete. Returns how many there are.
 */
size_t rows_put_gains_first(struct rows *rows);

/* Puts rows first that would save most bytes by what was seen so far. */
void rows_put_likeliest_first(struct rows *rows);

enum {
	REST_NAMED = 3,
	REST_PATIENCE = 3600, /* the longest recording, in seconds, that is suggested */
};

/* Rows that are not shown. */
struct rest {
	double other;	/* bytes of rows that row_is_other(); in no other figure */
	size_t nothing; /* rows that hold nothing to save */
	size_t unknown; /* rows that need more evidence */
	size_t untold;	/* of the unknown, rows that no number of snapshots decides */
	double bytes;	/* bytes of the unknown rows */
	double seconds; /* until half of these bytes are decided; NAN: not known */
	/* the largest of the unknown that need no more than REST_PATIENCE */
	const struct row *largest[REST_NAMED];
	size_t nlargest;
};

/* Of rows[first..]. */
void rows_rest(struct rest *rest, const struct rows *rows, size_t first, double recorded_s);

#endif

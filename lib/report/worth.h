/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worth.h - which rows are worth a reader's time: those with something to save or to fix come
 * first, the three best of them as findings; of all others it is known how many they are and what
 * it would take to know more.
 */
#ifndef OJX_WORTH_H
#define OJX_WORTH_H

#include <stddef.h>

#include "report/rows.h"

enum worth {
	WORTH_NOTHING, /* decided: nothing to save, nothing to fix */
	WORTH_UNKNOWN, /* too little evidence */
	WORTH_FIX,     /* nothing is proven to be saved, and there is something to change */
	WORTH_SAVE,    /* merging saves something */
};

/* Of a complete row: an enum worth, or -1 if out of memory. */
int row_worth(const struct row *row);

/* Seconds like those recorded until there is a verdict; NAN: there is one, or no number tells. */
double row_seconds_missing(const struct row *row, double recorded_s);

/*
 * Puts the rows with something to save or to fix before the others, both as they are sorted. Rows
 * are to be complete. Returns how many, or SIZE_MAX if out of memory.
 */
size_t rows_put_worth_first(struct rows *rows);

/* Puts the rows that most bytes of would be saved, by what was seen so far, before the others.
 * False if out of memory. */
bool rows_put_likeliest_first(struct rows *rows);

enum {
	FINDINGS_MOST = 3,
	REST_NAMED = 3,
	REST_PATIENCE = 3600, /* seconds that somebody may record for */
};

/* The best rows, by what merging saves as estimated; those that nothing is proven of come last. */
struct best {
	const struct row *row[FINDINGS_MOST];
	size_t n;
};

/* Completes the rows it takes. 0, or -1 if out of memory. */
int rows_find_best(struct best *best, const struct rows *rows, const struct model *m,
		   const struct rows_options *options);

/* Rows that are not shown. */
struct rest {
	size_t nothing; /* hold nothing to save */
	size_t unknown; /* need more evidence */
	size_t untold;	/* of these, that more of the same would not tell of */
	double bytes;	/* of the unknown */
	double seconds; /* until half of these bytes are decided; NAN: not known */
	/* of the unknown that need no more than REST_PATIENCE, by bytes */
	const struct row *largest[REST_NAMED];
	size_t nlargest;
};

/* Of rows[first..]. 0, or -1 if out of memory. */
int rows_rest(struct rest *rest, const struct rows *rows, size_t first, double recorded_s);

#endif

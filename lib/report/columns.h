/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns.h - the columns of a report's table, which are also its sort keys.
 *
 * One row of the table in columns.c is the whole of a column: its name for --sort, its heading, how
 * it is sorted, how a cell is printed, what it means. Tables, --sort and its help all read it
 * there.
 */
#ifndef OJX_COLUMNS_H
#define OJX_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/style.h"
#include "base/table.h"
#include "report/rows.h"
#include "stats/bounds.h"

struct rates;

/* What cells need to know besides their row. */
struct cell_context {
	const struct style *style;
	size_t rank;	    /* of the row, from 1 */
	uint64_t min_pairs; /* shares of fewer pairs or objects are not shown */
	double bytes;	    /* of all lines, what shares are of; 0: not known */
	double confidence;  /* of the intervals */
	bool brief;	    /* not which of the objects' comparisons told it */
	bool summary;	    /* little room: verdicts in one word */
	bool points;	    /* less room still: shares without their intervals */
	/* of a live table: */
	const struct rates *rates;
	double (*rate)(const struct rates *rates, const struct row *row); /* bytes per second */
	unsigned trend; /* columns of a sparkline */
};

enum column_flags {
	COLUMN_RIGHT = TABLE_RIGHT,
	COLUMN_TAIL = TABLE_TAIL,
	COLUMN_HEAD = TABLE_HEAD,
	COLUMN_CLASS = TABLE_CLASS,
	COLUMN_HIDDEN = TABLE_FREE,	  /* shown where it is the sort key only */
	COLUMN_PIDS = TABLE_FREE << 1,	  /* shown where there are several JVMs only */
	COLUMN_PERCENT = TABLE_FREE << 2, /* the heading is followed by " %" */
	COLUMN_RANGE = TABLE_FREE << 3,	  /* and by the interval's level */
	COLUMN_BYTES = TABLE_FREE << 4,	  /* an amount of bytes */
	COLUMN_COUNT = TABLE_FREE << 5,	  /* an amount of something else */
	COLUMN_STATS = TABLE_FREE << 6,	  /* shown with --stats only, or as the sort key */
	COLUMN_LINE = TABLE_FREE << 7,	  /* shown where rows are lines of code only */
	COLUMN_SITE = TABLE_FREE << 8,	  /* shown where they are not */
};

struct column {
	const char *name;   /* of the sort key and heading */
	unsigned flags;	    /* column_flags */
	unsigned droppable; /* narrow terminals lose the highest first; 0: never */
	int greek;	    /* glyph of the heading, or -1 */
	/* Sorts downwards; NAN: not measured, last. NULL: the column is no sort key. */
	double (*value)(const struct row *row, const struct cell_context *ctx);
	void (*print)(FILE *out, const struct row *row, const struct cell_context *ctx);
	enum ink (*ink)(const struct row *row); /* NULL: plain */
	const char *help;			/* what it shows; of a sort key, what it sorts by */
};

/* The table, in the order of display; ends with name NULL. */
extern const struct column columns[];

/* The sort key of that name, or NULL. */
const struct column *column_find(const char *name);

/* The column of that name, whether a sort key or not, or NULL. */
const struct column *column_named(const char *name);

/* What the value lies between; both ends are the value itself where it has no interval. */
struct bounds_range column_range(const struct column *c, const struct row *row,
				 const struct cell_context *ctx);

/* Writes "saved, bytes, ..."; with help a line for each: "\n- saved: bytes that ...". */
void columns_put_keys(FILE *out, bool with_help);

/* The same for all columns. */
void columns_put_names(FILE *out, bool with_help);

/* Writes the column's heading. */
void column_put_heading(FILE *out, const struct column *c, const struct cell_context *ctx);

/* Sorts rows by a key, downwards; equal ones by bytes a second where rates are known, bytes saved,
 * bytes, as they were. */
void columns_sort(struct rows *rows, const struct column *key, const struct cell_context *ctx);

/* What of a row its place depends on; rows are large, and this is not. */
struct row_place {
	double value, rate, saved, saved_end, bytes;
	uint32_t jvm, id;
	size_t row; /* whose it is; the caller's */
};

struct row_place columns_place(const struct column *key, const struct row *row,
			       const struct cell_context *ctx);
int columns_compare_places(const void *a,
			   const void *b); /* for qsort: in the order of columns_sort */

/*
 * How many of the rows, which are sorted by `key`, reach `share`: of the sum over all rows where
 * the key is an amount; the key itself where it is a share. With 0 all of them do, measured or not.
 */
size_t columns_above(const struct column *key, const struct rows *rows,
		     const struct cell_context *ctx, double share);

#endif

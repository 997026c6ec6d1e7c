/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns.h - the columns of a report's table, which are also its sort keys.
 *
 * One row of the table in columns.c describes a column completely: its name for --sort, its
 * heading, its order, how a cell is printed, what it means. Tables, --sort and its help use it.
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

/* What cells need besides their row. */
struct cell_context {
	const struct style *style;
	size_t rank;	    /* of the row, from 1 */
	uint64_t min_pairs; /* shares from fewer pairs or objects are not shown */
	double bytes;	    /* of all lines, what shares are of; 0: not known */
	double confidence;  /* of the intervals */
	bool brief;	    /* not which of the objects' comparisons told it */
	bool summary;	    /* little room: verdicts in one word */
	bool points;	    /* even less room: shares without their intervals */
	/* of a live table: */
	const struct rates *rates;
	double (*rate)(const struct rates *rates, const struct row *row); /* bytes per second */
	unsigned trend; /* width of a sparkline in columns */
};

enum column_flags {
	COLUMN_RIGHT = TABLE_RIGHT,
	COLUMN_TAIL = TABLE_TAIL,
	COLUMN_HEAD = TABLE_HEAD,
	COLUMN_CLASS = TABLE_CLASS,
	COLUMN_HIDDEN = TABLE_FREE,	  /* shown only as the sort key */
	COLUMN_PIDS = TABLE_FREE << 1,	  /* shown only if there are several JVMs */
	COLUMN_PERCENT = TABLE_FREE << 2, /* the heading ends with " %" */
	COLUMN_RANGE = TABLE_FREE << 3,	  /* and with the level of the interval */
	COLUMN_BYTES = TABLE_FREE << 4,	  /* an amount of bytes */
	COLUMN_COUNT = TABLE_FREE << 5,	  /* an amount of something else */
	COLUMN_STATS = TABLE_FREE << 6,	  /* shown with --stats only, or as the sort key */
	COLUMN_LINE = TABLE_FREE << 7,	  /* shown where rows are lines of code only */
	COLUMN_SITE = TABLE_FREE << 8,	  /* shown where they are not */
};

struct column {
	const char *name;   /* name of the sort key; heading */
	unsigned flags;	    /* column_flags */
	unsigned droppable; /* narrow terminals lose the highest first; 0: never */
	int greek;	    /* glyph for the heading, or -1 */
	/*
	 * Sorts in descending order; NAN (not measured) is last. NULL: the column is not a sort
	 * key.
	 */
	double (*value)(const struct row *row, const struct cell_context *ctx);
	void (*print)(FILE *out, const struct row *row, const struct cell_context *ctx);
	enum ink (*ink)(const struct row *row); /* NULL: plain */
	/* what it shows; for a sort key, what it sorts by */
	const char *help;
};

/* The table, in display order; ends with name NULL. */
extern const struct column columns[];

/* The sort key of that name, or NULL. */
const struct column *column_find(const char *name);

/* The column of that name, or NULL; it need not be a sort key. */
const struct column *column_named(const char *name);

/* The interval of the value; both ends are the value if it has no interval. */
struct bounds_range column_range(const struct column *c, const struct row *row,
				 const struct cell_context *ctx);

/* Writes "saved, bytes, ..."; with help one line each: "\n- saved: bytes that ...". */
void columns_put_keys(FILE *out, bool with_help);

/* The same for all columns. */
void columns_put_names(FILE *out, bool with_help);

/* Writes the column's heading. */
void column_put_heading(FILE *out, const struct column *c, const struct cell_context *ctx);

/*
 * Sorts rows by a key, in descending order. Ties: by bytes per second if rates are known, by bytes
 * saved, by bytes, then as they were.
 */
void columns_sort(struct rows *rows, const struct column *key, const struct cell_context *ctx);

/* What determines the place of a row in the order; rows themselves are large. */
struct row_place {
	double value, rate, saved, saved_end, bytes;
	uint32_t jvm, id;
	size_t row; /* index of the row; set by the caller */
};

struct row_place columns_place(const struct column *key, const struct row *row,
			       const struct cell_context *ctx);
int columns_compare_places(const void *a, const void *b); /* for qsort: the order of columns_sort */

/*
 * Number of rows, sorted by `key`, that reach `share`: of the sum over all rows if the key is an
 * amount; the key itself if it is a share. With 0, all of them, measured or not.
 */
size_t columns_above(const struct column *key, const struct rows *rows,
		     const struct cell_context *ctx, double share);

#endif

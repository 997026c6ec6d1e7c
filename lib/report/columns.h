/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns.h - the figures of the table of replicas, and the columns in which some are shown.
 *
 * A figure (finding.h) is all that JSON, CSV, the page, --sort, conditions and comparisons need. A
 * column adds how a table for people shows it: heading, places, and the letter that sorts by it.
 * Text, --fields, `ojx top` and the browser loop over columns.
 */
#ifndef OJX_COLUMNS_H
#define OJX_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/style.h"
#include "base/table.h"
#include "model/finding.h"
#include "report/row_figures.h"
#include "report/rows.h"

struct rates;

/* What a cell needs besides its row. */
struct cell_context {
	const struct style *style;
	size_t rank;	    /* of the row, from 1 */
	uint64_t min_pairs; /* shares from fewer pairs or objects are not shown */
	double bytes;	    /* of all lines; shares are shares of it; 0: not known */
	double confidence;  /* of the intervals */
	bool brief;	    /* do not mark savings of deep contents */
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
	COLUMN_PIDS = TABLE_FREE,	/* shown only if there are several JVMs */
	COLUMN_STATS = TABLE_FREE << 1, /* shown in a text with --stats only, or as the sort key */
	COLUMN_LINE = TABLE_FREE << 2,	/* shown where rows are lines of code only */
	COLUMN_SITE = TABLE_FREE << 3,	/* where they are not, and on a screen with room for both */
};

/* Tables of rows. */
enum column_table { COLUMN_TEXT, COLUMN_BROWSER, COLUMN_TOP, COLUMN_TABLES };

enum column_show {
	COLUMN_ABSENT,
	COLUMN_AS_KEY, /* shown only as the sort key */
	COLUMN_SHOWN,
};

/* How a column is shown in a table. */
struct column_place {
	enum column_show show;
	unsigned droppable; /* narrow terminals lose the highest first; 0: never */
	char letter;	    /* the key that sorts by it; 0: none */
};

struct column {
	const struct figure *figure; /* of a struct row; without value, it is not a sort key */
	unsigned flags;		     /* column_flags */
	enum glyph greek;	     /* the heading; 0: the figure's key */
	struct column_place in[COLUMN_TABLES];
	/* Writes the cell. NULL: the value in its unit, with its interval if it has one. */
	void (*print)(FILE *out, const struct row *row, const struct cell_context *ctx);
	enum ink (*ink)(const struct row *row); /* NULL: plain */
};

/* For `in`: where the column is shown; it is absent everywhere else. */
#define COLUMN_IN(text, browser, top)                                                 \
	{                                                                             \
		[COLUMN_TEXT] = text, [COLUMN_BROWSER] = browser, [COLUMN_TOP] = top, \
	}
#define SHOW(droppable, letter)                   \
	{                                         \
		COLUMN_SHOWN, (droppable), letter \
	}
#define AS_KEY(droppable, letter)                  \
	{                                          \
		COLUMN_AS_KEY, (droppable), letter \
	}
#define ABSENT                      \
	{                           \
		COLUMN_ABSENT, 0, 0 \
	}

/* In the order of columns in a text; end with figure NULL. */
extern const struct column columns[];

/* The name of a column, and of its sort key. */
static inline const char *column_name(const struct column *c)
{
	return figure_key(c->figure);
}

/* Whether rows can be sorted by it. */
static inline bool column_is_key(const struct column *c)
{
	return figure_has_value(c->figure) && (c->figure->flags & FIGURE_KEY);
}

/* Whether it is a column of the text, possibly only on request. */
static inline bool column_is_shown(const struct column *c)
{
	return c->in[COLUMN_TEXT].show != COLUMN_ABSENT;
}

/* The sort key of that name, or NULL. */
const struct column *column_find(const char *name);

/* The column of that name, or NULL; it need not be a sort key. */
const struct column *column_named(const char *name);

/* Writes "saved, bytes, ..."; with help one line each: "\n- saved: bytes that ...". */
void columns_put_keys(FILE *out, bool with_help);

/* The same for all columns. */
void columns_put_names(FILE *out, bool with_help);

/* Whether a cell shows the interval of a share. */
static inline bool column_has_range(const struct figure *f, const struct cell_context *ctx)
{
	return figure_has_range(f) && figure_is_share(f) && !ctx->points;
}

/* table_flags of the column: numbers are aligned right, shares with intervals are of one width. */
unsigned column_table_flags(const struct column *c, const struct cell_context *ctx);

/* Writes the column's heading. */
void column_put_heading(FILE *out, const struct column *c, const struct cell_context *ctx);

/* Writes the cell of a row. */
void column_put_cell(FILE *out, const struct column *c, const struct row *row,
		     const struct cell_context *ctx);

/*
 * Sorts rows by a key, in descending order. Ties: by bytes per second if rates are known, by bytes
 * saved, by bytes, then as they were.
 */
void columns_sort(struct rows *rows, const struct column *key, const struct cell_context *ctx);

/*
 * Number of rows, sorted by `key`, that reach `share`: of the sum over all rows if the key is an
 * amount; the key itself if it is a share. With 0, all of them, measured or not.
 */
size_t columns_above(const struct column *key, const struct rows *rows,
		     const struct cell_context *ctx, double share);

/*
 * ---- cells that are not just a number with its
 * unit, and inks.
 */

typedef void column_print_fn(FILE *out, const struct row *row, const struct cell_context *ctx);
typedef enum ink column_ink_fn(const struct row *row);

column_print_fn column_print_rank, column_print_pid, column_print_saved, column_print_avoidable,
	column_print_share, column_print_verdict, column_print_line, column_print_class,
	column_print_site;
column_ink_fn column_ink_rank, column_ink_saved, column_ink_verdict;

#endif

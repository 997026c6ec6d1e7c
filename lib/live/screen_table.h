/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen_table.h - a table of rows on a screen: its columns, sort key, filter, cursor, and visible
 * part.
 *
 * The cursor stays on its row, not on its line, when rows are sorted, come and go. Nothing here
 * depends on terminals.
 */
#ifndef OJX_SCREEN_TABLE_H
#define OJX_SCREEN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/inked.h"
#include "base/table.h"
#include "report/columns.h"
#include "report/rows.h"

enum { SCREEN_TABLE_FILTER = 64 };

struct screen_table {
	enum column_table table;
	const struct column *column[TABLE_COLUMNS];
	size_t ncolumns;
	const struct column *key;
	struct rows *rows;	     /* owned by the caller; the table sorts them */
	enum rows_grouping grouping; /* of the rows: classes have no place */
	bool several;		     /* the rows are from more than one JVM */
	uint32_t *taken;	     /* if rows are selected: their indices */
	size_t n;		     /* number of rows that are shown */
	char filter[SCREEN_TABLE_FILTER];
	uint64_t *of; /* if there are any: only rows with one of these contexts, sorted */
	size_t nof;
	size_t cursor, top; /* among the rows that are shown; top: the first visible one */
	uint64_t selected;  /* rates_key of the row at the cursor */
	bool has_selected;
	/* largest widths so far, on a screen of `widths_of` columns */
	size_t widths[TABLE_COLUMNS];
	unsigned widths_of;
	const struct column *widths_key;
};

/*
 * COLUMN_TOP is that of `ojx top`, COLUMN_BROWSER that of `ojx report`. `key`: the first sort key.
 * Release with screen_table_release.
 */
void screen_table_begin(struct screen_table *v, enum column_table table, const struct column *key);
void screen_table_release(struct screen_table *v);

/*
 * Takes rows, which the caller keeps, and sorts them. NULL: none; the old ones are
 * forgotten. Rows may be summaries. 0, or -1 if out of memory.
 */
int screen_table_set_rows(struct screen_table *v, struct rows *rows,
			  const struct cell_context *ctx);

/*
 * The sort key of that letter, or the one to the right (+1) or left (-1) of the current one; NULL
 * if there is none.
 */
const struct column *screen_table_key_of(const struct screen_table *v, char letter);
const struct column *screen_table_key_beside(const struct screen_table *v, int step);
/* Sorts by another key; the cursor moves to the top. */
int screen_table_sort(struct screen_table *v, const struct column *key,
		      const struct cell_context *ctx);

/*
 * Shows only rows with the text in their class or in a frame of their site: "acme.shop", "Parser",
 * "byte[]". Case matters if the text has capitals. At most SCREEN_TABLE_FILTER - 1 bytes are used.
 */
int screen_table_set_filter(struct screen_table *v, const char *text);

/* Names a context of any JVM. */
uint64_t screen_table_context(const struct model_context *context);

/*
 * Shows only rows with one of these contexts, of which it takes a copy; n = 0: of any. The filter
 * stays. 0, or -1 if out of memory.
 */
int screen_table_set_contexts(struct screen_table *v, const uint64_t *contexts, size_t n);

/* Moves the cursor; it stays within the table. */
void screen_table_move(struct screen_table *v, long lines);
/* The row at the cursor, or NULL. */
struct row *screen_table_row(const struct screen_table *v);
/* Its rank among all rows, from 1; 0: there is no row. */
size_t screen_table_rank(const struct screen_table *v);

/*
 * Makes the lines: the headings, then as many rows as fit in `height`, the cursor's row among them
 * at *cursor_line. `ctx` provides style, min_pairs, confidence and rates; the rest is set here.
 */
void screen_table_lines(struct screen_table *v, const struct cell_context *ctx, size_t height,
			struct inked_lines *lines, size_t *cursor_line);

#endif

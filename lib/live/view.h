/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view.h - a table of rows on a screen: its columns, sort key, filter, cursor, and visible part.
 *
 * The cursor stays on its row, not on its line, when rows are sorted, come and go. Nothing here
 * depends on terminals.
 */
#ifndef OJX_VIEW_H
#define OJX_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lines.h"
#include "base/table.h"
#include "report/columns.h"
#include "report/rows.h"

enum { VIEW_FILTER = 64 };

struct view {
	enum column_table table;
	const struct column *column[TABLE_COLUMNS];
	size_t ncolumns;
	const struct column *key;
	struct rows *rows;	     /* owned by the caller; the view sorts them */
	const struct model *model;   /* of the rows; needed for stacks of rows in summary */
	enum rows_grouping grouping; /* of the rows: classes have no place */
	bool several;		     /* the rows are from more than one JVM */
	uint32_t *taken;	     /* with a filter: indices of the rows that it accepts */
	size_t n;		     /* number of rows that are shown */
	char filter[VIEW_FILTER];
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
 * Release with view_release.
 */
void view_begin(struct view *v, enum column_table table, const struct column *key);
void view_release(struct view *v);

/*
 * Takes the rows of a model, which the caller keeps, and sorts them. NULL: none; the old ones are
 * forgotten. Rows may be summaries. 0, or -1 if out of memory.
 */
int view_set_rows(struct view *v, struct rows *rows, const struct model *model,
		  const struct cell_context *ctx);

/*
 * The sort key of that letter, or the one to the right (+1) or left (-1) of the current one; NULL
 * if there is none.
 */
const struct column *view_key_of(const struct view *v, char letter);
const struct column *view_key_beside(const struct view *v, int step);
/* Sorts by another key; the cursor moves to the top. */
int view_sort(struct view *v, const struct column *key, const struct cell_context *ctx);

/*
 * Shows only rows with the text in their class or in a frame of their site: "acme.shop", "Parser",
 * "byte[]". Case matters if the text has capitals. At most VIEW_FILTER - 1 bytes are used.
 */
int view_set_filter(struct view *v, const char *text);

/* Moves the cursor; it stays within the table. */
void view_move(struct view *v, long lines);
/* The row at the cursor, or NULL. */
struct row *view_row(const struct view *v);
/* Its rank among all rows, from 1; 0: there is no row. */
size_t view_rank(const struct view *v);

/*
 * Makes the lines: the headings, then as many rows as fit in `height`, the cursor's row among them
 * at *cursor_line. `ctx` provides style, min_pairs, confidence and rates; the rest is set here. 0,
 * or -1 if out of memory.
 */
int view_lines(struct view *v, const struct cell_context *ctx, size_t height, struct lines *lines,
	       size_t *cursor_line);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view.h - a table of rows as somebody looks at it on a screen: which columns, sorted by what,
 * filtered by what, where the cursor is and which part is seen.
 *
 * The cursor stays on its row, not on its line, when rows are sorted anew, come and go. Nothing
 * here knows of terminals.
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

/* A column of a view, by the name it has in columns.h or live_columns.h. */
struct view_column {
	const char *name;
	char letter;	    /* sorts by it; 0: none */
	unsigned droppable; /* narrow screens lose the highest first; 0: never */
	bool hidden;	    /* shown where it is the sort key only */
};

/* The columns of `ojx top` and of the browser of `ojx report`; ended by name NULL. */
extern const struct view_column view_live[];
extern const struct view_column view_static[];

struct view {
	const struct view_column *columns;
	const struct column *key;
	struct rows *rows;	   /* the caller's; the view sorts them */
	const struct model *model; /* of the rows: those in brief get their stacks when needed */
	bool several;		   /* rows are of more than one JVM */
	uint32_t *taken;	   /* while there is a filter: indices of the rows that it takes */
	size_t n;		   /* rows that are shown */
	char filter[VIEW_FILTER];
	size_t cursor, top; /* of what is shown; top: the first that is seen */
	uint64_t selected;  /* rates_key of the row at the cursor */
	bool has_selected;
	size_t widths[TABLE_COLUMNS]; /* of columns so far, on a screen of `widths_of` columns */
	unsigned widths_of;
	const struct column *widths_key;
};

/* `key`: what to sort by at first, a name of `columns`. Release with view_release. */
void view_begin(struct view *v, const struct view_column *columns, const struct column *key);
void view_release(struct view *v);

/*
 * Takes the rows of a model, which stay the caller's, and sorts them; NULL: none, and nothing is
 * known of the old ones any more. Rows may have been made in brief. 0, or -1 where memory lacks.
 */
int view_set_rows(struct view *v, struct rows *rows, const struct model *model,
		  const struct cell_context *ctx);

/* The sort key of that letter, or the next one to the right (+1) or left (-1) of the present; NULL:
 * none. */
const struct column *view_key_of(const struct view *v, char letter);
const struct column *view_key_beside(const struct view *v, int step);
/* Sorts by another key; the cursor goes to the top. */
int view_sort(struct view *v, const struct column *key, const struct cell_context *ctx);

/*
 * Shows only rows in whose class, or in a frame of whose site, the text occurs: "acme.shop",
 * "Parser", "byte[]". Capitals count where the text has some. At most VIEW_FILTER - 1 bytes of it.
 */
int view_set_filter(struct view *v, const char *text);

/* Moves the cursor; it stays within the table. */
void view_move(struct view *v, long lines);
/* The row at the cursor, or NULL. */
struct row *view_row(const struct view *v);
/* Its place in the order of all, from 1; 0: there is no row. */
size_t view_rank(const struct view *v);

/*
 * Makes the lines: the headings, then as many rows as `height` has room for, the cursor's among
 * them, which is line *cursor_line of them. `ctx` has style, min_pairs, confidence and rates; the
 * rest is decided here. 0, or -1 where memory lacks.
 */
int view_lines(struct view *v, const struct cell_context *ctx, size_t height, struct lines *lines,
	       size_t *cursor_line);

#endif

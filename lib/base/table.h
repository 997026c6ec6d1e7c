/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.h - cells in columns, fitted to the width of the output.
 *
 * All cells are written first, since a column is as wide as its widest cell. If a terminal is too
 * narrow, droppable columns are left out first, then cells are cut. Without a terminal nothing is
 * cut: a reader of a file can scroll, and a program needs whole cells. Memory is as xmalloc.h says.
 */
#ifndef OJX_TABLE_H
#define OJX_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/memtext.h"
#include "base/style.h"

enum { TABLE_COLUMNS = 24 };

enum table_flags {
	TABLE_RIGHT = 1 << 0, /* aligned right */
	TABLE_TAIL = 1 << 1,  /* may be cut; the end stays */
	TABLE_HEAD = 1 << 2,  /* may be cut; the beginning stays, and the line of "Foo.java:12" */
	/* classes; their packages are dropped as soon as not all of them fit */
	TABLE_CLASS = 1 << 3,
	TABLE_FREE = 1 << 4, /* this and higher bits are the caller's */
};

struct table_cell {
	char *text; /* known when the table is complete; until then it begins at `at` */
	size_t at;
	enum ink ink;
	char *link; /* address that the text leads to; NULL: none */
};

struct table {
	unsigned flags[TABLE_COLUMNS];	   /* table_flags of columns */
	unsigned droppable[TABLE_COLUMNS]; /* the highest are left out first; 0: never */
	size_t width[TABLE_COLUMNS];
	size_t ncolumns;
	struct table_cell *cell; /* line by line; the first line is the headings */
	size_t n, room;
	struct memtext text; /* of all cells, each with a NUL at its end */
	bool complete;
	size_t left_out; /* number of columns that table_put left out */
	bool wide;	 /* set by table_put: cells that may be cut have more room */
};
#define TABLE_INIT            \
	{                     \
		.ncolumns = 0 \
	}

/*
 * Adds a column; call before any cell. `flags`: table_flags. Columns with the highest `droppable`
 * are left out first; 0: never.
 */
void table_add_column(struct table *t, unsigned flags, unsigned droppable);

/* Begins the next cell, line by line. What is written to the stream until the next one is its text.
 */
FILE *table_cell(struct table *t, enum ink ink);

/* Adds a cell with a text, which is copied. */
void table_add(struct table *t, const char *text, enum ink ink);

/* Lets the last cell lead to an address, which is copied; NULL: to none. */
void table_link(struct table *t, const char *address);

/* Ends the last cell. Then the widths of all columns are known, and there can be no more cells. */
void table_complete(struct table *t);

/*
 * Completes the table, fits it to the style's width and writes it, with a rule below the headings;
 * or as a table of Markdown, which a style may ask for.
 */
void table_put(struct table *t, FILE *out, const struct style *s);

void table_release(struct table *t);

#endif

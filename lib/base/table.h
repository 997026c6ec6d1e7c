/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.h - cells in columns, fitted to the width there is.
 *
 * All cells are made first, since a column is as wide as its widest cell. On a terminal that is too
 * narrow, first the columns that can be spared are left out, then the cells that may be are cut.
 * Without a terminal nothing is: whoever reads a file can scroll, and a program cannot guess.
 */
#ifndef OJX_TABLE_H
#define OJX_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/style.h"

enum { TABLE_COLUMNS = 24 };

enum table_flags {
	TABLE_RIGHT = 1 << 0, /* aligned right */
	TABLE_TAIL = 1 << 1,  /* may be cut: the end stays */
	TABLE_HEAD = 1 << 2,  /* may be cut: the beginning stays, and the line of "Foo.java:12" */
	TABLE_CLASS = 1 << 3, /* classes: packages go as soon as there is not room for all */
	TABLE_FREE = 1 << 4,  /* this bit and those above are the caller's */
};

struct table_cell {
	char *text;
	enum ink ink;
};

struct table {
	unsigned flags[TABLE_COLUMNS];	   /* table_flags of columns */
	unsigned droppable[TABLE_COLUMNS]; /* the highest go first; 0: never */
	size_t width[TABLE_COLUMNS];
	size_t ncolumns;
	struct table_cell *cell; /* line by line; the first line holds the headings */
	size_t n, room;
	size_t left_out; /* columns, by table_put */
	bool wide;	 /* there is room for more of cells that may be cut; by table_put */
	bool failed;	 /* memory lacked */
};
#define TABLE_INIT            \
	{                     \
		.ncolumns = 0 \
	}

/* Adds a column, before any cell. `flags`: table_flags; droppable: the highest go first, 0: never.
 */
void table_add_column(struct table *t, unsigned flags, unsigned droppable);

/* Adds the next cell, line by line. Takes the text; NULL, for lack of memory, makes the table fail.
 */
void table_add(struct table *t, char *text, enum ink ink);

/* Fits the table to the style's width and writes it, a rule below the headings. 0, or -1 with
 * ENOMEM. */
int table_put(struct table *t, FILE *out, const struct style *s);

void table_release(struct table *t);

#endif

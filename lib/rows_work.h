/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows_work.h - part of rows.c: its rows made by all processors, and, where the evidence is in the file only, by as
 * much of it at a time as memory should hold.
 */
#ifndef OJX_ROWS_WORK_H
#define OJX_ROWS_WORK_H

#include "rows.h"

struct rows_work {
	struct rows *rows;
	size_t n; /* the first of them */
	const struct model *model;
	const struct rows_options *options;
	bool complete;						 /* the row was made in brief */
	int (*make)(const struct rows_work *w, struct row *row); /* 0, or -1 where memory lacks */
};

/*
 * Calls `make` for each row, from several threads. Contexts have their evidence at hand meanwhile; of
 * work that completes, until rows->evidence is released. 0, or -1 with errno.
 */
int rows_work_do(const struct rows_work *w);

#endif

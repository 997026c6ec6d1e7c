/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows_work.h - part of rows.c, rows_best.c and growing.c: rows made by all processors, and, where the evidence is not at hand, by as
 * much of it at a time as memory should hold.
 */
#ifndef OJX_ROWS_WORK_H
#define OJX_ROWS_WORK_H

#include "report/row.h"

struct rows_work {
	const struct model *model;
	const struct rows_options *options;
	struct model_context **contexts; /* of all rows, those of one after those of another */
	const size_t *begin;		 /* where those of row i are; begin[n]: the end */
	size_t n;
	struct model_batch **keep; /* NULL, or where the evidence of all rows is left at hand */
	int (*make)(void *arg, size_t i); /* makes row i; 0, or -1 where memory lacks */
	void *arg;
};

/* Makes a row of its contexts, whose evidence is at hand. 0, or -1 where memory lacks. Release with row_release. */
int row_make(struct row *row, const struct model *m, const struct rows_options *options,
	     bool brief);
void row_release(struct row *row);
/* Part of it: what the analysis does not tell, of a row that has its contexts and nothing else yet. */
void row_describe(struct row *row, const struct model *m, const struct rows_options *options);

/* Whether something was seen of objects of these contexts. */
bool rows_seen(struct model_context *const *contexts, size_t n);

/* Calls `make` for each row, from several threads. Contexts have their evidence at hand meanwhile. 0, or -1 with errno. */
int rows_work_do(const struct rows_work *w);

#endif

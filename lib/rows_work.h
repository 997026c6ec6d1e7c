/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows_work.h - part of rows.c: rows that all processors make together.
 */
#ifndef OJX_ROWS_WORK_H
#define OJX_ROWS_WORK_H

#include "rows.h"

struct rows_work {
	size_t n;
	int (*make)(void *arg, size_t i); /* makes row i; 0, or -1 where memory lacks */
	void *arg;
	struct progress *progress; /* rows are counted there; NULL: nowhere */
};

/* Makes a row of its contexts. 0, or -1 where memory lacks. Release with row_release. */
int row_make(struct row *row, const struct model *m, const struct rows_options *options,
	     bool brief);
void row_release(struct row *row);
/* Part of it: what the analysis does not tell, of a row that has its contexts and nothing else yet. */
void row_describe(struct row *row, const struct model *m, enum rows_grouping grouping);

/* Whether something was seen of objects of these contexts. */
bool rows_seen(struct model_context *const *contexts, size_t n);

/* Calls `make` for each row, from several threads. 0, or -1 with errno. */
int rows_work_do(const struct rows_work *w);

#endif

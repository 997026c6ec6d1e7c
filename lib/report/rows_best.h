/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows_best.h - the rows at the top of a report, where those below are not shown.
 *
 * Of a hundred thousand rows some twenty are looked at. Of the others nothing is kept but their place, and where what was
 * counted tells that a row can not be among the first, its evidence is not analysed: only its pairs are counted, as
 * the report tells how many there are in all.
 */
#ifndef OJX_ROWS_BEST_H
#define OJX_ROWS_BEST_H

#include "report/columns.h"
#include "report/rows.h"

struct rows_rank {
	const struct column *key;
	const struct cell_context *ctx;
	size_t limit;  /* rows that are wanted, at most */
	double share;  /* see columns_above */
	size_t *above; /* receives how many rows reach the share */
};

/*
 * As rows_make, columns_sort, columns_above and rows_complete with the lesser of limit and *above would do it, but only those
 * rows are at hand (rows->made), or one if there are none to be shown. 0, or -1 with errno.
 */
int rows_best(struct rows *rows, const struct model *m, const struct rows_options *options,
	      const struct rows_rank *rank);

#endif

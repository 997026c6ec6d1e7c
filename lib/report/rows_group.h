/* SPDX-License-Identifier: Apache-2.0 */
/* rows_group.h - part of rows.c: puts contexts together into rows. */
#ifndef OJX_ROWS_GROUP_H
#define OJX_ROWS_GROUP_H

#include "report/row.h"

struct row_group {
	size_t first, n;  /* of row_groups.context */
	uint32_t jvm, id; /* of the first context */
	size_t index;	  /* in the model; also of the first context */
};

/* In the order in which their first contexts appeared. */
struct row_groups {
	struct row_group *group;
	size_t n;
	struct model_context **context; /* of all groups */
	size_t ncontexts;
};

/*
 * Number of frames by which contexts are compared; for lines, one frame that need not be the
 * innermost.
 */
size_t rows_compared_frames(enum rows_grouping grouping);

/* 0, or -1 if out of memory. Release with row_groups_release. */
int row_groups_make(struct row_groups *groups, const struct model *m, const struct rows_options *o);
void row_groups_release(struct row_groups *groups);

#endif

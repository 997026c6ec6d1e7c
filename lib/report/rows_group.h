/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows_group.h - part of rows.c: which contexts make a row together.
 */
#ifndef OJX_ROWS_GROUP_H
#define OJX_ROWS_GROUP_H

#include "report/row.h"

struct row_group {
	size_t first, n;  /* of row_groups.context */
	uint32_t jvm, id; /* of the first context */
	size_t index;	  /* in the model; of that context, too */
};

/* In the order in which their first contexts appeared. */
struct row_groups {
	struct row_group *group;
	size_t n;
	struct model_context **context; /* of all groups */
	size_t ncontexts;
};

/* How many frames contexts are compared by; of lines, one that is not the innermost. */
size_t rows_compared_frames(enum rows_grouping grouping);

/* 0, or -1 where memory lacks. Release with row_groups_release. */
int row_groups_make(struct row_groups *groups, const struct model *m, const struct rows_options *o);
void row_groups_release(struct row_groups *groups);

#endif

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

/* Whether there is anything to show of a context, so that it is part of some row. */
bool rows_shows(const struct model_context *c);

/*
 * Of its class, to be hashed with its stack: equal for contexts that may be one row. Positions of contents mean fields, so that
 * rows mix classes only if the fields agree.
 */
uint64_t rows_class_hash(const struct model_context *c);

/*
 * What a context is put into its row by: equal for those of one row. 0, or -1 where memory lacks. `h` is of the context's model.
 */
int rows_key(struct callstack_hasher *h, const struct rows_options *o,
	     const struct model_context *c, struct callstack_hash *key);

/* How many frames contexts are compared by; of lines, one that is not the innermost. */
size_t rows_compared_frames(enum rows_grouping grouping);

/* 0, or -1 where memory lacks. Release with row_groups_release. */
int row_groups_make(struct row_groups *groups, const struct model *m, const struct rows_options *o);
void row_groups_release(struct row_groups *groups);

#endif

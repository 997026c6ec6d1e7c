/* SPDX-License-Identifier: Apache-2.0 */
/* replica_deep.h - the part of a row that is about deep contents: for replica.c. */
#ifndef OJX_REPLICA_DEEP_H
#define OJX_REPLICA_DEEP_H

#include "analyse/replica/replica.h"
#include "analyse/replica/replica_result.h"
#include "stats/bounds.h"
#include <stdbool.h>

struct replica_deep_input {
	struct model_context *const *contexts;
	size_t n;
	const double *share; /* of each context in the row's objects */
	const struct replica_options *options;
	double z;
	double objects; /* of all contexts, or what stands for it */
	bool identity;	/* see verdict.h */
	struct bounds_range
		lasting; /* share of the objects that can be merged at most; NAN: no limit */
};

/* Adds it to a row that is complete otherwise. 0, or -1 where memory lacks. */
int replica_add_deep(struct replica *row, const struct replica_deep_input *input);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* replica_deep.h - the part of a row about deep contents; used by replica.c. */
#ifndef OJX_REPLICA_DEEP_H
#define OJX_REPLICA_DEEP_H

#include "analyse/replica/replica_result.h"
#include "stats/bounds.h"
#include <stdbool.h>

struct replica_deep_input {
	struct model_context *const *contexts;
	size_t n;
	const double *share; /* of each context in the row's objects */
	const bool *change;  /* see observations_list_snapshots */
	const struct replica_options *options;
	double z;
	double objects; /* of all contexts, see replica_objects */
	bool identity;	/* see verdict.h */
	struct bounds_range
		lasting; /* largest share of the objects that can be merged; NAN: no limit */
};

/* Adds the deep figures to a row that is complete otherwise. 0, or -1 if out of memory. */
int replica_add_deep(struct replica *row, const struct replica_deep_input *input);

#endif

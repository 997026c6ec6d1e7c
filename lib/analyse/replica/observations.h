/* SPDX-License-Identifier: Apache-2.0 */
/*
 * observations.h - measures the groups among the observations of some contexts, whose contents are
 * pooled.
 *
 * Snapshots show objects at the end of their life, uses when they were used.
 */
#ifndef OJX_OBSERVATIONS_H
#define OJX_OBSERVATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/rng.h"
#include "model/model.h"
#include "stats/groups.h"

/* Bytes of an object of this array length, as counted when it was allocated. */
double observations_object_bytes(const struct model_context *c, uint32_t array_length);

/*
 * Variances of the objects and bytes that some contexts allocated, as estimated from samples; 0 if
 * everything was counted.
 */
struct observations_variances {
	double objects, bytes;
};
struct observations_variances observations_variances(struct model_context *const *contexts,
						     size_t n);
/* The same of a part of one. */
struct observations_variances observations_variances_of(const struct model_stratum *s);

/*
 * The sampling interval that a tenth of the recording's bytes exceed, in bytes. A line may have no
 * sample in some part of the run; a sample that is missing there could have stood for so many
 * bytes. 0: not known, or everything was counted.
 */
double observations_interval(const struct model *m);

/*
 * List the observations of some contexts, context by context: their snapshots, or their uses.
 * Weights are scaled to the objects allocated. Objects of contexts that `change` marks cannot be
 * merged with any; NULL: none is marked. *count receives the number of observations. free() the
 * result.
 */
struct observation *observations_list_snapshots(struct model_context *const *contexts, size_t n,
						const bool *change, size_t *count);
struct observation *observations_list_uses(struct model_context *const *contexts, size_t n,
					   size_t *count);

/* Whether they are of objects of several processes, as in a merged recording. */
bool observations_of_several(struct model_context *const *contexts, size_t n);

/* See groups_measure. */
void observations_of_snapshots(struct groups *groups, struct model_context *const *contexts,
			       size_t n, const bool *change, double objects, double z,
			       struct rng *rng);
void observations_of_uses(struct groups *groups, struct model_context *const *contexts, size_t n,
			  double objects, double z, struct rng *rng);

/*
 * Measures the value arrays of strings that have a snapshot. *bytes receives their bytes in total;
 * the bytes in `groups` are the arrays', too.
 */
void observations_of_arrays(struct groups *groups, double *bytes,
			    struct model_context *const *contexts, size_t n, double objects,
			    double z, struct rng *rng);

#endif

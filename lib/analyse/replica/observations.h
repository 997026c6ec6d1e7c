/* SPDX-License-Identifier: Apache-2.0 */
/*
 * observations.h - measures the groups of what was observed of some contexts, whose contents are
 * pooled.
 *
 * Looks show objects at the end of their life, uses when they were used.
 */
#ifndef OJX_OBSERVATIONS_H
#define OJX_OBSERVATIONS_H

#include <stddef.h>

#include "base/rng.h"
#include "model/model.h"
#include "stats/groups.h"

/* Bytes of an object of this extent (array length), as counted when it was allocated. */
double observations_object_bytes(const struct model_context *c, uint32_t array_length);

/*
 * The looks and the uses of some contexts, context by context in their order, with their weights,
 * each context's scaled to the objects that it allocated. *count receives how many there are. NULL
 * where memory lacks; free() them.
 */
struct observation *observations_list_snapshots(struct model_context *const *contexts, size_t n,
						size_t *count);
struct observation *observations_list_uses(struct model_context *const *contexts, size_t n,
					   size_t *count);

/* See groups_measure. 0, or -1 where memory lacks. */
int observations_of_snapshots(struct groups *groups, struct model_context *const *contexts,
			      size_t n, double objects, double z, struct rng *rng);
int observations_of_uses(struct groups *groups, struct model_context *const *contexts, size_t n,
			 double objects, double z, struct rng *rng);

/*
 * The value arrays of strings that were looked at: *bytes receives how many bytes they have in all,
 * and the groups' bytes are theirs.
 */
int observations_of_arrays(struct groups *groups, double *bytes,
			   struct model_context *const *contexts, size_t n, double objects,
			   double z, struct rng *rng);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sights.h - measures the groups of what was observed of some contexts, whose contents are pooled.
 *
 * Looks show objects at the end of their life, uses when they were used.
 */
#ifndef OJX_SIGHTS_H
#define OJX_SIGHTS_H

#include <stddef.h>

#include "base/rng.h"
#include "model/model.h"
#include "stats/groups.h"

/* Bytes of an object of this extent (array length), as counted when it was allocated. */
double sights_object_bytes(const struct model_context *c, uint32_t extent);

/* See groups_measure. 0, or -1 where memory lacks. */
int sights_of_looks(struct groups *groups, struct model_context *const *contexts, size_t n,
		    double objects, double z, struct rng *rng);
int sights_of_uses(struct groups *groups, struct model_context *const *contexts, size_t n,
		   double objects, double z, struct rng *rng);

/*
 * The value arrays of strings that were looked at: *bytes receives how many bytes they have in all, and the groups' bytes
 * are theirs.
 */
int sights_of_arrays(struct groups *groups, double *bytes, struct model_context *const *contexts,
		     size_t n, double objects, double z, struct rng *rng);

#endif

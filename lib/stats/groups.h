/* SPDX-License-Identifier: Apache-2.0 */
/*
 * groups.h - groups of objects of equal content, from hashes of whole contents: the share of the
 * largest, the share of all objects that have a content that was seen, the number of contents, and
 * what merging would save.
 *
 * Contents without references are pooled over the whole run, those with references only within
 * their epoch. Figures about the latter use only epochs with at least GROUPS_EPOCH observations. A
 * content that was hashed in part never equals another. Objects marked `differing` save nothing.
 */
#ifndef OJX_GROUPS_H
#define OJX_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "stats/bounds.h"
#include "stats/cluster.h"

#define GROUPS_EPOCH  30  /* least observations of an epoch whose groups are measured */
#define GROUPS_BLOCKS 128 /* of the run; objects missed in one block are taken as correlated */

/* An observed object. */
struct observation {
	uint64_t content;
	double weight; /* objects that it stands for, > 0 */
	/* the part of `weight` from samples that were not observed; these may differ from it */
	double others;
	uint32_t block;	    /* 0..GROUPS_BLOCKS - 1, the time of observation */
	uint32_t own_block; /* the same, but of what its JVM observed */
	double bytes;	    /* of one object */
	uint32_t array_length, epoch, jvm;
	bool refs, partial;
	bool differing; /* cannot be merged with another, whatever its content */

	/* private to groups_measure */
	bool thin, half, chosen;
	uint64_t group, random;
};

struct groups {
	double largest; /* share of the largest group; NAN: not measured */
	struct bounds_range largest_range;
	/*
	 * Share of objects, and of bytes, whose content is among those seen. The high end is NAN if
	 * half of the objects or more belong to no group.
	 */
	struct bounds_range covered, covered_bytes;
	double covered_mean; /* estimate for the bytes; NAN without observations */
	/*
	 * Correlation of the share of objects, and of bytes, with the sum of the weights: above 0
	 * if the objects that save weigh more than the others.
	 */
	double correlation, correlation_bytes;
	/*
	 * By time of the run, how far `covered_mean` is higher for what stands for objects that
	 * were not observed; in all about 0.
	 */
	double others[CLUSTER_BLOCKS];
	double contents, contents_bytes; /* number of contents seen; bytes of one object of each */
	/*
	 * least number of contents, seen or not, whatever is equal in different epochs; bytes of
	 * one object of each
	 */
	double least, least_bytes;
	double distinct; /* estimated number of contents; NAN: unknown */
};

/*
 * Measures the groups of `n` observations, and reorders these. `objects` is the number of all
 * objects, an upper limit of `distinct`. Figures are NAN if there are fewer than two observations.
 */
void groups_measure(struct groups *groups, struct observation *observations, size_t n,
		    double objects, double z, struct rng *rng);

/*
 * What merging would save of `total`: at least max(0, total * covered - contents), at most all but
 * `least`. NAN without observations.
 */
struct bounds_range groups_saved(const struct bounds_range *covered, double contents, double least,
				 double total);

#endif

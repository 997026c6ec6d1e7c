/* SPDX-License-Identifier: Apache-2.0 */
/*
 * groups.h - groups of objects of equal content, from hashes of whole contents: the largest one,
 * how much of all objects the contents seen cover, how many there are, what merging would save.
 *
 * Contents without references are pooled over the whole run, those with references within their
 * epoch, and figures about the latter count only epochs with GROUPS_EPOCH observations. Content
 * that was hashed in part is never taken to be equal to another, and objects that are set apart
 * save nothing. docs/method.md has the reasons.
 */
#ifndef OJX_GROUPS_H
#define OJX_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "stats/bounds.h"

#define GROUPS_EPOCH 30 /* observations of an epoch from which its groups are told */
#define GROUPS_BLOCKS \
	128 /* of the run, by which objects that were not observed are taken to hang together */

/* An observed object. */
struct observation {
	uint64_t content;
	double weight;	/* objects it stands for, > 0 */
	double others;	/* of these, those of samples that were not observed: they may be unlike it
			 */
	uint32_t block; /* 0..GROUPS_BLOCKS - 1, by when it was observed */
	double bytes;	/* of one object */
	uint32_t array_length, epoch, jvm;
	bool refs, partial;
	bool differing; /* whatever its content, it cannot be merged with another */

	/* of groups_measure's own */
	bool thin, half;
	uint64_t group, random;
};

struct groups {
	double largest; /* share of the largest group; NAN where not measured */
	struct bounds_range largest_range;
	/*
	 * Share of objects, and of bytes, whose content is among those seen. The high end is NAN
	 * where half of the objects or more could not be assigned to a group.
	 */
	struct bounds_range covered, covered_bytes;
	double covered_mean;		 /* of the bytes, estimated; NAN without observations */
	double contents, contents_bytes; /* different ones seen; bytes of one object of each */
	/* different ones that there are at least, seen or not, whatever was equal in different
	 * epochs */
	double least, least_bytes;
	double distinct; /* different ones, estimated; NAN: cannot be told */
	/*
	 * The share of equal ones among all pairs of the objects is at least that: the lower end of
	 * its interval. NAN where some content cannot be compared with all others.
	 */
	double equal_low;
};

/*
 * Measures the groups of `n` observations, which it reorders. `objects` is how many objects there
 * are, a limit to `distinct`. Figures are NAN where there are fewer than two observations.
 */
void groups_measure(struct groups *groups, struct observation *observations, size_t n,
		    double objects, double z, struct rng *rng);

/*
 * What merging would save of `total`: at least max(0, total * covered - contents), all but `least`
 * at most. NAN without observations.
 */
struct bounds_range groups_saved(const struct bounds_range *covered, double contents, double least,
				 double total);

#endif

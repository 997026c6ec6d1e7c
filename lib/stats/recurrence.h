/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recurrence.h - how often contents recur in a sample of clusters (windows of memory), and what is
 * true of all objects.
 *
 * Objects of a cluster resemble each other. So contents are compared across clusters only, and
 * intervals come from the differences between RECURRENCE_GROUPS groups of clusters: a ratio of sums
 * over groups, by linearization, with Student's t. As no group tells much where a share is 0 or 1,
 * the interval is never narrower than Wilson's for as many independent objects.
 *
 * docs/equality.md derives the estimates. Pure functions of arrays.
 */
#ifndef OJX_RECURRENCE_H
#define OJX_RECURRENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/estimate.h"

enum { RECURRENCE_GROUPS = 16 };

/* A content: the objects that have it, by group, and in how many clusters it was seen. */
struct recurrence_content {
	float weight[RECURRENCE_GROUPS];
	uint32_t clusters;
	float size; /* bytes of one object */
	bool local; /* recognised in a part of the sample only */
};

/* All objects of the sample, those without a known content included. */
struct recurrence_whole {
	double weight[RECURRENCE_GROUPS];
	double bytes[RECURRENCE_GROUPS];
	uint64_t objects; /* as counted, without weights */
	double unknown;	  /* weight of those whose content is not known: it may be any */
	/* contents that were forgotten, each of which had `forgotten_most` at most */
	double forgotten, forgotten_most;
	uint32_t rounds; /* how often some were forgotten: a content can be among them each time */
};

/*
 * The share of the objects, or of their bytes, whose content was seen in another cluster. What was
 * not seen may still have an equal: the interval's upper end is 1.
 */
struct estimate recurrence_elsewhere(const struct recurrence_content *const *c, size_t n,
				     const struct recurrence_whole *all, bool bytes, double z);

/*
 * The probability that two objects of different groups have the same content. The upper end takes
 * into account that unknown contents, and those that are recognised in a part of the sample only,
 * may be equal to any.
 */
struct estimate recurrence_pairs(const struct recurrence_content *const *c, size_t n,
				 const struct recurrence_whole *all, double z);

/*
 * For each of `nk` numbers k: the share of the objects that have one of the k commonest contents.
 * `c` is sorted by recurrence_compare. The lower end is from contents that one half of the groups
 * chose and that are counted in the other half, which is too low if anything; the upper end from
 * those that were commonest in the sample itself, which is too high if anything. The value is the
 * mean of the two estimates. What is not known widens the interval upwards. 0, or -1 if out of
 * memory. Where nothing is known of any object, these and recurrence_pairs are NAN.
 */
int recurrence_held(struct estimate *to, const unsigned *k, size_t nk,
		    const struct recurrence_content *const *c, size_t n,
		    const struct recurrence_whole *all, double z);

/* Sums over groups. */
double recurrence_weight(const struct recurrence_content *c);
double recurrence_all(const struct recurrence_whole *all);

/* Orders pointers to contents: the commonest first. For qsort. */
int recurrence_compare(const void *a, const void *b);

#endif

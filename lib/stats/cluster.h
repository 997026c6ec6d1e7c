/* SPDX-License-Identifier: Apache-2.0 */
/* cluster.h - what observations tell that stand for others which were missed together. */
#ifndef OJX_CLUSTER_H
#define OJX_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>

#define CLUSTER_BLOCKS 32 /* of the run; objects missed in one block are taken as correlated */

struct cluster_observation {
	double weight;	/* > 0 */
	double others;	/* the part of it for objects that were missed, 0..weight */
	unsigned block; /* 0..CLUSTER_BLOCKS - 1, the time of observation */
	bool hit;	/* one of the content whose share is of interest */
};

/*
 * The design effect, >= 1: the factor by which the variance of the share of hits exceeds that of
 * independent observations of these weights (Kish 1965, section 5.4). 1 without observations, or
 * with hits only or none.
 */
double cluster_design(const struct cluster_observation *o, size_t n);

#endif

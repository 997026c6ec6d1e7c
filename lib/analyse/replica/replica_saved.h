/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replica_saved.h - what merging equal objects saves, among those that are equal during their whole
 * life, as far as seen.
 *
 * At the end of their life, the objects of some contexts are alike. A share of these was the same
 * when used (stability.h). The bound is the product of both lower ends. Objects that could change
 * and were not seen in use are promised nothing.
 */
#ifndef OJX_REPLICA_SAVED_H
#define OJX_REPLICA_SAVED_H

#include "analyse/replica/replica_result.h"
#include "analyse/replica/stability.h"
#include "stats/groups.h"

struct saved {
	struct replica_interval objects, bytes; /* NAN without snapshots */
	double bytes_high; /* the sum of the lower bound, at the upper end of the coverage */
	double end_bytes;  /* the lower bound by contents alone, as if no object changed */
	double likely;	   /* the same sum with estimates instead of lower ends */
	double likely_end; /* and as if no object changed */
};

/*
 * Least shares that do not change: 1 if `ever`; otherwise by uses, the lower ends; 0 if no use was
 * seen.
 */
struct stability_least {
	double objects, bytes;
	/*
	 * of the bytes, estimated; one more use that differed is assumed, since one of one is not
	 * all
	 */
	double likely;
};
struct stability_least stability_least(const struct stability *u, bool ever);

/* Measures the saving for `objects` that take `bytes`, with the groups `g` at the end of life. */
void saved_measure(struct saved *s, const struct groups *g, const struct stability_least *least,
		   double objects, double bytes);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replica_saved.h - what merging equal objects saves, of those that are equal all their life, as
 * far as seen.
 *
 * At the end of their life objects of some contents are alike; of these, a share was the same when
 * used (stability.h). The bound is that of both at their lower ends. Of what could change and was
 * not seen in use nothing is promised.
 */
#ifndef OJX_REPLICA_SAVED_H
#define OJX_REPLICA_SAVED_H

#include "analyse/replica/replica_result.h"
#include "analyse/replica/stability.h"
#include "stats/groups.h"

struct saved {
	struct replica_interval objects, bytes; /* NAN without looks */
	double bytes_high; /* the lower bound's sum at the upper end of what is covered */
	double end_bytes;  /* the lower bound by contents alone, as if no object changed */
	double likely;	   /* the same sum by estimates, not by lower ends */
	double likely_end; /* and as if no object changed */
};

/* Shares that do not change, at least: all where `ever`; else by uses, the lower ends; 0 where none
 * was seen. */
struct stability_least {
	double objects, bytes;
	double likely; /* of the bytes, estimated; one more use that differed is supposed, as one of
			  one is not all */
};
struct stability_least stability_least(const struct stability *u, bool ever);

/* Of `objects` that take `bytes`, with the groups `g` at the end of their life. */
void saved_measure(struct saved *s, const struct groups *g, const struct stability_least *least,
		   double objects, double bytes);

#endif

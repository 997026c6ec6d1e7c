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
#include "model/model.h"
#include "stats/groups.h"

struct saved {
	struct replica_interval objects, bytes; /* NAN without snapshots */
	double bytes_high; /* the sum of the lower bound, but at the upper end of the coverage */
	double end_bytes;  /* the lower bound by contents alone, as if no object changed */
	double likely;	   /* the same sum as `bytes`, of estimates instead of lower ends */
	double likely_end; /* as `likely`, as if no object changed */
	double others[CLUSTER_BLOCKS]; /* as in struct groups, of `likely` */
};

/*
 * The least share of the objects, and of the bytes, that do not change. 1 if `ever`, since then
 * none can. Otherwise the lower ends from uses; 0 if no use was seen.
 */
struct stability_least {
	double objects, bytes;
	/*
	 * the same share of the bytes as an estimate; it assumes that one more use was seen, which
	 * differed: otherwise one use alone would give 1
	 */
	double likely;
};
struct stability_least stability_least(const struct stability *u, bool ever);

/* What was allocated: estimates, and their lower ends, which come from the sampling alone. */
struct saved_of {
	double objects, objects_low, bytes, bytes_low;
};
struct saved_of saved_of(struct model_context *const *contexts, size_t n, double z);

/*
 * Measures what merging saves of what was allocated. `g` are the groups at the end of life; `end`
 * the same groups, but with the objects that `g` leaves out because they could change. The lower
 * ends combine the errors of contents, of changes and of amounts (Zou and Donner 2008).
 */
void saved_measure(struct saved *s, const struct groups *g, const struct groups *end,
		   const struct stability_least *least, const struct saved_of *of);

/* Figures without snapshots. */
extern const struct replica_contents replica_no_contents;

/* Set what groups of equal contents tell, and what merging them saves. */
void replica_set_groups(struct replica_contents *to, const struct groups *g);
void replica_set_saved(struct replica_contents *to, const struct saved *saved);

#endif

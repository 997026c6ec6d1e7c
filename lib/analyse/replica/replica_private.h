/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replica_private.h - a row at work: what replica_measure.c measures of its contexts' evidence, and
 * replica.c makes figures of.
 */
#ifndef OJX_REPLICA_PRIVATE_H
#define OJX_REPLICA_PRIVATE_H

#include "analyse/replica/breakdown.h"
#include "analyse/replica/combine.h"
#include "analyse/replica/replica_result.h"
#include "analyse/replica/stability.h"
#include "analyse/replica/stability_contents.h"
#include "stats/bounds.h"
#include "stats/groups.h"

/* What one source of evidence says. */
struct source {
	struct combine sum;
	struct combined result;
};

struct work {
	struct model_context *const *contexts;
	size_t n;
	const struct replica_options *options;
	double z;
	double objects; /* of all contexts, or what stands for it: see replica_objects */
	bool counted;	/* allocations were counted */
	struct source watch, scan;
	struct breakdown breakdown;
	struct groups snapshots, uses;
	double uses_equal_low; /* see groups.h */
	struct stability_contents lasting;
	struct bounds_range last; /* share of objects that did, see stability_contents.h */
	bool known;		  /* most contents at the end of life were seen */
	struct stability unchanged;
};

/* Objects of a context, and its share of those of the row. Once w->counted, and w->objects, are
 * known. */
double replica_objects(const struct work *w, const struct model_context *c);
double replica_share(const struct work *w, const struct model_context *c);

/* Which pairs a row rests on, where there are so many of uses and of looks. */
enum replica_source replica_choose(uint64_t watch, uint64_t scan,
				   const struct replica_options *options);

/* Forms the pairs of both sources, and sums them up. 0, or -1 where memory lacks. */
int replica_pair_all(struct work *w);

/* Then: groups of equal contents, and how far they hold all life long. `objects`: allocated ones.
 * 0, or -1 likewise. */
int replica_group_all(struct work *w, double objects);

/* All pairs of uses, whatever their positions; of contents that are rarely equal it makes no
 * verdict. 0, or -1 likewise. */
int replica_compare_uses(struct work *w, double objects);

/* Looks are so few that uses tell more of how many contents there are. */
bool replica_uses_tell_more(const struct work *w);

#endif

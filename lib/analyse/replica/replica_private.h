/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replica_private.h - the state while a row is computed: replica_measure.c fills it, replica.c
 * makes figures of it.
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

/* The results of one source of evidence. */
struct source {
	struct combine sum;
	struct combined result;
};

struct work {
	struct model_context *const *contexts;
	size_t n;
	const struct replica_options *options;
	/* if only a little of the row can change: marks its contexts; else NULL */
	bool *change;
	bool all_constant; /* no object can change */
	double z;
	double objects; /* of all contexts, see replica_objects */
	bool counted;	/* allocations were counted */
	struct source watch, scan;
	struct breakdown breakdown;
	struct groups snapshots, uses;
	struct groups at_end; /* like `snapshots`, with nothing left out because of `change` */
	struct stability_contents lasting;
	struct bounds_range last; /* share of the objects that lasted, see stability_contents.h */
	bool known;		  /* snapshots cover most contents at the end of life */
	struct stability unchanged;
};

/* Objects of a context, and its share of the row's objects. They need w->counted and w->objects. */
double replica_objects(const struct work *w, const struct model_context *c);
double replica_share(const struct work *w, const struct model_context *c);

/* Which of the two sources, with so many pairs of uses and of snapshots, a row is based on. */
enum replica_source replica_choose(uint64_t watch, uint64_t scan,
				   const struct replica_options *options);

/* Forms the pairs of both sources and sums them. */
void replica_pair_all(struct work *w);

/*
 * After that: measures groups of equal contents, and whether they hold during the whole life.
 * `objects`: number allocated.
 */
void replica_group_all(struct work *w, double objects);

/* Whether there are so few snapshots that uses tell more about the number of contents. */
bool replica_uses_tell_more(const struct work *w);

#endif

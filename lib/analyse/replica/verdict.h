/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verdict.h - the rule that makes a verdict of the evidence of a line.
 *
 * The rule stands in verdict.c and nowhere else; docs/method.md shows it as a table.
 */
#ifndef OJX_VERDICT_H
#define OJX_VERDICT_H

#include <stdbool.h>

#include "analyse/replica/at_once.h"
#include "analyse/replica/replica_result.h"
#include "stats/bounds.h"
#include "stats/spread.h"

#define VERDICT_CONTENTS SPREAD_FEW /* `distinct` considers a cache of this many values */

/* The evidence of the rule. Shares are of bytes. */
struct verdict_evidence {
	/* contents at the end of life, and when used; contents not known to be equal differ */
	struct spread end, use;
	/* the same; contents not known to differ are equal */
	struct spread end_most, use_most;
	/* as `use`, of the uses alone that sampled accesses led to: at any age of the object */
	struct spread any_age;
	/* contents at the end within each epoch, of objects with references */
	struct at_once at_once;
	/* share of the bytes that are of sizes of which no use was seen: they may differ */
	double unused_sizes;
	double kept;	  /* one object of each content seen at the end, as a share of all */
	double seen_used; /* objects alike at the end that were seen in use (effective number) */
	double same;	  /* share of these that were the same when used */
	double used_seen; /* objects alike when used that were seen at the end (effective number) */
	double used_same; /* share of these that were the same at the end */
	/*
	 * Objects that were seen in use and have a snapshot, alike or not: their effective number
	 * if all weighed as much as the heaviest quarter; and the share of these that stayed the
	 * same, at most, with what was not seen counted as the same.
	 */
	double all_used, all_same;
	bool constant; /* no object can change after construction */
	bool identity; /* their identity may matter: locked, hashed by identity, without fields */
	bool referred; /* equal by deep content, part of which could change unseen */
	/* share of equal slots, averaged over pairs of snapshots; NAN: not measured */
	double slots;
	double slots_n; /* effective number of snapshots for `slots` */
	/* least share of equal values among unequal pairs of uses; NAN: not measured */
	double values_low;
	/*
	 * Least share of pairs with equal content, for objects with references. These are compared
	 * only within an epoch, in which addresses are comparable. On average, the commonest
	 * content of an epoch has at least that share. NAN: not measured, or no references.
	 */
	double equal_low;
	/*
	 * The objects are of several processes, whose contents are never equal (docs/merging.md).
	 * So `equal_low` is measured without references, too, and no content is known to be rare.
	 */
	bool several;
	bool live;		/* the verdict is judged repeatedly while snapshots arrive */
	struct held_work *work; /* for verdict_missing alone; else NULL */
};

/* Returns the first rule that holds. *doubt receives why it is only ALIKE; may be NULL. */
enum replica_verdict verdict_of(const struct verdict_evidence *e, enum replica_doubt *doubt);

/* The most that VERDICT_CONTENTS contents hold at the end of life, to say how `distinct` it is. */
double verdict_held_high(const struct verdict_evidence *e);

/*
 * The share of the bytes, at the end of life, whose content others have, too, if each content makes
 * VERDICT_COMMON of the objects or more: as estimated, NAN without snapshots; the same if what is
 * not known to differ is equal; and at most.
 */
#define VERDICT_COMMON (1.0 / 128)
double verdict_common(const struct verdict_evidence *e);
double verdict_common_most(const struct verdict_evidence *e);
double verdict_common_high(const struct verdict_evidence *e, double alpha);

/*
 * Snapshots needed until a verdict `unknown` becomes another one, if further ones are like those
 * seen. 0 if it is not unknown; INFINITY if no number is enough.
 */
double verdict_missing(const struct verdict_evidence *e);

#endif

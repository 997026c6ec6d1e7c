/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verdict.h - the rule by which a line is called replica, few-values, partial or distinct.
 *
 * It is stated in verdict.c and nowhere else; docs/method.md has it as a table.
 */
#ifndef OJX_VERDICT_H
#define OJX_VERDICT_H

#include <stdbool.h>

#include "analyse/replica/replica_result.h"
#include "stats/bounds.h"
#include "stats/spread.h"

#define VERDICT_CONTENTS 16   /* a cache of so many values is what `distinct` speaks of, */
#define DISTINCT_MOST	 0.25 /* and that saves so much at most */

/* What the rule rests on. Shares are of bytes. */
struct verdict_evidence {
	/* contents at the end of life, and when used: what is not known to be equal differs... */
	struct spread end, use;
	/* ...and what is not known to differ is equal */
	struct spread end_most, use_most;
	double kept;	  /* one object of each content seen at the end, 0..1 of all */
	double seen_used; /* objects that are alike at the end and were seen in use (effective
			     number) */
	double same;	  /* share of these that were the same then */
	bool constant;	  /* no object can change after construction */
	bool identity; /* what they are for may be who they are: locked, hashed by identity, without
			  fields */
	bool referred; /* equal with what they refer to, and that could change unseen */
	double slots; /* how many slots are equal, on average over pairs of looks; NAN: not measured
		       */
	double slots_n;	   /* effective number of looks that it was measured on */
	double values_low; /* equal values among unequal pairs of uses, at least; NAN: not measured
			    */
	/*
	 * Pairs with equal content, at least, of objects that refer to others: these are compared
	 * at one time only, when addresses mean something. The commonest content of a time has that
	 * share, on average. NAN: not measured, or they refer to nothing.
	 */
	double equal_low;
	/*
	 * What the VERDICT_CONTENTS commonest contents hold at most, by objects that were compared
	 * with all of their class, at verdict_alpha_population; 1: not known.
	 */
	bool compared;
	double held_population;
	bool live; /* judged again and again while looks come in */
};

/* What may be wrong about held_population, by so many effective looks. */
double verdict_alpha_population(double n, int live);

/* The first rule that holds. *doubt receives what keeps ALIKE from being more; may be NULL. */
enum replica_verdict verdict_of(const struct verdict_evidence *e, enum replica_doubt *doubt);

/*
 * How many looks are missing until a verdict that is `unknown` is another one, if what comes is
 * like what was seen; 0 where it is not, INFINITY where no number of looks would tell.
 */
double verdict_missing(const struct verdict_evidence *e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* fix_amount.h - part of fix.c: how many bytes of one part of a fix are avoided. */
#ifndef OJX_FIX_AMOUNT_H
#define OJX_FIX_AMOUNT_H

#include "fix/fix_part.h"

/* A share of things that were looked at, and its interval. */
struct fix_share {
	double value; /* 0..1; NAN: not known */
	struct bounds_range range;
};

/* `k` of `n` (effective) things looked at; z as for bounds_z. */
struct fix_share fix_share_of(double k, double n, double z);

/* A share of an amount; both errors count. 0 if the share is not known. */
struct fix_sum fix_part_of(const struct fix_sum *amount, const struct fix_share *share);

/*
 * The same of an amount that is one of several, of which `all` is the sum. They have the same
 * share, with the same error: that of their sum is as large as if they were one amount.
 */
struct fix_sum fix_part_of_all(const struct fix_sum *amount, const struct fix_sum *all,
			       const struct fix_share *share);

/* The share that an amount has of another one, which includes it. */
struct fix_share fix_ratio(const struct fix_sum *amount, const struct fix_sum *of);

/*
 * Add an amount whose error is independent of the sum's. The low end of an estimate may be below 0
 * while there is more to add.
 */
void fix_sum_add(struct fix_sum *sum, const struct fix_sum *amount);
void fix_add(struct estimate *sum, const struct estimate *amount);

/* Adds an amount that is wrong where the sum is wrong: the ends are added. */
void fix_add_same(struct estimate *sum, const struct estimate *amount);

/* The interval of a sum. `z` is the quantile, as for bounds_z. */
struct estimate fix_estimate(const struct fix_sum *sum, double z);

/* The same of a sum to which other bytes may or may not belong: its interval reaches to both. */
struct estimate fix_estimate_to(const struct fix_sum *sum, const struct fix_sum *others, double z);

/* The level of the intervals. */
struct fix_level {
	double z; /* its quantile */
	/* with that confidence, if it is another than that of the rows; NULL: it is theirs */
	const struct replica_options *options;
};

/* Fills the amounts of a part by what its rule removes. Values do not depend on the level. */
void fix_measure(struct fix_part *part, const struct fix_level *level);

/*
 * What merging the objects of a part saves at most, whatever its rule says of them: all of them, if
 * too few were seen to tell.
 */
double fix_mergeable_most(const struct fix_part *part, const struct fix_level *level);

#endif

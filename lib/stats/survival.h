/* SPDX-License-Identifier: Apache-2.0 */
/*
 * survival.h - how long things live, from weighted lives of which each end is known up to an
 * interval: Kaplan and Meier's estimate, twice. Pure functions of numbers.
 *
 * Things are looked at from time to time. Of one that was found to have ended, it is known that it
 * lived for at least `low`, when it was last found alive, and for at most `high`. The early curve
 * takes all ends to be at `low`, the late one at `high`. The truth lies between the two, but for
 * chance. The interval of a share reaches from the lower limit of the early curve to the upper
 * limit of the late one.
 *
 * An end that is found at the next look counts for the early curve at the age of the last one. So
 * a thing that was not found to have ended is out of that curve from the last look but one on:
 * `low`. Nobody was there to find an end after that. In the late curve it stays to `high`, the age
 * at which it may still have lived.
 */
#ifndef OJX_SURVIVAL_H
#define OJX_SURVIVAL_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/estimate.h"

struct survival_life {
	/* ages; low of one that has not ended and was not looked at since the beginning: -1 */
	double low, high;
	double weight; /* > 0: how many it stands for */
	bool ended;
};

/* From the age `age` to the next step, a share `share` is alive. */
struct survival_step {
	double age, share;
	double number; /* effective number of observations that the share is from */
};

struct survival_curve {
	struct survival_step *step; /* by age; the first is at age 0, before any end */
	size_t n;
	double oldest; /* beyond this age nothing was observed */
};

struct survival {
	struct survival_curve early, late;
};

/* Release with survival_release. */
void survival_make(struct survival *s, const struct survival_life *lives, size_t n);
void survival_release(struct survival *s);

/*
 * The share that lives longer than an age. The value is the mean of both curves; NAN if nothing is
 * known of that age.
 */
struct survival_point {
	double value;
	struct survival_step early, late; /* of the two curves; number 0: nothing is known */
};

struct survival_point survival_at(const struct survival *s, double age);

/* Its interval, with the quantile `z`; NAN if nothing is known. */
struct bounds_range survival_range(const struct survival_point *p, double z);

/*
 * The age that a share `share` does not exceed: 0.5 for the median. The value is NAN, or an end of
 * the interval INFINITY, if it is beyond what was observed.
 */
struct estimate survival_age(const struct survival *s, double share, double z);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * estimate.h - whether two estimates of one quantity, from two recordings, differ by more than
 * chance: pure functions of numbers.
 *
 * An estimate is a value and an interval that contains it. Amounts (objects, bytes) come from
 * samples, each of which stands for a number of objects. docs/method.md, "Comparing two
 * recordings", gives the reasons.
 */
#ifndef OJX_ESTIMATE_H
#define OJX_ESTIMATE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/bounds.h"

/* A NAN value was not measured. */
struct estimate {
	double value;
	struct bounds_range range; /* contains the value */
};

enum estimate_verdict {
	ESTIMATE_UNKNOWN, /* one of the two was not measured */
	ESTIMATE_SAME,	  /* the difference may be chance */
	ESTIMATE_UP,
	ESTIMATE_DOWN,
};

/* "no", "up", "down"; NULL of ESTIMATE_UNKNOWN. */
const char *estimate_verdict_name(enum estimate_verdict v);

/*
 * The interval of a sum of weights, from the sum and its variance. It is the score interval of a
 * Poisson number of samples, with the effective number sum^2 / variance. A sum of 0 has no samples;
 * each would have had the weight `unit`. A variance of 0 means an exact count.
 */
struct estimate estimate_amount(double sum, double variance, double unit, double z);

/* The estimate multiplied by an exact number > 0. */
struct estimate estimate_scale(struct estimate e, double factor);

/*
 * The change from one estimate to the other, with its interval, which combines both deviations as
 * independent (Zou and Donner 2008). NAN if one was not measured.
 */
struct estimate estimate_change(const struct estimate *from, const struct estimate *to);

/*
 * Judges whether the second estimate differs from the first by more than chance. It does if the
 * interval of the difference lies beyond both `absolute` and the share `relative` of the first.
 */
enum estimate_verdict estimate_judge(const struct estimate *from, const struct estimate *to,
				     double relative, double absolute);

/*
 * The confidence level for each of `n` comparisons, so that all together hold with probability
 * `confidence` (Bonferroni).
 */
double estimate_level(double confidence, double n);

/*
 * ---- pairs the items of two sequences in order. It pairs as many as possible and, among all
 * such pairings, chooses the cheapest.
 */

#define ALIGN_NEVER INFINITY /* the cost of a forbidden pair */

/*
 * at[i] receives the index in the second sequence of the partner of item i of the first, or -1.
 * `cost` (>= 0) is called for any two items, in no particular order. If the middles of both
 * sequences have more than ALIGN_MOST pairs, they are left unpaired.
 */
void align(size_t nfrom, size_t nto, double (*cost)(size_t i, size_t k, void *arg), void *arg,
	   int32_t *at);

#define ALIGN_MOST 4000000u

#endif

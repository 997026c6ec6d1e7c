/* SPDX-License-Identifier: Apache-2.0 */
/*
 * estimate.h - what two estimates of the same quantity, from two recordings, may differ by without
 * there being a change: pure functions of numbers.
 *
 * An estimate is a value and the interval it lies in. Amounts (objects, bytes) come from samples,
 * each of which stands for some objects; docs/method.md, "Comparing two recordings", has the
 * reasons.
 */
#ifndef OJX_ESTIMATE_H
#define OJX_ESTIMATE_H

#include "stats/bounds.h"

/* A value that is NAN was not measured. */
struct estimate {
	double value;
	struct bounds_range range; /* holds the value */
};

enum estimate_verdict {
	ESTIMATE_UNKNOWN, /* one of the two was not measured */
	ESTIMATE_SAME,	  /* what differs may be chance */
	ESTIMATE_UP,
	ESTIMATE_DOWN,
};

/*
 * The interval of a sum of weights, from the sum and its variance: the score interval of a Poisson
 * number of samples, as many as would tell as much (sum^2 / variance). A sum of 0 has no samples,
 * each of which would have stood for `unit`. A variance of 0 is a count without error.
 */
struct estimate estimate_amount(double sum, double variance, double unit, double z);

/* The estimate times a number without error, > 0. */
struct estimate estimate_scale(struct estimate e, double factor);

/*
 * The change from one estimate to the other, with its interval: the two deviations are put together
 * as independent ones (Zou and Donner 2008). NAN where one was not measured.
 */
struct estimate estimate_change(const struct estimate *from, const struct estimate *to);

/*
 * Whether the second differs from the first by more than chance, and by more than the share
 * `relative` of the first and than `absolute`: the interval of the difference lies beyond them.
 */
enum estimate_verdict estimate_judge(const struct estimate *from, const struct estimate *to,
				     double relative, double absolute);

/* The level of one of `n` comparisons such that all of them together err with 1 - `confidence` at
 * most (Bonferroni). */
double estimate_level(double confidence, double n);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * noise.h - what two estimates of the same quantity, from two recordings, may differ by without
 * there being a change: pure functions of numbers.
 *
 * An estimate is a value and the interval it lies in. Amounts (objects, bytes) come from samples,
 * each of which stands for some objects; docs/method.md, "Comparing two recordings", has the
 * reasons.
 */
#ifndef OJX_NOISE_H
#define OJX_NOISE_H

#include "stats/bounds.h"

/* A value that is NAN was not measured. */
struct noise_estimate {
	double value;
	struct bounds_range range; /* holds the value */
};

enum noise_verdict {
	NOISE_UNKNOWN, /* one of the two was not measured */
	NOISE_SAME,    /* what differs may be chance */
	NOISE_UP,
	NOISE_DOWN,
};

/*
 * The interval of a sum of weights, from the sum and its variance: the score interval of a Poisson
 * number of samples, as many as would tell as much (sum^2 / variance). A sum of 0 has no samples,
 * each of which would have stood for `unit`. A variance of 0 is a count without error.
 */
struct noise_estimate noise_amount(double sum, double variance, double unit, double z);

/* The estimate times a number without error, > 0. */
struct noise_estimate noise_scale(struct noise_estimate e, double factor);

/*
 * The change from one estimate to the other, with its interval: the two deviations are put together
 * as independent ones (Zou and Donner 2008). NAN where one was not measured.
 */
struct noise_estimate noise_change(const struct noise_estimate *from,
				   const struct noise_estimate *to);

/*
 * Whether the second differs from the first by more than chance, and by more than the share
 * `relative` of the first and than `absolute`: the interval of the difference lies beyond them.
 */
enum noise_verdict noise_judge(const struct noise_estimate *from, const struct noise_estimate *to,
			       double relative, double absolute);

/* The level of one of `n` comparisons such that all of them together err with 1 - `confidence` at
 * most (Bonferroni). */
double noise_level(double confidence, double n);

#endif

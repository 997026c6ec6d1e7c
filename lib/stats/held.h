/* SPDX-License-Identifier: Apache-2.0 */
/*
 * held.h - what the few commonest contents of a line hold together, at most, from snapshots.
 *
 * The bound rests on how few snapshots repeat an earlier one. It is one-sided, wrong with
 * probability `alpha` at most for any distribution, and holds if the common contents are the
 * heaviest ones, too. docs/method.md derives it. Pure functions of a spread.
 */
#ifndef OJX_HELD_H
#define OJX_HELD_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/spread.h"

/*
 * What held_within computes for some number of repeats, for others to go on with: for calls with
 * one k and many numbers of snapshots. All zero: nothing yet. Release with held_work_release.
 */
struct held_work {
	double *hits;
	size_t n, room;
};
void held_work_release(struct held_work *work);

/* The largest share that the `k` commonest contents can hold together; k in 1..64. */
double held_high(const struct spread *s, unsigned k, double alpha);

/*
 * Whether the k contents hold no more than `limit` (0..1); much faster than computing the bound.
 * `work` may be NULL.
 */
bool held_within(const struct spread *s, unsigned k, double limit, double alpha,
		 struct held_work *work);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * at_once.h - the contents of objects with references, compared within each epoch, in which
 * addresses tell which object is which.
 */
#ifndef OJX_AT_ONCE_H
#define OJX_AT_ONCE_H

#include "model/model.h"
#include "stats/epochs.h"

struct at_once {
	/* by their own contents; by deep contents, of those whose references were followed */
	struct epoch_pairs own, deep;
	/* the share of the bytes that were not followed; it is not so by chance */
	double unfollowed;
};

/*
 * Measures the snapshots of a row. `largest` and `design`: see epochs_measure. Nothing, if most of
 * the bytes are of objects without references, or references were mostly not followed.
 */
void at_once_measure(struct at_once *a, struct model_context *const *contexts, size_t n,
		     double largest, double design);

/*
 * The most that `k` contents hold of the bytes at each time, on average, by either kind of content.
 * See epochs_high.
 */
double at_once_high(const struct at_once *a, unsigned k, double alpha);

/* See epochs_more. */
struct at_once at_once_more(const struct at_once *a, double times);

/* See epochs_covered. */
double at_once_covered(const struct at_once *a, double least);
double at_once_covered_high(const struct at_once *a, double least, double alpha);

#endif

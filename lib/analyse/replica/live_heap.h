/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live_heap.h - what of a context's objects was alive at the last view, and what merging equal ones
 * would free of it.
 *
 * A view (wire_live_heap.h) holds sampled objects that survived a collection, so that sums of their
 * weights estimate what is alive. Their contents are measured as those of looks are; the bounds
 * take in the error of the sums, too.
 */
#ifndef OJX_LIVE_HEAP_H
#define OJX_LIVE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "stats/bounds.h"

/* Figures are NAN where there was no view, or none that could have had such objects. */
struct live_heap {
	uint64_t sampled; /* objects in the view */
	double objects, bytes;
	struct bounds_range objects_range, bytes_range;
	/* bytes that merging would free, at least and at most, of objects equal as such; and with
	 * what they refer to */
	struct bounds_range saved, saved_deep;
	struct bounds_range dedup; /* bytes of strings' value arrays that repeat another's */
};

struct live_heap_options {
	double z; /* see bounds_z */
	uint64_t seed;
	/* share of the objects that can be merged, as contents change; and with what they refer to.
	 * NAN: no limit */
	double most, most_deep;
	/* share of the objects that are known not to change, of those that are alike; and alike
	 * with what they refer to */
	double unchanged, stability_deep;
	bool strings; /* the objects are */
};

/* Measures `n` contexts as one row. 0, or -1 where memory lacks. */
int live_heap_measure(struct live_heap *a, struct model_context *const *contexts, size_t n,
		      const struct live_heap_options *options);

#endif

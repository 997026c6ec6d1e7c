/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live_heap.h - what was alive of a context's objects at the last view, and what merging equal ones
 * would free.
 *
 * A view (wire_rec.h) holds sampled objects that survived a collection, so the sums of their
 * weights estimate what is alive. Their contents are measured like those of snapshots; the bounds
 * include the error of the sums.
 */
#ifndef OJX_LIVE_HEAP_H
#define OJX_LIVE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "stats/bounds.h"

/* Figures are NAN without a view, or if no view could have held such objects. */
struct live_heap {
	uint64_t sampled; /* objects in the view */
	double objects, bytes;
	struct bounds_range objects_range, bytes_range;
	/* bytes that merging would free, least and most: by content, and by deep content */
	struct bounds_range saved, saved_deep;
	struct bounds_range dedup; /* bytes of value arrays of strings that repeat another's */
};

struct live_heap_options {
	double z; /* see bounds_z */
	uint64_t seed;
	/*
	 * largest share of the objects that can be merged, since contents change: by content, and
	 * by deep content. NAN: no limit
	 */
	double most, most_deep;
	/*
	 * share of the objects with equal contents that are known not to change: by content, and by
	 * deep content
	 */
	double unchanged, stability_deep;
	bool strings; /* the objects are strings */
};

/* Measures `n` contexts as one row. */
void live_heap_measure(struct live_heap *a, struct model_context *const *contexts, size_t n,
		       const struct live_heap_options *options);

#endif

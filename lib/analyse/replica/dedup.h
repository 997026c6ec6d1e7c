/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dedup.h - what the JVM's string deduplication (-XX:+UseStringDeduplication) could give back.
 *
 * It lets equal strings share one value array; the strings stay. It comes to strings that have
 * lived through some collections. Which those are is not known here: it is measured of all that
 * were allocated, and once more of those that were alive at the last view.
 */
#ifndef OJX_DEDUP_H
#define OJX_DEDUP_H

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "stats/bounds.h"

/* Whether objects of this class are strings. */
int dedup_applies(const struct model_class *class);

/*
 * Bytes of the value arrays of these contexts' strings that repeat another's: at least, at most.
 * NAN where it was not measured, or where it cannot be told whether the strings share their arrays
 * as it is. `objects` are those allocated. `error`: what their bytes are at least and at most, by
 * what they are estimated to be. 0, or -1 where memory lacks.
 */
int dedup_measure(struct bounds_range *saved, struct model_context *const *contexts, size_t n,
		  double objects, const struct bounds_range *error, double z, uint64_t seed);

#endif

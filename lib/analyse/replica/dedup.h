/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dedup.h - what the JVM's string deduplication (-XX:+UseStringDeduplication) could save.
 *
 * It makes equal strings share one value array; the strings remain. The JVM deduplicates only
 * strings that survived some collections, which cannot be told here. So the saving is measured for
 * all strings that were allocated, and for those that were alive at the last view.
 */
#ifndef OJX_DEDUP_H
#define OJX_DEDUP_H

#include <stddef.h>
#include <stdint.h>

#include "analyse/replica/replica_result.h"
#include "model/model.h"
#include "stats/bounds.h"

/* Whether objects of this class are strings. */
int dedup_applies(const struct model_class *class);

/*
 * Bytes of value arrays, among these contexts' strings, that repeat another string's: at least, at
 * most. NAN if not measured, or if it is unknown whether the strings share their arrays already.
 * `objects` is the number allocated. `error`: least and most of their bytes, relative to the
 * estimate.
 */
void dedup_measure(struct bounds_range *saved, struct model_context *const *contexts, size_t n,
		   double objects, const struct bounds_range *error, double z, uint64_t seed);

/*
 * ---- the most frequent values of strings. There are texts only with `ojx record --values`,
 * since they can be secret, and not for each string.
 */

#define VALUES_MOST 10 /* of a row */

/*
 * Ranks the values whose text is known, most frequent first; at most VALUES_MOST. *n receives their
 * number; free the result.
 */
void values_rank(struct replica_value **values, size_t *n, struct model_context *const *contexts,
		 size_t ncontexts);

#endif

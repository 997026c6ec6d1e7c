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

/*
 * ---- what -XX:+UseStringDeduplication would do in a JVM.
 *
 * Each collector that deduplicates strings does so from some JDK on. Until JDK 16 the others
 * ignored the option without a word; later JVMs turn it off and warn. It is never on by default,
 * except for Shenandoah's compact heuristics.
 */

enum deduplication {
	DEDUPLICATION_UNKNOWN, /* the collector or the version is not known */
	DEDUPLICATION_NONE,    /* this collector does not have it in this JDK */
	DEDUPLICATION_OFF,     /* it can be turned on */
	DEDUPLICATION_ON,
};

enum deduplication deduplication_of(const struct file_jvm *jvm);

/* Of the JVMs of these contexts: OFF if it is so for any, otherwise that of the first one. */
enum deduplication deduplication_at(struct model_context *const *contexts, size_t n);

#endif

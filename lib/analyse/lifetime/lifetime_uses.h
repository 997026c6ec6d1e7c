/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lifetime_uses.h - what share of its time an object is kept in vain, from watches that begin at
 * times which do not depend on it. docs/lifetime.md derives the formulas.
 */
#ifndef OJX_LIFETIME_USES_H
#define OJX_LIFETIME_USES_H

#include "analyse/lifetime/lifetime.h"

/*
 * Sorts the watches so that those of one object stand together, and looks up when each object was
 * last known to be alive.
 */
void lifetime_uses_join(struct lifetime_next_use *use, size_t n, const struct lifetime_known *known,
			size_t nknown);

/* From joined watches of one line; `z`: the quantile of the intervals. NAN: nothing is known. */
struct lifetime_uses lifetime_uses_of(const struct lifetime_next_use *use, size_t n, double z);

/*
 * Bytes of objects that have survived a collection, on average over the time to `end` (ns, > 0).
 */
struct estimate lifetime_held(const struct lifetime_known *known, size_t n, uint64_t end, double z);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * next_use.h - how long it takes until an object is used again, if at all (-e lifetime).
 *
 * From time to time one of the held objects (live_heap.h) that have survived a collection is drawn,
 * each with the same probability, and watched until it is used or dies (object_watch.h). The time
 * of a draw does not depend on the object. So the share of draws after which the object is not used
 * any more estimates the share of its time that an object is kept in vain: drag. docs/lifetime.md
 * says how.
 *
 * Sometimes only those are drawn from that have just survived their first collection. They tell
 * what share of objects is not used after that.
 *
 * The debug registers are all needed, so this is done only where no other analysis wants them.
 */
#ifndef OJX_NEXT_USE_H
#define OJX_NEXT_USE_H

#include "core/part.h"

/* Whether uses are to be recorded, if debug registers work. Once lives are known to be recorded. */
bool next_use_wanted(void);

extern const struct part next_use_part;

#endif

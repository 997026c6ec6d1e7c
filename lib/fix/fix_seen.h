/* SPDX-License-Identifier: Apache-2.0 */
/* fix_seen.h - part of fix.c: whether objects stay as they were seen. */
#ifndef OJX_FIX_SEEN_H
#define OJX_FIX_SEEN_H

#include "fix/fix_part.h"

/*
 * Set the weight of the possible bytes, 0..1, and the looks from which it is. fix_weigh is for
 * objects that are alike or empty, fix_weigh_unfilled for arrays that hold little or nothing.
 */
void fix_weigh(struct fix_part *part);
void fix_weigh_unfilled(struct fix_part *part);

/*
 * Whether the objects may have been others between the first use and the end, at which they are the
 * same. Arrays that hold something do not count, since most are filled once.
 */
bool fix_may_be_restored(const struct fix_part *part);

#endif

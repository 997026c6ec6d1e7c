/* SPDX-License-Identifier: Apache-2.0 */
/* lifetime_curves.h - a line's survival by age, and what is alive over time, as points to draw. */
#ifndef OJX_LIFETIME_CURVES_H
#define OJX_LIFETIME_CURVES_H

#include "analyse/lifetime/lifetime.h"

/* `survival` is in seconds, `z` the quantile of the intervals. */
void lifetime_curve_ages(struct lifetime_curves *c, const struct survival *survival, double z);

/*
 * To the time `end` (ns). After `looked`, when objects were last looked at, only the intervals are
 * known.
 */
void lifetime_curve_times(struct lifetime_curves *c, const struct lifetime_known *known, size_t n,
			  uint64_t end, uint64_t looked, double z);

#endif

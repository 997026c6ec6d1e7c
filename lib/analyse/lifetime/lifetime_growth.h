/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lifetime_growth.h - how many objects of a line are alive at a time, and how that changes.
 *
 * At a given time some objects are known to be alive. Others may be: those that were found dead
 * later, and those whose state nobody has checked since. For the lower end of an interval all of
 * these are dead, for the upper end alive; the error of sampling is added.
 */
#ifndef OJX_LIFETIME_GROWTH_H
#define OJX_LIFETIME_GROWTH_H

#include "analyse/lifetime/lifetime.h"

/* Objects that are alive at a time (ns), `z` the quantile of the interval. */
struct estimate lifetime_alive(const struct lifetime_known *known, size_t n, uint64_t at, double z);

/* The same at the ends of LIFETIME_TIMES steps (ns, > 0) from the start. */
void lifetime_alive_over(struct estimate to[LIFETIME_TIMES], const struct lifetime_known *known,
			 size_t n, uint64_t step, double z);

/* By how many bytes what is alive grows from one time to a later one. */
struct estimate lifetime_change(const struct lifetime_known *known, size_t n, uint64_t from,
				uint64_t to, double z);

#endif

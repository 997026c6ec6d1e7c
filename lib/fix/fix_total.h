/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fix_total.h - what all lines together could do without: an estimate, and an interval.
 *
 * The sum of the findings grows with the budget, since a line of few looks has no finding. This is
 * an estimate of all lines. It has three parts:
 *
 *	calls	where class and frames decide, each sample tells, however few a line has
 *	merging	what merging saves of the other objects, as total.h has it: lines with few looks
 *		are estimated by others of their class and kind
 *	rest	what else rules avoid (collections and arrays that hold nothing): shares of the
 *		lines that were looked at, and of the others by class and kind, as pool.h has it
 *
 * The lower end is that of the calls and of what is likely by the findings. The upper end has all
 * that is possible. docs/method.md has the formulas.
 */
#ifndef OJX_FIX_TOTAL_H
#define OJX_FIX_TOTAL_H

#include "fix/fix.h"

struct fix_total {
	double value;		   /* bytes; NAN if a sample cannot tell */
	struct bounds_range range; /* its interval */
	struct estimate calls;	   /* the part that calls decide */
};

/* Of the fixes that are not accepted, and of the lines in which they were found. */
struct fix_total fixes_total(const struct fixes *fixes);

#endif

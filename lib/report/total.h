/* SPDX-License-Identifier: Apache-2.0 */
/*
 * total.h - what merging saves in all lines together: an estimate and an interval of its own.
 *
 * Lower bounds of many lines do not add up to a lower bound that is as tight as it could be: not
 * all of them are at their lower end at once. So the errors are put together as those of
 * independent estimates (Zou and Donner 2008): the sum's lower end is the sum of the estimates less
 * the root of the squares of each one's distance to its own lower end. To each comes the error of
 * what was allocated, where that is estimated by samples. Lines of which nothing is known add
 * nothing: the sum is of contents that were looked at. Where all objects of nearly all lines are
 * alike, the upper end is too low in some 10 % of the recordings, not 2.5 %: contents seen once in
 * such lines are taken for rarer than they are. Each line counts its own objects' bytes alone, so
 * that no byte is counted twice: a string's array counts where it is made.
 */
#ifndef OJX_TOTAL_H
#define OJX_TOTAL_H

#include "report/rows.h"
#include "stats/bounds.h"

struct total {
	double bytes;		   /* allocated */
	double saved;		   /* estimated */
	struct bounds_range range; /* of that */
	double end; /* that objects alike at their end alone would add, at least each; promised by
		       nobody */
	double decided; /* bytes of lines with a verdict: replica, few-values, partial, distinct */
	size_t unknown; /* lines without one */
};

/* Of rows by line (or by context): no context may be in two of them. Without rows, zeros. */
void total_measure(struct total *t, const struct rows *rows);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * total.h - what merging saves in all lines together: an estimate with its own interval.
 *
 * The sum of the lines' lower bounds is a loose lower bound, since not all lines are at their lower
 * end at once. So the errors are combined as those of independent estimates (Zou and Donner 2008).
 * The lower end of the sum is the sum of the estimates, minus the root of the sum of squares of
 * each distance from an estimate to its lower end. Snapshots that stand for objects skipped at one
 * time err in the same direction in all lines, so the covariance of lines is added (Kish 1965). The
 * lower ends of lines contain the error of the allocated amount, if that is estimated from samples;
 * to the upper ends it is added.
 *
 * Lines of which nothing is known add nothing: the sum is about contents that have a snapshot. Each
 * line counts only the bytes of its own objects, so no byte is counted twice: a string's array
 * counts where it is allocated.
 *
 * If all objects of nearly all lines are alike, the upper end is too low in some 10 % of the
 * recordings, not 2.5 %. For contents seen once in such lines are taken to be rarer than they are.
 */
#ifndef OJX_TOTAL_H
#define OJX_TOTAL_H

#include "report/rows.h"
#include "stats/bounds.h"

struct total {
	double bytes;		   /* allocated */
	double saved;		   /* estimate */
	struct bounds_range range; /* its interval */
	/* lower bound of what lines alike at their end would save if no object changed before */
	double end;
	double decided; /* bytes of lines with a verdict that replica_is_decided() */
	size_t unknown; /* number of lines without a verdict */
};

/* For rows by line (or by context): no context may be in two rows. Without rows, all zeros. */
void total_measure(struct total *t, const struct rows *rows);

/* What had survived a collection at the last view; all NAN if no view was taken. */
struct total_alive {
	double bytes;
	double undecided; /* of rows without a verdict */
};

void total_alive(struct total_alive *a, const struct rows *rows);
/* Whether so much of it has no verdict that a heap dump is worth its trouble. */
bool total_wants_dump(const struct total_alive *a);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * total.h - what merging saves in all lines together: an estimate, and an interval.
 *
 * The sum of the lines' lower bounds is a loose lower bound, since not all lines are at their lower
 * end at once. So the errors are combined as those of independent estimates (Zou and Donner 2008).
 * The lower end of the sum is the sum of the lines' estimates, minus the root of the sum of squares
 * of each distance from an estimate to its lower end. Snapshots that stand for objects skipped at
 * one time err in the same direction in all lines, so the covariance of lines is added (Kish 1965).
 *
 * The estimate, and the upper end, are of all lines: those with few snapshots are estimated by
 * others of their class and kind (pool.h), and each as if it had been looked at for long. So they
 * do not grow with the budget. (The sum of the lines' estimates would: coverage grows with the
 * looks, and lines with few have none, so it tripled with the budget.) Each line counts only the
 * bytes of its own objects, so no byte is counted twice: a string's array counts where it is
 * allocated.
 *
 * Lower end: sum likely - sqrt(sum (likely - saved)^2 + z^2 K). In block b of the run, line l errs
 * by e_lb = L_l sum_{i in b} u_i (f_l - y_i) / sum v: L is its bytes times the estimate of the
 * share that stays the same, f the share of what saves nothing, y whether an observation does, u
 * its part for skipped objects. K = sum_b ((sum_l e_lb)^2 - sum_l e_lb^2), at least 0.
 *
 * Estimate: sum bytes c r. c is verdict_common(), r the share that stays the same.
 *
 * Upper end: sum bytes c r, with what is not known to differ as equal (verdict_common_most()) and
 * the most that r can be; plus the root of the sum of squares of each line's distance to the most
 * that c can be (verdict_common_high()), the error of its bytes, and z^2 K; plus z times the
 * standard error of what is lent, times what borrows. A line with nothing of its own counts with
 * the most that c can be: others do not tell how it differs from them. At most all bytes.
 */
#ifndef OJX_TOTAL_H
#define OJX_TOTAL_H

#include "report/pool.h"
#include "report/rows.h"
#include "stats/bounds.h"

struct total {
	double bytes;		   /* allocated */
	double saved;		   /* estimate; NAN if a sample cannot tell */
	struct bounds_range range; /* its interval */
	/* lower bound of what lines alike at their end would save if no object changed before */
	double end;
	double decided; /* bytes of lines with a verdict that replica_is_decided() */
	size_t unknown; /* number of lines without a verdict */
};

/* For rows by line (or by context): no context may be in two rows. Without rows, all zeros. */
void total_measure(struct total *t, const struct rows *rows);

/* What merging saves of one of them, in bytes. */
struct total_line {
	double saved;	       /* the estimate */
	double most;	       /* the same, with what is not known to differ as equal */
	double own;	       /* the part of the estimate that its own evidence gives, 0..1 */
	struct pool_line like; /* its class and kind, by which others lend it theirs */
};

/* The same for a list of rows; `of` (NULL: not wanted) receives what is of each. */
void total_measure_lines(struct total *t, const struct row *const *rows, size_t n,
			 struct total_line *of);

/* What had survived a collection at the last view; all NAN if no view was taken. */
struct total_alive {
	double bytes;
	double undecided; /* of rows without a verdict */
};

void total_alive(struct total_alive *a, const struct rows *rows);
/* Whether so much of it has no verdict that a heap dump is worth its trouble. */
bool total_wants_dump(const struct total_alive *a);

#endif

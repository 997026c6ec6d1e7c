/* SPDX-License-Identifier: Apache-2.0 */
/* diff_private.h - what diff.c, which judges, and diff_estimate.c, which measures, have in common.
 */
#ifndef OJX_DIFF_PRIVATE_H
#define OJX_DIFF_PRIVATE_H

#include "report/diff.h"

/* Of one side's row, at the level of the comparison. NAN: not measured. */
struct diff_estimates {
	struct estimate of[DIFF_MEASURES];
	struct estimate alike; /* largest group of objects equal with what they refer to */
};

extern const struct estimate diff_unmeasured;

/* Allocation samples of a row; NULL has none. */
double diff_samples(const struct row *row);

/* Bytes that a sample of a side stands for, on average; 0 without samples. */
double diff_bytes_per_sample(const struct diff_side *side);

/*
 * Both sides' estimates; one of them has the row at least. `ratio`: bytes that a sample stands for
 * on the old side, in those of the new one. 0, or -1 if out of memory.
 */
int diff_estimate(const struct diff *d, const struct diff_row *row, double ratio,
		  struct diff_estimates *from, struct diff_estimates *to);

/* The sum of an amount over one side's rows: the new side's with `to`. */
struct estimate diff_total(const struct diff *d, enum diff_measure m, bool to);

/* What the headline of a finding is estimated to be. */
struct estimate diff_headline(const struct finding *f, double z);

#endif

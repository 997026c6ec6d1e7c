/* SPDX-License-Identifier: Apache-2.0 */
/* diff_private.h - shared by diff.c, which judges, and diff_estimate.c, which estimates. */
#ifndef OJX_DIFF_PRIVATE_H
#define OJX_DIFF_PRIVATE_H

#include "compare/diff.h"

/* Estimates of one side's row, at the level of the comparison. NAN: not measured. */
struct diff_estimates {
	struct estimate of[DIFF_MEASURES];
	struct estimate alike; /* largest group by deep content */
};

extern const struct estimate diff_unmeasured;

/* Allocation samples of a row; 0 for NULL. */
double diff_samples(const struct row *row);

/* Bytes that a sample of a side stands for, on average; 0 without samples. */
double diff_bytes_per_sample(const struct diff_side *side);

/*
 * Estimates of both sides; at least one has the row. `ratio`: the bytes for which a sample stands
 * on the old side, divided by those on the new side. 0, or -1 if out of memory.
 */
int diff_estimate(const struct diff *d, const struct diff_row *row, double ratio,
		  struct diff_estimates *from, struct diff_estimates *to);

/* The sum of an amount over the rows of one side: the new side if `to`. */
struct estimate diff_total(const struct diff *d, enum diff_measure m, bool to);

/* The estimate of the headline of a finding. */
struct estimate diff_headline(const struct finding *f, double z);

#endif

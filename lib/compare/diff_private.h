/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff_private.h - shared by diff.c, which judges, diff_estimate.c, which estimates, and
 * diff_fix.c, which does both for findings.
 */
#ifndef OJX_DIFF_PRIVATE_H
#define OJX_DIFF_PRIVATE_H

#include "compare/diff.h"

/* Fewer samples on both sides together cannot tell one from the other at any useful level. */
#define DIFF_LEAST_SAMPLES 20

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
 * on the old side, divided by those on the new side.
 */
void diff_estimate(const struct diff *d, const struct diff_row *row, double ratio,
		   struct diff_estimates *from, struct diff_estimates *to);

/* The sum of an amount over the rows of one side: the new side if `to`. */
struct estimate diff_total(const struct diff *d, enum diff_measure m, bool to);

/* The change of an amount, by time if that is asked for; or of a share. */
struct diff_change diff_change_of(const struct diff *d, bool is_share, struct estimate from,
				  struct estimate to);

/* Compares the findings of both sides' rows, which are by line. `confidence`: of all together. */
void diff_fixes_make(struct diff *d, double confidence);
void diff_fixes_release(struct diff *d);

/* The estimate of the headline of a finding. */
struct estimate diff_headline(const struct finding *f, double z);

#endif

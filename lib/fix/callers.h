/* SPDX-License-Identifier: Apache-2.0 */
/*
 * callers.h - who calls a line of code: shares of the bytes that it allocates, by direct caller.
 *
 * A caller is the innermost frame outside the platform beyond the line, and beyond calls of the
 * line's method by itself. If there is none, it is the frame beyond the line; if there is none
 * either, the line is where a thread begins.
 *
 * Stacks of objects that were only counted end at the line. The others are no random part of all: a
 * stack that is known stays whole, and a new one is whole by chance. But the agent knows this
 * chance, p. For each caller, (1 - p) / p times the bytes of the new stacks that were taken whole
 * (wire_callers) have the same expectation as the bytes of those that were not. So two parts are
 * estimated: whole stacks by their bytes; those that end at the line, whose bytes are known, by the
 * shares in these sums. Both are added by their bytes. Their intervals and that of the bytes are
 * Clopper and Pearson's, for the number of equal samples with the same variance, put together as
 * Zou and Donner do. If nothing stands for the second part, it may be of any caller.
 */
#ifndef OJX_CALLERS_H
#define OJX_CALLERS_H

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "stats/bounds.h"

enum { CALLERS_MOST = 8 };

struct caller {
	struct model_frame frame; /* without a method: the line is where a thread begins */
	double share;		  /* of the bytes whose callers are known, or estimated */
	struct bounds_range range;
	uint64_t samples; /* with a stack that tells this caller */
};

struct callers {
	struct caller caller[CALLERS_MOST]; /* the largest ones, largest first */
	size_t n;
	size_t others;	  /* further callers that were seen */
	uint64_t samples; /* with a stack that tells a caller */
	double effective; /* number of equal samples that would tell as much */
	double counted;	  /* share of the bytes with a stack that ends at the line */
};

/* Estimates the callers of the line of these contexts. z: quantile of the intervals. */
void callers_estimate(struct callers *to, const struct model *m,
		      struct model_context *const *contexts, size_t n, double z);

#endif

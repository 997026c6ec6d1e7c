/* SPDX-License-Identifier: Apache-2.0 */
/*
 * callers.h - who calls a line of code: shares of the bytes that it allocates, as a tree.
 *
 * A direct caller is the innermost frame outside the platform beyond the line, and beyond calls of
 * the line's method by itself. If there is none, it is the frame beyond the line; if there is none
 * either, the line is where a thread begins. The callers of a caller are the frames outside the
 * platform that follow. Each method counts where it comes first, so that recursion adds nothing.
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

#include "model/callstack.h"
#include "model/model.h"
#include "stats/bounds.h"

enum { CALLERS_MOST = 8 }; /* direct callers that programs get */

struct caller {
	struct model_frame frame;  /* without a method: the line is where a thread begins */
	double share;		   /* of the bytes whose callers are known, or estimated */
	struct bounds_range range; /* of a direct caller; 0 to 1 for others */
	uint64_t samples;	   /* with a stack that tells this caller */
	size_t first, n;	   /* its own callers in callers.caller, the largest first */
};

struct callers {
	struct caller *caller; /* [0] is the line; then those nearest to it */
	size_t n;
	uint64_t samples; /* with a stack that tells a caller */
	double effective; /* number of equal samples that would tell as much */
	double counted;	  /* share of the bytes with a stack that ends at the line */
};

/*
 * Estimates the callers of the line of these contexts, whose methods are the same: up to `depth`
 * callers of each stack, 1 for direct ones only. z: quantile of the intervals. Release with
 * callers_release.
 */
void callers_estimate(struct callers *to, const struct model *m,
		      struct model_context *const *contexts, size_t n, size_t depth, double z);
void callers_release(struct callers *callers);

/* A stack of an access, and what is counted of it. */
struct callers_stack {
	const struct callstack *stack;
	double weight;
	uint64_t samples;
};

/* The same for the lines of stacks that do not allocate; each sample weighs the same. */
void callers_of_stacks(struct callers *to, const struct callers_stack *stacks, size_t n,
		       size_t depth, double z);

/* The direct callers, the largest first; *n receives their number. */
static inline const struct caller *callers_direct(const struct callers *c, size_t *n)
{
	*n = c->caller[0].n;
	return &c->caller[c->caller[0].first];
}

#endif

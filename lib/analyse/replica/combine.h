/* SPDX-License-Identifier: Apache-2.0 */
/*
 * combine.h - combines the pairs of several sizes, kinds and contexts.
 *
 * Pairs are formed within a cell: the objects of one context, one size and one kind (with or
 * without references). The share k of a cell is the probability that two objects drawn at random
 * from one context of the row are both in it. Then A = sum k A_cell, B likewise, C = 1 - A - B:
 * objects of unequal size are never equal. For one context this is the paper's A (ICSE 2022,
 * equation 5) written out by sizes; k of a size is an unbiased estimate of w^2.
 *
 * Some cells have no pairs. The estimate treats them like the other cells of their kind, and as
 * unequal if the whole kind has no pairs. The lower end assumes that they are unequal, the upper
 * end that they are equal. The same holds for the sizes that the model has merged
 * (MODEL_OTHER_SIZES).
 */
#ifndef OJX_COMBINE_H
#define OJX_COMBINE_H

#include <stdint.h>

#include "analyse/replica/pairing.h"
#include "stats/bounds.h"

/* Sums over the cells of one kind. */
struct combine_kind {
	double all;    /* share of pairs, of all cells */
	double paired; /* the same, of cells with pairs; the following fields are weighted by it */
	double equal, unproven;
	double values;	       /* of equal value; includes `equal` and `unproven` */
	double variance;       /* sum of share^2 / effective pairs */
	double value_variance; /* the same with the effective pairs behind `values` */
};

struct combine {
	struct combine_kind kind[PAIR_KINDS];
	double other;  /* share of pairs within MODEL_OTHER_SIZES */
	double unseen; /* share of pairs of sizes without any observation, of either kind */
	/*
	 * variances of the sums of equal contents and of equal values that come from the estimated
	 * shares of sizes
	 */
	double equal_variance, value_variance;
	double gamma; /* sum over contexts of share times gamma */
	double added; /* sum of the shares of contexts */
	uint64_t nsizes;
	uint64_t pairs, a, b, c; /* numbers of pairs; b includes unproven ones */
};

struct combined {
	double a, b, c; /* estimates; they sum to 1 */
	struct bounds_range a_range, theta_range;
	double gamma; /* upper bound of the largest group; NAN if no context has two objects */
	/* equal value among pairs of one size and unequal contents */
	struct bounds_range alpha_within;
};

/* Adds a context and its pairs. `share` is the context's share of the row's objects. */
void combine_add(struct combine *sum, const struct model_context *c, double share,
		 const struct pairs *pairs);

/* Computes the row's figures; all are NAN if there is no pair. z: see bounds_z. */
void combine_finish(const struct combine *sum, double z, struct combined *to);

/* Share of pairs that are known to have equal content; the other, equal values. */
double combine_sum_equal(const struct combine *sum);
double combine_sum_values(const struct combine *sum);

#endif

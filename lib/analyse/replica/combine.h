/* SPDX-License-Identifier: Apache-2.0 */
/*
 * combine.h - puts the pairs of several sizes, kinds and contexts together.
 *
 * A cell is what pairs are formed of: the objects of one context, one size and one kind (with or
 * without references). Its share k is the probability that two objects drawn at random from
 * one context of the row are both in it. Then A = sum k A_cell, B likewise, C = 1 - A - B: objects
 * of unequal size are never equal. For one context this is the paper's A (ICSE 2022, equation 5)
 * written out by sizes, and k of a size is w^2, estimated without bias.
 *
 * What no pair speaks for: the estimate takes such cells to be as those of their kind that have
 * pairs, and as unequal where the kind has none; the lower end takes them to be unequal, the upper
 * end equal. The same holds for the sizes that the model has put together (MODEL_OTHER_SIZES).
 */
#ifndef OJX_COMBINE_H
#define OJX_COMBINE_H

#include <stdint.h>

#include "analyse/replica/pairing.h"
#include "stats/bounds.h"

/* Sums over the cells of a kind. */
struct combine_kind {
	double all;    /* shares of pairs: of all cells */
	double paired; /* of those with pairs; the following are weighted by it */
	double equal, unproven;
	double values;	       /* of equal value: these two and more */
	double variance;       /* sum of share^2 / effective pairs */
	double value_variance; /* with the effective pairs that `values` rests on */
	/* the same by shares of objects instead of pairs: two objects of one size, not of one
	 * context */
	double objects, objects_paired, objects_equal, objects_unproven, objects_variance;
};

struct combine {
	struct combine_kind kind[PAIR_KINDS];
	double other;  /* share of pairs within MODEL_OTHER_SIZES */
	double unseen; /* share of pairs of sizes of which nothing was observed, whatever their kind
			*/
	double unseen_objects;
	/* of the sums of equal contents and of equal values, since the shares of sizes are
	 * estimates, too */
	double equal_variance, value_variance;
	double gamma; /* sum over contexts of share times gamma */
	double added; /* shares of contexts */
	uint64_t nsizes;
	uint64_t pairs, a, b, c; /* plain counts; b includes what is unproven */
};

struct combined {
	double a, b, c; /* estimates; sum is 1 */
	struct bounds_range a_range, theta_range;
	double gamma; /* upper bound of the largest group, NAN where no context has two objects */
	/* among pairs of one size: equal content, by objects; and equal value among unequal
	 * contents */
	struct bounds_range within, alpha_within;
};

/*
 * Adds a context and its pairs. `share` is its share of the row's objects. 0, or -1 where
 * memory lacks.
 */
int combine_add(struct combine *sum, const struct model_context *c, double share,
		const struct pairs *pairs);

/* The row's figures; all NAN where there is no pair. z: see bounds_z. */
void combine_finish(const struct combine *sum, double z, struct combined *to);

#endif

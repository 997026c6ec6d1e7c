/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pairing.h - random disjoint pairs of a context's observed objects, and what their comparison
 * says.
 *
 * Pairs are of one size, span the whole run, and no object is in two of them: pairs that share an
 * object are dependent, and intervals would be too narrow. A reference is an address, good until
 * the next GC, so that content that holds one is compared within its epoch only. Uses are compared
 * at the same position, looks at a random slot. docs/method.md says why this is fair.
 *
 * Where a size has objects with references and objects without, pairs are of three kinds, and each
 * kind is formed and counted by itself: were pairs drawn first and incomparable ones discarded,
 * those without references would be left over and speak for all.
 */
#ifndef OJX_PAIRING_H
#define OJX_PAIRING_H

#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "model/model.h"

enum pair_kind {
	PAIR_PLAIN, /* neither holds references: from anywhere in the run */
	PAIR_MIXED, /* one does: unequal by definition, from one epoch for the sake of the value */
	PAIR_REFS,  /* both do: from one epoch */
};
#define PAIR_KINDS 3

enum pair_outcome {
	PAIR_EQUAL,    /* A: equal content */
	PAIR_UNPROVEN, /* counted as B: equal as far as looked, but not all of the content was */
	PAIR_ALIKE,    /* B: equal value, unequal content */
	PAIR_DIFFERENT /* C: unequal value */
};

struct pair {
	uint32_t first, second; /* indices into the context's uses or looks */
	uint32_t array_length;
	uint8_t kind, outcome;
	double weight; /* > 0: pairs of objects it stands for, up to a factor common to its size and
			  kind */
	/*
	 * The same for what is said of values: positions count by their bytes, however often they
	 * were used. It is not for contents, of which each pair tells equally much wherever it was
	 * formed.
	 */
	double value_weight;
	/*
	 * Where values were compared, if it is one of many positions: then those that there are
	 * pairs of are a sample, too, and pairs of one position, which follow each other, tell less
	 * than others. 0: all positions are compared.
	 */
	uint32_t spot;
};

/* The observations of one size. */
struct pair_size {
	uint32_t array_length;
	uint32_t observed;
	double weight;		  /* objects they stand for */
	double share[PAIR_KINDS]; /* of all pairs of this size; sums to 1 */
};

struct pairs {
	struct pair *pair; /* by extent, then kind */
	size_t n;
	struct pair_size *sizes; /* by extent; also those without a pair */
	size_t nsizes;
};

/*
 * Pairs a context's uses, or its looks. 0, or -1 where memory lacks. The result is released with
 * pairs_release. Same evidence, same state of `rng`: same pairs.
 */
int pairing_uses(struct pairs *pairs, const struct model_context *c, struct rng *rng);
int pairing_snapshots(struct pairs *pairs, const struct model_context *c, struct rng *rng);
void pairs_release(struct pairs *pairs);

/* How many positions the content of objects of this extent has; `nslots` of them are at hand. */
uint64_t pairing_positions(const struct model_class *class, uint32_t array_length, uint32_t nslots);

#endif

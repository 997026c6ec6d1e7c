/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pairing.h - forms random disjoint pairs of a context's observed objects, and compares them.
 *
 * Both objects of a pair have the same size; pairs span the whole run; no object is in two pairs.
 * Pairs that share an object would be dependent, and intervals too narrow. A reference is an
 * address, which is valid until the next GC, so contents with references are compared only within
 * their epoch. Uses are compared at the same position, snapshots at a random slot. docs/method.md
 * explains why this is fair.
 *
 * If a size has objects with and without references, pairs are of three kinds, and each kind is
 * formed and counted separately. If pairs were drawn first and incomparable ones discarded, pairs
 * without references would remain and speak for all.
 */
#ifndef OJX_PAIRING_H
#define OJX_PAIRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "model/model.h"

enum pair_kind {
	PAIR_PLAIN, /* neither object holds references; from the whole run */
	PAIR_MIXED, /* one does: unequal by definition; from one epoch, for the sake of the value */
	PAIR_REFS,  /* both do; from one epoch */
};
#define PAIR_KINDS 3

enum pair_outcome {
	PAIR_EQUAL,    /* A: equal content */
	PAIR_UNPROVEN, /* counts as B: equal as far as known, but contents are not complete */
	PAIR_ALIKE,    /* B: equal value, unequal content */
	PAIR_DIFFERENT /* C: unequal value */
};

struct pair {
	uint32_t first, second; /* indices into the context's uses or snapshots */
	uint32_t array_length;
	uint8_t kind, outcome;
	/* > 0: pairs of objects that it stands for, up to a factor common to its size and kind */
	double weight;
	/*
	 * The weight for values: positions count by their bytes, however often they were used. Not
	 * for contents, about which each pair tells equally much at any position.
	 */
	double value_weight;
	/*
	 * The position where values were compared, if it is one of many. Then the positions that
	 * have pairs are a sample, too, and pairs of one position, which are consecutive, are
	 * correlated. 0: all positions are compared.
	 */
	uint32_t spot;
};

/* The observations of one size. */
struct pair_size {
	uint32_t array_length;
	uint32_t observed;
	double weight;		  /* objects that they stand for */
	double share[PAIR_KINDS]; /* of the kinds among all pairs of this size; sums to 1 */
};

struct pairs {
	struct pair *pair; /* by array length, then kind */
	size_t n;
	struct pair_size *sizes; /* by array length; includes sizes without a pair */
	size_t nsizes;
};

/*
 * Pair a context's uses, or its snapshots. Release the result with pairs_release. The same evidence
 * and the same state of `rng` give the same pairs.
 */
void pairing_uses(struct pairs *pairs, const struct model_context *c, struct rng *rng);
void pairing_snapshots(struct pairs *pairs, const struct model_context *c, struct rng *rng);
void pairs_release(struct pairs *pairs);

/*
 * Number of positions in the content of objects of this array length; `nslots` of them are
 * recorded.
 */
uint64_t pairing_positions(const struct model_class *class, uint32_t array_length, uint32_t nslots);

/* ---- shared by pairs of uses and pairs of snapshots. */

struct item {
	uint64_t place;	 /* position; 0 for snapshots */
	uint64_t random; /* order within a block */
	double weight;
	uint32_t array_length, process, epoch, index;
	uint8_t kind; /* the kind of pair that it is used for */
	bool refs;
};

/* By size, then by index. */
void pairing_sort_by_length(struct item *items, size_t n);

/* Forms random disjoint pairs of comparable items; reorders `items`. */
void pairing_make(struct pairs *pairs, struct item *items, size_t n, struct rng *rng);

/*
 * Sets the outcome of a comparison. If only one object holds a reference, contents are never equal,
 * whatever the hashes are.
 */
void pairing_set_outcome(struct pair *p, enum pair_outcome outcome);

#endif

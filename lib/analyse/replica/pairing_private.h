/* SPDX-License-Identifier: Apache-2.0 */
/* pairing_private.h - shared by pairs of uses and pairs of snapshots. */
#ifndef OJX_PAIRING_PRIVATE_H
#define OJX_PAIRING_PRIVATE_H

#include <stdbool.h>

#include "analyse/replica/pairing.h"

struct item {
	uint64_t place;	 /* position; 0 for snapshots */
	uint64_t random; /* order within a block */
	double weight;
	uint32_t array_length, epoch, index;
	uint8_t kind; /* the kind of pair that it is used for */
	bool refs;
};

/* By size, then by index. */
void pairing_sort_by_length(struct item *items, size_t n);

/* Forms random disjoint pairs of comparable items; reorders `items`. 0, or -1 if out of memory. */
int pairing_make(struct pairs *pairs, struct item *items, size_t n, struct rng *rng);

/*
 * Sets the outcome of a comparison. If only one object holds a reference, contents are never equal,
 * whatever the hashes are.
 */
void pairing_set_outcome(struct pair *p, enum pair_outcome outcome);

#endif

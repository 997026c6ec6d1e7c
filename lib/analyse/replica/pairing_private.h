/* SPDX-License-Identifier: Apache-2.0 */
/* pairing_private.h - what pairs of uses and pairs of looks have in common. */
#ifndef OJX_PAIRING_PRIVATE_H
#define OJX_PAIRING_PRIVATE_H

#include <stdbool.h>

#include "analyse/replica/pairing.h"

struct item {
	uint64_t place;	 /* position; 0 for looks */
	uint64_t random; /* order within a block */
	double weight;
	uint32_t array_length, epoch, index;
	uint8_t kind; /* of the pairs it is meant for */
	bool refs;
};

/* By size, then by index. */
void pairing_sort_extents(struct item *items, size_t n);

/* Random disjoint pairs of what may be compared; `items` are put into another order. 0, or -1 where
 * memory lacks. */
int pairing_make(struct pairs *pairs, struct item *items, size_t n, struct rng *rng);

/* What a comparison said, unless one object holds a reference where the other holds none, whatever
 * the hashes say. */
void pairing_set_outcome(struct pair *p, enum pair_outcome outcome);

#endif

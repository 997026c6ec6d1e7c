/* SPDX-License-Identifier: Apache-2.0 */
/*
 * differing_fields.h - finds the few positions in which objects differ.
 *
 * A pair of snapshots compares all slots of two objects at once, so it tells in which slots they
 * differ. If a small set of slots were ignored, all pairs that differ in nothing else would be
 * equal. That is the effect of splitting the object, or of hoisting its constant part. Equality at
 * single positions cannot tell this: ten fields that are each equal in 90 % of the pairs may differ
 * all at once, or one at a time.
 */
#ifndef OJX_DIFFERING_FIELDS_H
#define OJX_DIFFERING_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyse/replica/replica_result.h"

struct differing_pair {
	uint64_t positions; /* of the content */
	double weight;
	uint32_t differ; /* bit k: slot k differs */
	uint8_t nslots;	 /* number of slots compared */
	bool equal;	 /* whole contents are equal */
};

struct differing_fields {
	struct differing_pair *pairs;
	size_t n, room;
};

/* 0, or -1 if out of memory. Release with differing_release. */
int differing_add(struct differing_fields *a, const struct differing_pair *pair);
void differing_release(struct differing_fields *a);

/*
 * Finds the set. Objects with at most WIRE_SLOTS positions are compared whole and count together.
 * Of larger objects, only the size with most weight is used, since the slots of another size are
 * other positions. `array`: elements are shown as ranges, so more of them still count as few.
 */
void differing_find(const struct differing_fields *a, bool array, struct replica_differing *found);

#endif

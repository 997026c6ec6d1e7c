/* SPDX-License-Identifier: Apache-2.0 */
/*
 * differing_fields.h - the few positions that keep objects apart.
 *
 * A pair of looks compares all slots of two objects at once, so that it tells not only that they
 * differ but in what. If the slots of a small set were ignored, the pairs that differ in nothing
 * else would be equal: that is what splitting the object, or hoisting its constant part, would
 * give. Equality at single positions cannot tell that: ten fields that are each equal in 90 % of
 * the pairs may differ all at once, or one at a time.
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
	uint32_t differ; /* bit k: slot k does */
	uint8_t nslots;	 /* compared */
	bool equal;	 /* the whole contents are */
};

struct differing_fields {
	struct differing_pair *pairs;
	size_t n, room;
};

/* 0, or -1 where memory lacks. Release with differing_release. */
int differing_add(struct differing_fields *a, const struct differing_pair *pair);
void differing_release(struct differing_fields *a);

/*
 * Finds the set. What has at most WIRE_SLOTS positions is compared whole, and goes together. Of
 * longer contents those of one size stand for all, the size with most weight: slots of another are
 * other positions. `array`: its elements are told by ranges, so that more of them are still few.
 */
void differing_find(const struct differing_fields *a, bool array, struct replica_apart *found);

#endif

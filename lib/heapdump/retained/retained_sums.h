/* SPDX-License-Identifier: Apache-2.0 */
/*
 * retained_sums.h - what goes if all objects of a class go, or all that a field refers to. An
 * object below another one of the same class or field counts with that one, once.
 */
#ifndef OJX_RETAINED_SUMS_H
#define OJX_RETAINED_SUMS_H

#include "heapdump/retained/retained.h"

/* The objects of a class, or those that objects with a field alone keep by it. */
struct retained_of {
	uint64_t objects, bytes; /* bytes: all that goes */
	uint64_t own;		 /* of the objects themselves */
	/* while it is computed: of those that lead to the object that is looked at */
	uint32_t open;
};

struct retained_sums {
	struct retained_of *class; /* of each group of m->classes */
	struct retained_of *field; /* of each field; of transparent classes (owners.h) nothing */
	/* the objects below each number: the first, and the next one of each */
	uint32_t *first, *next;
};

void retained_sums_make(struct retained_sums *s, const struct retained *r);
void retained_sums_release(struct retained_sums *s);

/* The object right below `x` that keeps the most; HEAP_NONE: there is none. */
uint32_t retained_largest_below(const struct retained_sums *s, const struct retained *r,
				uint32_t x);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wasteful.h - objects that hold little for their size: empty and small collections, boxed numbers,
 * arrays of which most is unused. An object counts once: what belongs to a collection counts there,
 * and what merging frees does not count here.
 */
#ifndef OJX_WASTEFUL_H
#define OJX_WASTEFUL_H

#include "heapdump/merge.h"

enum wasteful_kind {
	WASTEFUL_EMPTY,	 /* collections */
	WASTEFUL_ONE,	 /* collections of one element */
	WASTEFUL_BOXED,	 /* numbers */
	WASTEFUL_NULLS,	 /* arrays of objects, more than half of them null */
	WASTEFUL_ZEROES, /* arrays of numbers, all of them zero */
	WASTEFUL_TAIL,	 /* arrays of numbers, more than half of them zeroes at the end */
	WASTEFUL_KINDS,
};

struct wasteful {
	enum wasteful_kind kind;
	uint32_t group; /* of m->classes */
	uint64_t objects, bytes;
	uint64_t wasted; /* bytes: of collections and boxes all that they are, not what they hold */
};

const char *wasteful_name(enum wasteful_kind kind);

/* Whether it is java.lang.Integer, say. */
bool wasteful_is_box(const char *class);

/* All of a heap, allocated, *n of them. */
struct wasteful *wasteful_find(const struct merge *m, const struct heap *h, size_t *n);

#endif

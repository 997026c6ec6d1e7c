/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cut.h - a heap without some of its references; which of them are soft, or hold nothing.
 */
#ifndef OJX_CUT_H
#define OJX_CUT_H

#include "heapdump/heap.h"

/* References that are taken out of a heap, and put back. */
struct cut_edge {
	uint32_t from, edge, to;
};
struct cut {
	struct cut_edge *item;
	size_t n, room;
};
/* Takes those out that a function names: of a class a slot, or HEAP_NONE. */
void cut_slots(struct cut *c, struct heap *h, uint32_t (*slot_of)(const struct heap *, uint32_t));
/* Those of weak, phantom and final references to their referents. */
void cut_weak(struct cut *c, struct heap *h);
/* Puts them back; takes the same ones out again. */
void cut_undo(const struct cut *c, struct heap *h);
void cut_again(const struct cut *c, struct heap *h);
void cut_release(struct cut *c);

/* How the `referent` of a subclass of Reference holds what it refers to. */
enum strength { STRENGTH_STRONG, STRENGTH_SOFT, STRENGTH_WEAK, STRENGTHS };
struct referent {
	uint32_t slot; /* of the class; HEAP_NONE: it has none */
	enum strength strength;
	const char *name; /* "phantom"; NULL of one that is strong */
};
struct referent cut_referent(const struct heap *h, uint32_t class);

#endif

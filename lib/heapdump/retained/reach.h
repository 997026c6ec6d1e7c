/* SPDX-License-Identifier: Apache-2.0 */
/* reach.h - what is reached from some objects of a heap, or from its roots. */
#ifndef OJX_REACH_H
#define OJX_REACH_H

#include "heapdump/heap.h"

struct retained_sum {
	uint64_t objects, bytes;
};

struct reach {
	const struct heap *h;
	struct graph graph;
	unsigned char *has_more;
	unsigned char *seen; /* a bit for each object that was reached */
	uint32_t *next;	     /* what was reached, and was not gone on from yet */
	size_t n, room;
};

/* The graph of a heap; `*has_more`, allocated, belongs to it. */
struct graph reach_graph(const struct heap *h, unsigned char **has_more);

/* Nothing is reached yet. Release it. */
void reach_begin(struct reach *r, const struct heap *h);
void reach_release(struct reach *r);

/* Reaches an object, if it was not. */
void reach_object(struct reach *r, uint32_t x);
void reach_roots(struct reach *r);
/* Goes on from an object that was reached to all that it references. HEAP_NONE: none is left. */
uint32_t reach_next(struct reach *r);
/* Goes on from all, and adds them up. */
struct retained_sum reach_all(struct reach *r);

#endif

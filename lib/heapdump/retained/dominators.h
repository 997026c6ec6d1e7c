/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dominators.h - which object alone keeps which others: object d dominates x if each way from a
 * root to x leads through d. The closest one is above x in a tree, below the roots.
 */
#ifndef OJX_DOMINATORS_H
#define OJX_DOMINATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A reference that is not among those of its object. */
struct graph_more {
	uint32_t from, to;
};

struct graph {
	uint32_t n;		       /* objects, at most INT32_MAX - 1 */
	const uint32_t *edge;	       /* n + 1: where the references of each object begin */
	const uint32_t *to;	       /* objects, or PARTITION_NULL */
	const unsigned char *root;     /* a bit for each object that a root leads to */
	const unsigned char *apart;    /* a bit for each object that is left out; NULL: none */
	const struct graph_more *more; /* by `from` */
	size_t nmore;
	const unsigned char *has_more; /* a bit for each object that has some; NULL: none has */
};

/* A place among the references of an object. */
struct graph_step {
	uint32_t object, next;
};
/* The next object that is referenced and not left out, or PARTITION_NULL: there are no more. */
uint32_t graph_next(const struct graph *g, struct graph_step *step);

/* Objects that roots lead to, in the order of a walk in depth, from 1; 0 stands for all roots. */
struct dominators {
	uint32_t n;	  /* of them */
	uint32_t *number; /* of each object; 0: none leads there, or it is left out */
	uint32_t *object; /* of each number; none of 0 */
	uint32_t *above;  /* of each number: that of the closest object that dominates it */
};

/* Release it. If out of memory, it ends as xmalloc.h says. */
void dominators_make(struct dominators *d, const struct graph *g);
void dominators_release(struct dominators *d);

#endif

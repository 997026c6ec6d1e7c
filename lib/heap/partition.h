/* SPDX-License-Identifier: Apache-2.0 */
/*
 * partition.h - which objects of a graph are equal.
 *
 * Equal objects have equal contents (`own`: class, length, primitive values) and, position by
 * position, references to equal objects. The partition is the coarsest one that has this property,
 * so two rings of equal objects are equal, too. docs/heap.md tells how it is found.
 */
#ifndef OJX_PARTITION_H
#define OJX_PARTITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PARTITION_NULL UINT32_MAX /* a reference to nothing */

enum { PARTITION_OBJECTS_MAX = INT32_MAX - 1 };

struct partition_graph {
	uint32_t n;	      /* objects, at most PARTITION_OBJECTS_MAX */
	uint64_t *own;	      /* a hash of the content of each; overwritten */
	const uint32_t *edge; /* n + 1: where the references of each object begin */
	const uint32_t *to;   /* objects that are referenced, or PARTITION_NULL */
	/* a bit for each object that is equal to none but itself; its references do not matter */
	const unsigned char *apart;
};

static inline bool partition_is_apart(const struct partition_graph *g, uint32_t x)
{
	return g->apart[x / 8] >> (x % 8) & 1;
}

/* Blocks are the sets of equal objects. */
struct partition {
	uint32_t *block;	  /* of each object */
	uint32_t nblocks, cyclic; /* the last ones: of objects that reach a cycle */
};

/*
 * Finds the partition. It rests on 64-bit hashes; whoever has the contents can check it, and try
 * again with another seed. 0, or -1 if out of memory. Release in any case.
 */
int partition_make(struct partition *p, const struct partition_graph *g, uint64_t seed);
void partition_release(struct partition *p);

#endif

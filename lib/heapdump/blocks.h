/* SPDX-License-Identifier: Apache-2.0 */
/* blocks.h - a graph of objects, and its blocks: sets of equal objects. */
#ifndef OJX_BLOCKS_H
#define OJX_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heapdump/bits.h"

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
	return bits_has(g->apart, x);
}

struct partition {
	uint32_t *block;	  /* of each object */
	uint32_t nblocks, cyclic; /* the last ones: of objects that reach a cycle */
};

#endif

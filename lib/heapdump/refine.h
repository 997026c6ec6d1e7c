/* SPDX-License-Identifier: Apache-2.0 */
/* refine.h - part of partition.c: the objects that reach a cycle. */
#ifndef OJX_REFINE_H
#define OJX_REFINE_H

#include "heapdump/blocks.h"

/*
 * Splits objects into blocks. `object` are n objects; block[object[i]] is REFINE_CYCLIC | i. All
 * other objects have their final blocks, of which there are p->nblocks. own[object[i]] is a hash
 * of all but the references to objects of this sort.
 */
#define REFINE_CYCLIC (1u << 31)
void refine(struct partition *p, const struct partition_graph *g, const uint32_t *object,
	    uint32_t n, uint64_t seed);

/* What a reference to block `block` adds to the hash of the object that has it at `position`. */
uint64_t refine_mix(uint64_t seed, uint32_t position, uint32_t block);

#endif

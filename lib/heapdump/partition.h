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

#include "heapdump/blocks.h"

/*
 * Finds the partition. It rests on 64-bit hashes; whoever has the contents can check it, and try
 * again with another seed.
 */
void partition_make(struct partition *p, const struct partition_graph *g, uint64_t seed);
void partition_release(struct partition *p);

#endif

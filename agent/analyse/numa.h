/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numa.h - NUMA: which node a processor belongs to, and which one has a page.
 *
 * It knows nothing of the JVM, and is told where the machine's description is and how to ask for
 * pages, so that it can be tested with another machine than this one.
 */
#ifndef OJX_NUMA_H
#define OJX_NUMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NODES_CPUS 4096
#define NODES_ROOT "/sys/devices/system/node"

struct numa {
	unsigned n;		    /* nodes that have processors or memory */
	int16_t of_cpu[NODES_CPUS]; /* -1: not known */
};

/* Reads the machine's description below `root`. Without one there is a single node, which has all
 * processors. */
void numa_read(struct numa *nodes, const char *root);

/* The node of a processor; -1 where it is not known. */
int16_t numa_of_cpu(const struct numa *nodes, int cpu);

/* Fills in the node of each page, or a negative errno; as move_pages(2) does. 0, or -1 with errno.
 */
typedef long numa_query(size_t n, void *const *pages, int *status);
numa_query numa_ask_kernel;

/* The nodes of n pages by `query`; -1 where one is not there. False where the query is not
 * permitted. */
bool numa_of_pages(numa_query *query, size_t n, void *const *pages, int16_t *node);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numa.h - NUMA: the nodes of processors and of pages.
 *
 * It knows nothing of the JVM. The caller says where the machine's description is and how to query
 * pages, so that tests can use another machine.
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
	int16_t of_cpu[NODES_CPUS]; /* -1: unknown */
};

/*
 * Reads the machine's description below `root`; at start. If it is missing, a single node has all
 * processors.
 */
void numa_read(struct numa *nodes, const char *root);

/* [handler] The node of a processor; -1 if unknown. */
int16_t numa_of_cpu(const struct numa *nodes, int cpu);

/*
 * Stores the node of each page, or a negative errno, as move_pages(2) does. Returns 0, or -1 with
 * errno.
 */
typedef long numa_query(size_t n, void *const *pages, int *status);
numa_query numa_ask_kernel;

/*
 * The nodes of n pages by `query`; -1 for a page without a node. False if the query is not
 * permitted.
 */
bool numa_of_pages(numa_query *query, size_t n, void *const *pages, int16_t *node);

#endif

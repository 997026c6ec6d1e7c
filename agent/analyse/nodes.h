/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nodes.h - NUMA: which node a processor belongs to, and which one has a page.
 *
 * It knows nothing of the JVM, and is told where the machine's description is and how to ask for
 * pages, so that it can be tested with another machine than this one.
 */
#ifndef OJX_NODES_H
#define OJX_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NODES_CPUS 4096
#define NODES_ROOT "/sys/devices/system/node"

struct nodes {
	unsigned n;		    /* nodes that have processors or memory */
	int16_t of_cpu[NODES_CPUS]; /* -1: not known */
};

/* Reads the machine's description below `root`. Without one there is a single node, which has all
 * processors. */
void nodes_read(struct nodes *nodes, const char *root);

/* The node of a processor; -1 where it is not known. */
int16_t nodes_of_cpu(const struct nodes *nodes, int cpu);

/* Fills in the node of each page, or a negative errno; as move_pages(2) does. 0, or -1 with errno.
 */
typedef long nodes_query(size_t n, void *const *pages, int *status);
nodes_query nodes_ask_kernel;

/* The nodes of n pages by `query`; -1 where one is not there. False where the query is not
 * permitted. */
bool nodes_of_pages(nodes_query *query, size_t n, void *const *pages, int16_t *node);

#endif

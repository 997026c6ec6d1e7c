/* SPDX-License-Identifier: Apache-2.0 */
/* numa.c - see numa.h. move_pages without target nodes only reports the nodes of pages. */
#define _GNU_SOURCE
#include "analyse/numa.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGES 256
#define PATH  512

/* Parses a list of processors such as "0-3,8,10-11". */
static void take_list(struct numa *nodes, const char *list, int16_t node)
{
	while (*list) {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;
		if (end == list)
			return;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (unsigned long cpu = first; cpu <= last && cpu < NODES_CPUS; cpu++)
			nodes->of_cpu[cpu] = node;
		list = *end == ',' ? end + 1 : end;
	}
}

static void take_node(struct numa *nodes, const char *root, const char *name)
{
	char path[PATH], list[4096] = "";
	long node = strtol(name + 4, NULL, 10);

	snprintf(path, sizeof path, "%s/%s/cpulist", root, name);
	FILE *in = fopen(path, "re");
	if (!in)
		return;
	nodes->n++;
	if (node < INT16_MAX && fgets(list, sizeof list, in))
		take_list(nodes, list, (int16_t)node);
	fclose(in);
}

void numa_read(struct numa *nodes, const char *root)
{
	DIR *dir = opendir(root);
	const struct dirent *entry;

	nodes->n = 0;
	memset(nodes->of_cpu, -1, sizeof nodes->of_cpu);
	while (dir && (entry = readdir(dir)))
		if (strncmp(entry->d_name, "node", 4) == 0 && entry->d_name[4] >= '0' &&
		    entry->d_name[4] <= '9')
			take_node(nodes, root, entry->d_name);
	if (dir)
		closedir(dir);
	if (nodes->n > 0)
		return;
	nodes->n = 1;
	memset(nodes->of_cpu, 0, sizeof nodes->of_cpu);
}

int16_t numa_of_cpu(const struct numa *nodes, int cpu)
{
	return cpu >= 0 && cpu < NODES_CPUS ? nodes->of_cpu[cpu] : -1;
}

long numa_ask_kernel(size_t n, void *const *pages, int *status)
{
	return syscall(SYS_move_pages, 0, n, pages, NULL, status, 0);
}

bool numa_of_pages(numa_query *query, size_t n, void *const *pages, int16_t *node)
{
	int status[PAGES];

	for (size_t done = 0; done < n;) {
		size_t some = n - done < PAGES ? n - done : PAGES;
		bool good = query(some, pages + done, status) == 0;
		if (!good && (errno == EPERM || errno == ENOSYS || errno == EACCES))
			return false;
		for (size_t i = 0; i < some; i++)
			node[done + i] = (int16_t)(good && status[i] >= 0 && status[i] < INT16_MAX
							   ? status[i]
							   : -1);
		done += some;
	}
	return true;
}

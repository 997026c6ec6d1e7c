/* SPDX-License-Identifier: Apache-2.0 */
/* The agent's view of NUMA nodes, on an invented machine. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "agent/analyse/numa.c"

static char root[] = "/tmp/ojx-nodes.XXXXXX";

static void add_node(const char *name, const char *cpus)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", root, name);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/%s/cpulist", root, name);
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fputs(cpus, out);
	fclose(out);
}

static void remove_node(const char *name)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s/cpulist", root, name);
	unlink(path);
	snprintf(path, sizeof path, "%s/%s", root, name);
	rmdir(path);
}

static void test_machine(void **state)
{
	struct numa *n = calloc(1, sizeof *n);

	(void)state;
	assert_non_null(mkdtemp(root));
	add_node("node0", "0-3,8\n");
	add_node("node1", "4-7,9-10\n");
	add_node("node2", "\n"); /* a node without processors */
	add_node("nodes", "11\n");
	numa_read(n, root);
	assert_int_equal(n->n, 3);
	for (int cpu = 0; cpu <= 10; cpu++)
		assert_int_equal(numa_of_cpu(n, cpu), cpu >= 4 && cpu != 8);
	assert_int_equal(numa_of_cpu(n, 11), -1);
	assert_int_equal(numa_of_cpu(n, -1), -1);
	assert_int_equal(numa_of_cpu(n, NODES_CPUS), -1);
	remove_node("node0");
	remove_node("node1");
	remove_node("node2");
	remove_node("nodes");
	/* a machine without this information has one node */
	numa_read(n, root);
	assert_int_equal(n->n, 1);
	assert_int_equal(numa_of_cpu(n, 5), 0);
	rmdir(root);
	numa_read(n, root);
	assert_int_equal(n->n, 1);
	free(n);
}

/* Pages at even addresses are on node 1, at odd ones on node 0; there is none at 13. */
static long made_up(size_t n, void *const *pages, int *status)
{
	for (size_t i = 0; i < n; i++)
		status[i] = (uintptr_t)pages[i] == 13 ? -ENOENT : (uintptr_t)pages[i] % 2 == 0;
	return 0;
}

static long forbidden(size_t n, void *const *pages, int *status)
{
	(void)n;
	(void)pages;
	(void)status;
	errno = EPERM;
	return -1;
}

static void test_pages(void **state)
{
	enum { N = 3 * PAGES + 5 };
	static void *pages[N];
	static int16_t node[N];

	(void)state;
	for (uintptr_t i = 0; i < N; i++)
		pages[i] = (void *)i;
	assert_true(numa_of_pages(made_up, N, pages, node));
	for (int i = 0; i < N; i++)
		assert_int_equal(node[i], i == 13 ? -1 : i % 2 == 0);
	assert_false(numa_of_pages(forbidden, N, pages, node));
}

/* A page of this machine is where the kernel says, unless the kernel must not be asked. */
static void test_kernel(void **state)
{
	static _Alignas(4096) volatile char page[4096];
	void *pages[] = { (void *)page };
	int16_t node = -1;

	(void)state;
	page[0] = 1;
	if (!numa_of_pages(numa_ask_kernel, 1, pages, &node))
		skip();
	assert_true(node >= 0);
}

int unit_numa(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_pages),
		cmocka_unit_test(test_kernel),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

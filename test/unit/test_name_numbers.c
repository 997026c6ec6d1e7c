/* SPDX-License-Identifier: Apache-2.0 */
/* test_name_numbers.c - thread numbers, however many names there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "agent/core/name_numbers.c"

static int setup(void **state)
{
	*state = calloc(1, sizeof(struct name_numbers));
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static uint32_t number(struct name_numbers *n, const char *format, int i)
{
	char name[64];

	snprintf(name, sizeof name, format, i); /* NOLINT: all are literals */
	return name_numbers_get(n, name);
}

static void test_few(void **state)
{
	struct name_numbers *n = *state;

	assert_int_equal(name_numbers_get(n, "main"), 1);
	assert_int_equal(name_numbers_get(n, "pool-1-thread-1"), 2);
	assert_int_equal(name_numbers_get(n, "pool-1-thread-2"), 3);
	assert_int_equal(name_numbers_get(n, ""), 4);
	assert_int_equal(name_numbers_get(n, "main"), 1);
	assert_int_equal(n->last, 4);
	assert_string_equal(n->name[2], "pool-1-thread-1");
}

static void test_pools(void **state)
{
	struct name_numbers *n = *state;

	for (int i = 1; i <= NAMEFOLD_WHOLE; i++)
		assert_int_equal(number(n, "pool-1-thread-%d", i), i);
	/* the rest of the pool; earlier members keep their numbers */
	assert_int_equal(number(n, "pool-1-thread-%d", 1000), NAMEFOLD_WHOLE + 1);
	assert_string_equal(n->name[n->last], "pool-1-thread-*");
	for (int i = 1001; i <= 3000; i++)
		assert_int_equal(number(n, "pool-1-thread-%d", i), NAMEFOLD_WHOLE + 1);
	assert_int_equal(number(n, "pool-1-thread-%d", 7), 7);
	/* only the last digits are folded: pools stay distinct as long as there are not too many */
	assert_int_equal(number(n, "pool-%d-thread-1", 2), NAMEFOLD_WHOLE + 2);
	assert_int_equal(number(n, "exec %d end", 5), NAMEFOLD_WHOLE + 3);
	assert_string_equal(n->name[n->last], "exec * end");
	assert_int_equal(number(n, "later", 0), NAMEFOLD_WHOLE + 4);
}

static void test_many(void **state)
{
	struct name_numbers *n = *state;
	uint32_t all = 0;

	for (int i = 0; i < 5000; i++) {
		uint32_t is = number(n, "p%d-t1", i);
		assert_true(is > 0 && is < WIRE_THREADS);
		if (i >= NAMEFOLD_LAST)
			assert_int_equal(is, all ? all : (all = is));
	}
	assert_string_equal(n->name[all], "p*-t*");
	for (int i = 0; i < 500; i++) {
		char name[2] = { (char)(i % 200 + 34), '\0' };
		assert_true(name_numbers_get(n, name) < WIRE_THREADS);
	}
	assert_int_equal(n->last, WIRE_THREADS - 1);
	assert_int_equal(name_numbers_get(n, "one more"), 0);
}

static void test_long(void **state)
{
	struct name_numbers *n = *state;
	char name[1000];

	memset(name, '1', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	assert_int_equal(name_numbers_get(n, name), 1);
	assert_int_equal(strlen(n->name[1]), WIRE_THREAD_NAME);
	for (int i = 0; i < 2 * WIRE_THREADS; i++) {
		name[0] = (char)('A' + i % 26);
		name[1] = (char)('A' + i / 26);
		name_numbers_get(n, name);
	}
	assert_int_equal(n->last, WIRE_THREADS - 1);
	assert_string_equal(n->name[n->last] + 2, "*");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int unit_name_numbers(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_few),
		TEST(test_pools),
		TEST(test_many),
		TEST(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_sort.c - sort.h sorts, and equal items keep their order, however many there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/sort.h"

struct item {
	uint32_t key, place;
};

static int compare(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

SORT_DEFINE(sort_items, struct item, compare)

/* Sorts n items of `kinds` different keys. */
static void assert_sorts(size_t n, uint32_t kinds)
{
	struct item *item = calloc(n + 1, sizeof *item);
	struct rng rng = { n * kinds };
	uint64_t before = 0, after = 0;

	assert_non_null(item);
	for (uint32_t i = 0; i < n; i++) {
		item[i] = (struct item){ (uint32_t)(rng_next(&rng) % kinds), i };
		before += rng_mix((uint64_t)item[i].key << 32 | i);
	}
	sort_items(item, n);
	for (size_t i = 0; i < n; i++) {
		after += rng_mix((uint64_t)item[i].key << 32 | item[i].place);
		if (i > 0 && item[i - 1].key == item[i].key)
			assert_true(item[i - 1].place < item[i].place);
		else if (i > 0)
			assert_true(item[i - 1].key < item[i].key);
	}
	assert_int_equal(before, after); /* they are the same items */
	free(item);
}

static void test_sizes(void **state)
{
	(void)state;
	for (size_t n = 0; n < 5 * SORT_FEW; n++)
		for (uint32_t kinds = 1; kinds < 1000; kinds *= 4)
			assert_sorts(n, kinds);
	for (size_t n = 1000; n < 10000; n += 997)
		assert_sorts(n, (uint32_t)n);
}

int unit_sort(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

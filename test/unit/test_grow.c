/* SPDX-License-Identifier: Apache-2.0 */
/* test_grow.c - arrays that grow by one element after the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/grow.h"

static void test_room(void **state)
{
	uint32_t *item = NULL, room = 0, want = 0;

	(void)state;
	for (uint32_t n = 0; n < 100; n++) {
		if (n == want)
			want = want ? 2 * want : 3;
		assert_true(GROW(item, n, room, 3));
		assert_int_equal(room, want);
		item[n] = n * n;
	}
	for (uint32_t n = 0; n < 100; n++)
		assert_int_equal(item[n], n * n);
	free(item);
}

/* Two arrays have one room: the first of them gets its own by a copy of it. */
static void test_two_arrays(void **state)
{
	char *first = NULL;
	double *second = NULL;
	size_t room = 0;

	(void)state;
	for (size_t n = 0; n < 10; n++) {
		size_t same = room;
		assert_true(GROW(first, n, same, 1));
		assert_true(GROW(second, n, room, 1));
		assert_int_equal(same, room);
		first[n] = (char)n;
		second[n] = (double)n;
	}
	assert_int_equal(room, 16);
	for (size_t n = 0; n < 10; n++)
		assert_true(first[n] == (char)n && second[n] == (double)n);
	free(first);
	free(second);
}

int unit_grow(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_two_arrays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

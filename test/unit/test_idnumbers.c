/* SPDX-License-Identifier: Apache-2.0 */
/* idnumbers.h: ids are found under the number they were put with, others are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/idnumbers.h"

enum { MANY = 5000 };

/* Different for different n, 0 and the largest id among them. */
static uint32_t id_of(uint32_t n, uint32_t step)
{
	return UINT32_MAX + n * step;
}

static void check_step(uint32_t step)
{
	struct idnumbers map = { .slots = NULL };
	uint32_t number;

	assert_false(idnumbers_get(&map, 0, &number));
	for (uint32_t n = 0; n < MANY; n++) {
		assert_false(idnumbers_get(&map, id_of(n, step), &number));
		assert_int_equal(idnumbers_put(&map, id_of(n, step), 7 * n), 0);
	}
	assert_int_equal(map.count, MANY);
	for (uint32_t n = 0; n < MANY; n++) {
		assert_true(idnumbers_get(&map, id_of(n, step), &number));
		assert_int_equal(number, 7 * n);
	}
	for (uint32_t n = MANY; n < 2 * MANY; n++)
		assert_false(idnumbers_get(&map, id_of(n, step), &number));
	idnumbers_release(&map);
	assert_null(map.slots);
}

static void test_all_are_found(void **state)
{
	(void)state;
	check_step(1);
	check_step(8);
	check_step(1 << 16 | 1);
}

static void test_largest_number(void **state)
{
	struct idnumbers map = { .slots = NULL };
	uint32_t number;

	(void)state;
	assert_int_equal(idnumbers_put(&map, 5, UINT32_MAX - 1), 0);
	assert_true(idnumbers_get(&map, 5, &number));
	assert_int_equal(number, UINT32_MAX - 1);
	idnumbers_release(&map);
}

int unit_idnumbers(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_are_found),
		cmocka_unit_test(test_largest_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

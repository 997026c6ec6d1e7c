/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the agent fits into what limits of memory leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "agent/core/room.h"

#define MB (1ull << 20)

static const char status[] = "Name:\tjava\nVmPeak:\t  500000 kB\nVmSize:\t  409600 kB\n"
			     "VmRSS:\t   60000 kB\nVmData:\t  102400 kB\n";

static void test_addresses(void **state)
{
	const rlim_t far[] = { 4096 * MB, RLIM_INFINITY }, near[] = { 500 * MB, RLIM_INFINITY },
		     passed[] = { 300 * MB, RLIM_INFINITY };
	struct room r;

	(void)state;
	assert_true(room_fits_in(status, far, &r));
	assert_false(room_fits_in(status, near, &r));
	assert_int_equal(r.limit, RLIMIT_AS);
	assert_int_equal(r.left, 100 * MB);
	assert_true(r.need > r.left);
	assert_false(room_fits_in(status, passed, &r));
	assert_int_equal(r.left, 0);
	/* what fits exactly */
	const rlim_t just[] = { 400 * MB + r.need, RLIM_INFINITY },
		     short_by_one[] = { 400 * MB + r.need - 1, RLIM_INFINITY };
	assert_true(room_fits_in(status, just, &r));
	assert_false(room_fits_in(status, short_by_one, &r));
}

static void test_data(void **state)
{
	const rlim_t far[] = { 4096 * MB, 1024 * MB }, near[] = { 4096 * MB, 150 * MB };
	struct room r;

	(void)state;
	assert_true(room_fits_in(status, far, &r));
	assert_false(room_fits_in(status, near, &r));
	assert_int_equal(r.limit, RLIMIT_DATA);
	assert_int_equal(r.left, 50 * MB);
}

static void test_nothing_known(void **state)
{
	const rlim_t none[] = { RLIM_INFINITY, RLIM_INFINITY }, near[] = { MB, MB };
	struct room r;

	(void)state;
	assert_true(room_fits_in(status, none, &r));
	assert_true(room_fits_in("", near, &r));
}

int unit_room(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_nothing_known),
	};

	return cmocka_run_group_tests_name("room", tests, NULL, NULL);
}

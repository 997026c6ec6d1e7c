/* SPDX-License-Identifier: Apache-2.0 */
/* test_packed.c - arrays of numbers of 1 to 8 bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "heapdump/packed.h"

enum { N = 1000 };

/* Numbers set in any order are what they were set to, up to the largest. */
static void numbers_of_each_width(void **state)
{
	(void)state;
	for (unsigned bits = 1; bits <= 64; bits++) {
		uint64_t most = UINT64_MAX >> (64 - bits);
		struct packed p;
		packed_make(&p, N, most);
		assert_int_equal(p.width, (bits + 7) / 8);
		for (size_t i = 0; i < N; i++)
			packed_set(&p, i * 7 % N, rng_mix(i * 7 % N) & most);
		packed_set(&p, N - 1, most);
		for (size_t i = 0; i + 1 < N; i++)
			assert_true(packed_get(&p, i) == (rng_mix(i) & most));
		assert_true(packed_get(&p, N - 1) == most);
		free(p.bytes);
	}
}

static void none(void **state)
{
	struct packed p;

	(void)state;
	packed_make(&p, 0, 0);
	free(p.bytes);
}

int unit_packed(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_each_width),
		cmocka_unit_test(none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

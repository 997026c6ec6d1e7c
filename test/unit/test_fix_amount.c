/* SPDX-License-Identifier: Apache-2.0 */
/* test_fix_amount.c - how many bytes a fix avoids, by what is known of its objects. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fix_fixture.h"
#include "report/fix_amount.h"

/* Of arrays that are mostly of length 0, only these are avoided, though the others are larger. */
static void test_empty_and_large(void **state)
{
	struct fixture *f = *state;

	f->length = 0;
	uint32_t id = ALLOCATE(f, "[B", 950, OWN);
	build_count(&f->b, id, 10000, 10016, 50, 50);
	assert_fix(find(f), "empty-array", ADVICE_CERTAIN, 950);
	assert_float_equal(f->fixes.bytes, 950 * SIZE + 50 * 10016, 1e-6);
}

int unit_fix_amount(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_empty_and_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Large objects of G1 are held without a reference, if there is room and their region is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "agent/core/state.h"
#include "agent/hotspot/g1_regions.h"
#include "agent/hotspot/humongous.h"

enum { SIZE = 1 << 20, REGIONS = 5000, HUMONGOUS = 4, FREE = 0 };

extern struct agent ojx; /* of test_blocks.c */
static uint32_t types[REGIONS];

/* ---- a heap of regions that begin at SIZE ------------------------------------------------- */

bool g1_regions_init(const struct vmstructs *vm)
{
	(void)vm;
	return true;
}

uintptr_t g1_regions_size(void)
{
	return SIZE;
}

bool g1_regions_find(uintptr_t at, struct g1_region *r)
{
	uintptr_t index = at / SIZE - 1;

	if (index >= REGIONS || types[index] == FREE)
		return false;
	*r = (struct g1_region){ .bottom = at / SIZE * SIZE,
				 .type = types[index],
				 .type_at = (uintptr_t)&types[index] };
	return true;
}

static uintptr_t object(uintptr_t region)
{
	return (region + 1) * SIZE;
}

/* ---- tests -------------------------------------------------------------------------------- */

static int setup(void **state)
{
	(void)state;
	strcpy(ojx.gc, "G1");
	for (size_t i = 0; i < REGIONS; i++)
		types[i] = HUMONGOUS;
	return humongous_init(NULL) ? 0 : -1;
}

static uintptr_t address_in(jweak handle)
{
	return *(uintptr_t *)handle;
}

/* The largest that is not humongous is half a region. */
static void test_size(void **state)
{
	(void)state;
	assert_false(humongous_is(SIZE / 2));
	assert_true(humongous_is(SIZE / 2 + 1));
}

/* A slot has the address of its object until a pause finds something else in the region. */
static void test_held(void **state)
{
	bool lacks = true;
	jweak handle = humongous_hold(object(7), &lacks);

	(void)state;
	assert_non_null(handle);
	assert_false(lacks);
	assert_true(humongous_has(handle));
	assert_int_equal(address_in(handle), object(7));
	humongous_clear();
	assert_int_equal(address_in(handle), object(7));
	types[7] = FREE;
	humongous_clear();
	assert_int_equal(address_in(handle), 0);
	humongous_release(handle);
}

/* Of an object that is not where its region begins, or of an unknown region, room is no matter. */
static void test_unknown(void **state)
{
	bool lacks = true;

	(void)state;
	types[8] = FREE;
	assert_null(humongous_hold(object(8), &lacks));
	assert_false(lacks);
	lacks = true;
	assert_null(humongous_hold(object(9) + 64, &lacks));
	assert_false(lacks);
}

/* Room is lacking once all slots are taken, and is there again when one is released. */
static void test_full(void **state)
{
	static jweak handles[REGIONS];
	bool lacks = false;
	size_t n = 0;

	(void)state;
	while (n < REGIONS && (handles[n] = humongous_hold(object(n), &lacks)))
		n++;
	assert_in_range(n, 1, REGIONS - 1);
	assert_true(lacks);
	types[n] = FREE;
	assert_null(humongous_hold(object(n), &lacks)); /* also when it is full */
	assert_false(lacks);
	humongous_release(handles[n / 2]);
	handles[n / 2] = humongous_hold(object(n + 1), &lacks);
	assert_non_null(handles[n / 2]);
	assert_false(lacks);
	for (size_t i = 0; i < n; i++)
		humongous_release(handles[i]);
}

int unit_humongous(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_size, setup),
		cmocka_unit_test_setup(test_held, setup),
		cmocka_unit_test_setup(test_unknown, setup),
		cmocka_unit_test_setup(test_full, setup),
	};

	return cmocka_run_group_tests_name("humongous", tests, NULL, NULL);
}

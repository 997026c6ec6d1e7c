/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of a recording: what was measured, and the whole. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/cost.h"
#include "wire/wire.h"

#include "model_fixture.h"

#define MS 1000000u

static const struct {
	const char *what;
	struct file_status one, two; /* of two JVMs */
	double measured, whole;	     /* percent */
} rows[] = {
	{ "nothing was done", { .cpu_ns = 1000 * MS }, { .cpu_ns = 0 }, 0, 0 },
	{ "each part counts once",
	  { .cpu_ns = 1000 * MS,
	    .callback_ns = 1 * MS,
	    .trap_ns = 2 * MS,
	    .service_ns = 3 * MS,
	    .tool_ns = 4 * MS },
	  { .cpu_ns = 0 },
	  1,
	  WIRE_COST_TIMES },
	{ "counted samples are among the callbacks",
	  { .cpu_ns = 1000 * MS, .callback_ns = 10 * MS, .counted_ns = 4 * MS },
	  { .cpu_ns = 0 },
	  1,
	  WIRE_COST_TIMES },
	{ "the VM's part of a sample",
	  { .cpu_ns = 1000 * MS, .sampled = 1000, .counted = 900 },
	  { .cpu_ns = 0 },
	  0,
	  WIRE_COST_SAMPLE_NS * 1000 / (1000 * MS) * 100 },
	{ "ticks were measured with their caches",
	  { .cpu_ns = 1000 * MS, .trap_ns = 10 * MS, .tick_ns = 6 * MS },
	  { .cpu_ns = 0 },
	  1,
	  0.6 + 0.4 * WIRE_COST_TIMES },
	{ "no more ticks than traps",
	  { .cpu_ns = 1000 * MS, .trap_ns = 10 * MS, .tick_ns = 60 * MS },
	  { .cpu_ns = 0 },
	  1,
	  1 },
	{ "pauses are of the time, and take no more than they took",
	  { .cpu_ns = 4000 * MS, .wall_ns = 1000 * MS, .pause_ns = 5 * MS },
	  { .cpu_ns = 0 },
	  0.5,
	  0.5 },
	{ "two JVMs are one program",
	  { .cpu_ns = 3000 * MS, .callback_ns = 10 * MS },
	  { .cpu_ns = 1000 * MS, .callback_ns = 30 * MS },
	  1,
	  WIRE_COST_TIMES },
};

static void test_cost(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		void *of_row;
		assert_int_equal(setup(&of_row), 0);
		struct fixture *f = of_row;
		build_status(&f->b, &rows[i].one);
		feed(f, 1);
		build_status(&f->b, &rows[i].two);
		feed(f, 2);
		struct cost cost = cost_of(f->m);
		if (!(fabs(cost.measured - rows[i].measured) < 1e-9 &&
		      fabs(cost.whole - rows[i].whole) < 1e-9))
			fail_msg("%s: %g and %g, not %g and %g", rows[i].what, cost.measured,
				 cost.whole, rows[i].measured, rows[i].whole);
		teardown(&of_row);
	}
}

static void test_not_measured(void **state)
{
	struct fixture *f = *state;

	assert_true(isnan(cost_of(f->m).measured) && isnan(cost_of(f->m).whole));
	build_status(&f->b, &(struct file_status){ .callback_ns = 1 });
	feed(f, 1);
	assert_true(isnan(cost_of(f->m).measured) && isnan(cost_of(f->m).whole));
}

/* What no clock sees is added: the whole is never less than what was measured. */
static void test_whole_is_more(void **state)
{
	(void)state;
	assert_true(WIRE_COST_TIMES >= 1 && WIRE_COST_SAMPLE_NS >= 0);
}

int unit_cost(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cost),
		cmocka_unit_test_setup_teardown(test_not_measured, setup, teardown),
		cmocka_unit_test(test_whole_is_more),
	};

	return cmocka_run_group_tests_name("cost", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_stability_contents.c - objects that are alike only at the end of their life must not be
 * called replicas.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "analyse/replica/replica.h"
#include "analyse/replica/stability_contents.h"
#include "objects.h"
#include "programs.h"

static struct replica_options options = PROGRAM_OPTIONS;

/*
 * Objects with `snapshots` snapshots that end as `end`; the first `uses` were seen in use as `used
 * + i * step`.
 */
static void objects_of(struct objects *o, int snapshots, uint64_t end, int uses, uint64_t used,
		       uint64_t step, uint16_t use_flags)
{
	objects_init(o, 1, 1);
	objects_allocate(o, 0, 24, (uint64_t)snapshots, snapshots);
	for (int i = 0; i < snapshots; i++) {
		struct object x = object_of(end);
		x.weight = 1;
		objects_snapshot(o, &x);
	}
	for (int i = 0; i < uses; i++) {
		struct object x = object_of(used + (uint64_t)i * step);
		x.weight = 1;
		x.flags = use_flags;
		objects_use(o, &x, 1, 0);
	}
}

static void a_cursor_run_to_its_end(void **state)
{
	struct objects o;

	(void)state;
	objects_of(&o, 200, 7, 12, 1000, 1, WIRE_REFS);
	objects_may_change(&o);
	struct replica row = row_of(&o, &options);
	assert_int_equal(row.own.verdict, VERDICT_ALIKE);
	assert_true(row.lasting == 0);
	assert_true(row.own.largest > 0.99); /* nevertheless what was seen is shown */
	assert_true(row.own.saved_bytes < 1);
	replica_release(&row);
	objects_release(&o);
}

static void a_constant(void **state)
{
	struct objects o;

	(void)state;
	objects_of(&o, 200, 7, 12, 7, 0, 0);
	struct replica row = row_of(&o, &options);
	assert_int_equal(row.own.verdict, VERDICT_REPLICA);
	assert_true(row.lasting == 1);
	assert_true(row.own.saved_bytes > 0);
	replica_release(&row);
	objects_release(&o);
}

static void counts(void **state)
{
	struct objects o;
	struct model_context *c = &o.context;
	struct stability_contents l;

	(void)state;
	objects_of(&o, 50, 7, 4, 7, 1, 0); /* used as 7, 8, 9, 10 */
	stability_contents_count(&l, &c, 1);
	assert_int_equal(l.uses, 4);
	assert_int_equal(l.lasted, 1);
	struct bounds_range r = stability_contents_range(&l, 1.96);
	assert_true(r.low > 0 && r.low < 0.25 && r.high > 0.25 && r.high < 1);
	objects_release(&o);
}

static void too_few_snapshots_say_nothing(void **state)
{
	struct objects o;
	struct model_context *c = &o.context;
	struct stability_contents l;

	(void)state;
	objects_of(&o, 5, 7, 4, 9, 1, 0);
	stability_contents_count(&l, &c, 1);
	assert_int_equal(l.uses, 0);
	assert_true(isnan(stability_contents_range(&l, 1.96).low));
	objects_release(&o);
}

/* A use found by a sampled access may have come after the snapshot. */
static void uses_by_samples_say_nothing(void **state)
{
	struct objects o;
	struct model_context *c = &o.context;
	struct stability_contents l;

	(void)state;
	objects_of(&o, 50, 7, 40, 9, 1, WIRE_SAMPLED);
	stability_contents_count(&l, &c, 1);
	assert_int_equal(l.uses, 0);
	objects_release(&o);
}

int unit_stability_contents(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cursor_run_to_its_end),
		cmocka_unit_test(a_constant),
		cmocka_unit_test(counts),
		cmocka_unit_test(too_few_snapshots_say_nothing),
		cmocka_unit_test(uses_by_samples_say_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

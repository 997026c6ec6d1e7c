/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_differing_fields.c - the few positions in which objects differ; the truth is known by
 * construction.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "analyse/replica/breakdown.h"
#include "programs.h"

static void add(struct differing_fields *a, uint64_t positions, uint32_t differ, double weight)
{
	struct differing_pair pair = {
		.positions = positions,
		.weight = weight,
		.differ = differ,
		.nslots = (uint8_t)wire_slots(positions),
		.equal = differ == 0,
	};

	differing_add(a, &pair);
}

static struct replica_differing find(struct differing_fields *a, bool array)
{
	struct replica_differing found;

	differing_find(a, array, &found);
	differing_release(a);
	return found;
}

static void nothing(void **state)
{
	struct differing_fields a = { 0 };
	struct replica_differing found = find(&a, false);

	(void)state;
	assert_int_equal(found.pairs, 0);
	assert_int_equal(found.slots, 0);
	for (int i = 0; i < 20; i++)
		add(&a, 8, 0, 1);
	found = find(&a, false);
	assert_int_equal(found.pairs, 20);
	assert_int_equal(found.unequal, 0);
	assert_int_equal(found.slots, 0);
	assert_true(found.equal == 1 && found.without == 1 && isnan(found.differing));
}

/* By weight, not by number. */
static void a_counter(void **state)
{
	struct differing_fields a = { 0 };

	(void)state;
	for (int i = 0; i < 30; i++)
		add(&a, 8, i % 3 == 0 ? 0 : 1 << 5, i % 3 == 0 ? 4 : 1);
	struct replica_differing found = find(&a, false);
	assert_int_equal(found.slots, 1 << 5);
	assert_int_equal(found.unequal, 20);
	assert_int_equal(found.compared, 8);
	assert_true(fabs(found.equal - 40.0 / 60) < 1e-12);
	assert_true(found.without == 1);
	assert_true(fabs(found.differing - 1.0 / 8) < 1e-12);
}

/* Neither of the two explains a pair alone. */
static void two_that_go_together(void **state)
{
	struct differing_fields a = { 0 };

	(void)state;
	for (int i = 0; i < 95; i++)
		add(&a, 12, 0x41, 1);
	for (int i = 0; i < 5; i++)
		add(&a, 12, 0xfbe, 1); /* all others */
	struct replica_differing found = find(&a, false);
	assert_int_equal(found.slots, 0x41);
	assert_true(fabs(found.without - 0.95) < 1e-12);
	assert_true(found.equal == 0);
}

/* If four fields are enough to explain everything, four are named, even if three explain most. */
static void few_are_all_named(void **state)
{
	struct differing_fields a = { 0 };

	(void)state;
	for (int i = 0; i < 97; i++)
		add(&a, 20, 0x7, 1);
	add(&a, 20, 0x8, 1);
	struct replica_differing found = find(&a, false);
	assert_int_equal(found.slots, 0xf);
	assert_true(found.without == 1);
}

/* More than half of the fields are not few; nor is the only field. */
static void no_few(void **state)
{
	struct differing_fields a = { 0 };

	(void)state;
	for (int i = 0; i < 40; i++)
		add(&a, 6, 0xf, 1);
	struct replica_differing found = find(&a, false);
	assert_int_equal(found.slots, 0);
	assert_true(found.without == found.equal);

	for (int i = 0; i < 40; i++)
		add(&a, 1, 1, 1);
	found = find(&a, false);
	assert_int_equal(found.slots, 0);

	/* each pair in one of twenty */
	for (int i = 0; i < 400; i++)
		add(&a, 20, UINT32_C(1) << i % 20, 1);
	found = find(&a, false);
	assert_int_equal(found.slots, 0);
	assert_true(fabs(found.differing - 1.0 / 20) < 1e-12);
}

/* Elements are shown as ranges, so many of them may be few. */
static void ranges_of_an_array(void **state)
{
	struct differing_fields a = { 0 };

	(void)state;
	for (int i = 0; i < 40; i++)
		add(&a, 16, i & 1 ? 0xf0 : 0x50, 1);
	struct replica_differing found = find(&a, true);
	assert_int_equal(found.slots, 0xf0);
	assert_true(found.without == 1);
}

/*
 * Slots of unequal lengths are other positions: the heaviest length is used. Short lengths go
 * together.
 */
static void lengths(void **state)
{
	struct differing_fields a = { 0 };

	(void)state;
	for (int i = 0; i < 40; i++)
		add(&a, i & 1 ? 1000 : 2000, i & 1 ? 2 : 4, i & 1 ? 2 : 1);
	struct replica_differing found = find(&a, true);
	assert_int_equal(found.slots, 2);
	assert_int_equal(found.positions, 1000);
	assert_int_equal(found.compared, WIRE_SLOTS);
	assert_int_equal(found.pairs, 20);

	for (int i = 0; i < 40; i++)
		add(&a, i & 1 ? 10 : 20, 2, 1);
	found = find(&a, true);
	assert_int_equal(found.pairs, 40);
	assert_int_equal(found.slots, 2);
	assert_int_equal(found.compared, 20);
}

/* A difference elsewhere is not explained by any slot. */
static void unseen(void **state)
{
	struct differing_fields a = { 0 };
	struct differing_pair elsewhere = { .positions = 1024, .weight = 1, .nslots = 32 };

	(void)state;
	for (int i = 0; i < 40; i++)
		differing_add(&a, &elsewhere);
	add(&a, 1024, 1, 1);
	struct replica_differing found = find(&a, true);
	assert_int_equal(found.slots, 0);
	assert_int_equal(found.unequal, 41);
	assert_true(fabs(found.unseen - 40.0 / 41) < 1e-12);
}

/* ---- from objects -------------------------------------------------------------------------- */

static struct object counter(size_t i, size_t n, struct rng *rng)
{
	struct object o = object_of(7);

	(void)n;
	(void)rng;
	o.values[5] = i;
	return o;
}

static struct object hash_and_value(size_t i, size_t n, struct rng *rng)
{
	struct object o = object_of(7);

	(void)i;
	(void)n;
	o.values[1] = o.values[6] = 1 + rng_below(rng, 4);
	return o;
}

static void of_a_row(void **state)
{
	(void)state;
	struct replica row = row_of_snapshots(counter, 8, 400, 1);
	assert_int_equal(row.details->fields_source, REPLICA_SCAN);
	assert_int_equal(row.details->differing.slots, 1 << 5);
	assert_true(row.details->differing.equal == 0 && row.details->differing.without == 1);
	assert_int_equal(row.own.verdict, VERDICT_PARTIAL);
	assert_true(row.details->fields[5].share == 0 && row.details->fields[4].share == 1);
	replica_release(&row);

	row = row_of_snapshots(hash_and_value, 8, 4000, 1);
	assert_int_equal(row.details->differing.slots, 1 << 1 | 1 << 6);
	assert_true(row.details->differing.without == 1);
	assert_true(fabs(row.details->differing.equal - 0.25) < 5 * sqrt(0.25 * 0.75 / 2000));
	assert_true(fabs(row.details->fields[1].share - 0.25) < 5 * sqrt(0.25 * 0.75 / 2000));
	replica_release(&row);

	row = row_of_snapshots(one_element_differs, 0, 400, 1);
	assert_int_equal(row.details->differing.slots, 0);
	assert_true(row.details->differing.unseen == 1);
	replica_release(&row);
}

/* Light objects are all equal, heavy ones differ in one field: shares use the weights. */
static void weights(void **state)
{
	struct objects o;
	const struct replica_options options = PROGRAM_OPTIONS;

	(void)state;
	objects_init(&o, 4, 1);
	objects_allocate(&o, 0, 32, 400, 200 * 1000.0 + 200 * 3000.0);
	for (size_t i = 0; i < 400; i++) {
		struct object object = object_of(7);
		object.epoch = i < 200 ? 1 : 2;
		object.flags = WIRE_REFS; /* pairs are formed within an epoch */
		object.weight = i < 200 ? 1000 : 3000;
		object.values[2] = i < 200 ? 0 : i;
		objects_snapshot(&o, &object);
	}
	struct replica row = row_of(&o, &options);
	assert_int_equal(row.details->differing.slots, 1 << 2);
	assert_true(fabs(row.details->differing.equal - 0.25) < 1e-9);
	assert_true(fabs(row.details->fields[2].share - 0.25) < 1e-9);
	assert_int_equal(row.details->fields[2].equal * 2, row.details->fields[2].pairs);
	replica_release(&row);
	objects_release(&o);
}

/*
 * Snapshots tell about fields even if the pairs are those of uses; but not if the objects change.
 */
static void source_of_fields(void **state)
{
	const struct replica_options options = PROGRAM_OPTIONS;
	struct rng rng = { 1 };
	struct objects o;

	(void)state;
	objects_init(&o, 8, 1);
	program_use(&o, counter, 4000, &rng);
	struct replica row = row_of(&o, &options);
	assert_int_equal(row.details->fields_source, REPLICA_WATCH);
	assert_int_equal(row.details->differing.pairs, 0);
	replica_release(&row);
	program_snapshot(&o, counter, 400, &rng);
	row = row_of(&o, &options);
	assert_int_equal(row.source, REPLICA_WATCH);
	assert_int_equal(row.details->fields_source, REPLICA_SCAN);
	replica_release(&row);
	objects_release(&o);

	objects_init(&o, 8, 1);
	program_use(&o, counter, 4000, &rng);
	program_snapshot(&o, all_same, 400, &rng);
	row = row_of(&o, &options);
	assert_int_equal(row.details->fields_source, REPLICA_WATCH);
	assert_int_equal(row.details->fields[5].equal, 0);
	replica_release(&row);
	objects_release(&o);
}

int unit_differing_fields(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing),
		cmocka_unit_test(a_counter),
		cmocka_unit_test(two_that_go_together),
		cmocka_unit_test(few_are_all_named),
		cmocka_unit_test(no_few),
		cmocka_unit_test(ranges_of_an_array),
		cmocka_unit_test(lengths),
		cmocka_unit_test(unseen),
		cmocka_unit_test(of_a_row),
		cmocka_unit_test(weights),
		cmocka_unit_test(source_of_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

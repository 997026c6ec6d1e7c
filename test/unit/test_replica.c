/* SPDX-License-Identifier: Apache-2.0 */
/* test_replica.c - from evidence with known truth to the figures of a row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "programs.h"

static const struct replica_options defaults = PROGRAM_OPTIONS;

/* ---- figures ------------------------------------------------------------------------------- */

static void figures_of_the_paper(void **state)
{
	(void)state;
	struct replica row = row_of_snapshots(all_same, 4, 200, 1);
	assert_true(row.a == 100 && row.b == 0 && row.c == 0);
	assert_true(row.theta == 1 && isnan(row.alpha) && row.omega == 1 && row.identical == 1);
	assert_true(row.gamma == 1);
	assert_true(fabs(row.objects - 200000) < 1e-6);
	replica_release(&row);

	row = row_of_snapshots(three_quarters, 4, 8000, 1);
	assert_true(row.identical == (double)row.a / 4000);
	assert_true(row.theta == row.identical && row.alpha == 0);
	assert_true(fabs(row.identical - 0.5625) < 5 * sqrt(0.5625 * 0.4375 / 4000));
	assert_true(row.identical <= row.gamma && fabs(row.gamma - sqrt(row.identical)) < 1e-6);
	replica_release(&row);

	row = row_of_snapshots(one_element_differs, 0, 2000, 1);
	assert_true(row.a == 0 && row.theta > 0.98 && row.alpha > 0.98 && row.identical == 0);
	assert_true(row.omega < 0.01);
	replica_release(&row);
}

/* Arrays of the same length are all equal, but two of any lengths only once in a hundred. */
static void many_lengths(void **state)
{
	(void)state;
	for (size_t n = 400; n <= 8000; n *= 2) {
		struct replica row = row_of_snapshots(hundred_lengths, 0, n, n);
		assert_true(fabs(row.identical - 0.01) < 0.002);
		assert_true(row.identical_ci.low <= 0.0101 && row.identical_ci.high >= 0.0099);
		assert_true(row.identical_ci.low > 0.003 && row.identical_ci.high < 0.03);
		assert_true(row.gamma >= 0.01 && row.gamma < 0.2);
		replica_release(&row);
	}
	/* few pairs of many lengths: hardly anything is known, except that little is equal */
	struct replica row = row_of_snapshots(thousand_lengths_same, 0, 300, 1);
	assert_true(row.identical < 0.005 && row.identical_ci.high < 0.01);
	assert_true(row.theta == row.identical);
	replica_release(&row);
}

/* Lengths that the model merged may be equal or not. */
static void other_lengths(void **state)
{
	struct rng rng = { 1 };
	struct objects o;

	(void)state;
	objects_init(&o, 0, 1);
	program_snapshot(&o, all_same, 1000, &rng);
	objects_allocate(&o, MODEL_OTHER_SIZES, 100, 1000, 1e6);
	struct replica row = row_of(&o, &defaults);
	assert_true(fabs(row.identical - 0.25) < 0.01);
	assert_true(row.identical_ci.low < 0.25 && row.identical_ci.high > 0.5);
	replica_release(&row);
	objects_release(&o);
}

static void weights_count(void **state)
{
	(void)state;
	/* (16/17)^2 = 0.886; half of the samples are distinct */
	struct replica row = row_of_snapshots(changing, 4, 8000, 1);
	assert_true(fabs(row.identical - 256.0 / 289) < 0.03);
	assert_true(fabs(row.own.largest - 16.0 / 17) < 0.01);
	assert_true(row.identical_ci.low < 256.0 / 289 && row.identical_ci.high > 256.0 / 289);
	assert_int_equal(row.own.verdict, VERDICT_REPLICA);
	assert_true(row.own.saved_bytes < 16.0 / 17 * row.bytes);
	assert_true(row.own.saved_bytes > 0.92 * row.bytes);
	replica_release(&row);
}

/* Two of the three pairs of an epoch; so few do not tell the epoch's groups. */
static void few_samples_an_epoch(void **state)
{
	(void)state;
	struct replica row = row_of_snapshots(thin_references, 4, 6000, 1);
	assert_int_equal(row.pairs, 2000);
	assert_true(fabs(row.identical - 0.81) < 5 * sqrt(0.81 * 0.19 / 2000));
	assert_true(isnan(row.own.largest) && isnan(row.own.distinct));
	/* the commonest content of each epoch has more than half of it */
	assert_int_equal(row.own.verdict, VERDICT_REPLICA);
	replica_release(&row);
}

static void never_proven(void **state)
{
	(void)state;
	struct replica row = row_of_snapshots(large_unproven, 0, 1000, 1);
	assert_true(row.a == 0 && row.b == 500);
	assert_true(row.identical == 0 && row.identical_ci.low == 0 && row.identical_ci.high == 1);
	assert_true(row.theta == 1 && row.gamma == 1 && isnan(row.own.largest));
	assert_true(row.own.saved_bytes == 0);
	assert_int_equal(row.own.verdict, VERDICT_PARTIAL);
	replica_release(&row);
}

/* ---- sources ------------------------------------------------------------------------------- */

static void sources(void **state)
{
	struct rng rng = { 1 };
	struct objects o;

	(void)state;
	objects_init(&o, 4, 1);
	program_use(&o, all_same, 200, &rng);
	program_snapshot(&o, all_distinct, 1000, &rng);
	struct replica row = row_of(&o, &defaults);
	assert_int_equal(row.source, REPLICA_WATCH);
	assert_int_equal(row.a, row.pairs);
	assert_string_equal(replica_source_name(row.source), "watch");
	/* equal when used, unequal at the end: they cannot be shared */
	assert_int_equal(row.own.verdict, VERDICT_DISTINCT);
	assert_true(row.own.saved_bytes == 0);
	replica_release(&row);

	struct replica_options many = defaults;
	many.min_pairs = 300;
	row = row_of(&o, &many);
	assert_int_equal(row.source, REPLICA_SCAN);
	assert_int_equal(row.c, 500);
	assert_string_equal(replica_source_name(row.source), "scan");
	replica_release(&row);
	objects_release(&o);
	assert_null(replica_source_name(REPLICA_NONE));
}

/* Cleared at the end of life: equal then, but not when used. */
static void unequal_when_used(void **state)
{
	struct rng rng = { 1 };
	struct objects o;

	(void)state;
	objects_init(&o, 4, 1);
	program_use(&o, all_distinct, 2000, &rng);
	program_snapshot(&o, all_same, 2000, &rng);
	struct replica row = row_of(&o, &defaults);
	assert_int_equal(row.source, REPLICA_WATCH);
	assert_true(row.identical == 0 && row.own.largest == 1);
	assert_int_equal(row.own.verdict, VERDICT_DISTINCT);
	assert_true(row.own.saved_bytes < 0.02 * row.bytes);
	replica_release(&row);
	objects_release(&o);
}

/* Without snapshots, or with hardly any, the contents at uses tell how many there are. */
static void uses_alone(void **state)
{
	struct rng rng = { 1 };
	struct objects o;

	(void)state;
	struct replica groups = row_of_uses(hundred_groups, 2000, 1);
	assert_int_equal(groups.own.verdict, VERDICT_FEW_VALUES);
	replica_release(&groups);
	objects_init(&o, 4, 1);
	program_use(&o, all_distinct, 2000, &rng);
	program_snapshot(&o, all_distinct, 5, &rng);
	struct replica row = row_of(&o, &defaults);
	assert_int_equal(row.own.verdict, VERDICT_DISTINCT);
	replica_release(&row);
	objects_release(&o);
}

/* 250 contents: few snapshots miss most of those that were used, which says nothing about these. */
static void few_snapshots_of_many_contents(void **state)
{
	struct rng rng = { 1 };
	struct objects o;

	(void)state;
	objects_init(&o, 4, 1);
	program_use(&o, many_groups, 4000, &rng);
	program_snapshot(&o, many_groups, 62, &rng);
	struct replica row = row_of(&o, &defaults);
	assert_int_not_equal(row.own.verdict, VERDICT_DISTINCT);
	replica_release(&row);
	objects_release(&o);

	objects_init(&o, 4, 1);
	program_use(&o, many_groups, 4000, &rng);
	program_snapshot(&o, many_groups, 2000, &rng);
	row = row_of(&o, &defaults);
	assert_int_equal(row.own.verdict, VERDICT_FEW_VALUES);
	replica_release(&row);
	objects_release(&o);
}

/* A field that is seldom used counts by its bytes for theta, and not at all for equal contents. */
static void fields_by_their_bytes(void **state)
{
	struct objects o;

	(void)state;
	objects_init(&o, 2, 1);
	for (int i = 0; i < 2200; i++) {
		struct object object = { .weight = 1 };
		object.values[0] = 7;
		object.values[1] = i % 2 ? 8 : 1000 + i;
		objects_use(&o, &object, 0, i % 11 == 0);
	}
	struct replica row = row_of(&o, &defaults);
	assert_int_equal(row.details->fields[0].pairs, 1000);
	assert_int_equal(row.details->fields[1].pairs, 100);
	/* (1 + 1/4) / 2 and 1/4; unweighted, theta would be 0.93 */
	assert_true(fabs(row.theta - 0.625) < 0.1);
	assert_true(fabs(row.identical - 0.25) < 0.06);
	/* the effective number is about 400 pairs, not 1100 */
	assert_true(row.theta_ci.low <= 0.625 && 0.625 <= row.theta_ci.high);
	assert_true(row.theta_ci.high - row.theta_ci.low > 0.09);
	assert_true(row.identical_ci.high - row.identical_ci.low < 0.06);
	replica_release(&row);
	objects_release(&o);
}

static void fields_and_accesses(void **state)
{
	struct rng rng = { 1 };
	struct objects o;
	uint64_t sum = 0;

	(void)state;
	objects_init(&o, 4, 1);
	program_use(&o, one_field_differs, 4000, &rng);
	struct replica row = row_of(&o, &defaults);
	assert_int_equal(row.details->nfields, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(row.details->fields[i].position, i);
		assert_int_equal(row.details->fields[i].equal,
				 i == 2 ? 0 : row.details->fields[i].pairs);
		sum += row.details->fields[i].pairs;
	}
	assert_int_equal(sum, row.pairs);
	assert_int_equal(row.details->naccesses, 2);
	assert_true(row.details->accesses[0].uses >= row.details->accesses[1].uses);
	assert_int_equal(row.details->accesses[0].uses + row.details->accesses[1].uses, 4000);
	/* two random places: half of the pairs count at both */
	uint64_t counted = row.details->accesses[0].pairs + row.details->accesses[1].pairs;
	assert_true(counted > row.pairs * 1.4 && counted < row.pairs * 1.6);
	assert_true(row.details->accesses[0].equal <= row.b &&
		    row.details->accesses[1].equal <= row.b);
	assert_int_equal(row.details->accesses[0].jvm, 1);
	replica_release(&row);
	objects_release(&o);

	row = row_of_snapshots(one_field_differs, 4, 1000, 1);
	assert_int_equal(row.details->nfields, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(row.details->fields[i].pairs, 500);
		assert_int_equal(row.details->fields[i].equal, i == 2 ? 0 : 500);
	}
	assert_int_equal(row.details->naccesses, 0);
	replica_release(&row);

	/* of 1024 elements some are compared, each at its own index */
	row = row_of_snapshots(one_element_differs, 0, 100, 1);
	assert_true(row.details->nfields > 16 && row.details->nfields <= WIRE_SLOTS);
	for (size_t i = 0; i < row.details->nfields; i++) {
		assert_true(row.details->fields[i].position < 1024);
		assert_true(i == 0 ||
			    row.details->fields[i].position > row.details->fields[i - 1].position);
	}
	replica_release(&row);
}

static void outcomes_of_watches(void **state)
{
	struct rng rng = { 1 };
	struct objects o;

	(void)state;
	objects_init(&o, 4, 1);
	program_use(&o, all_same, 60, &rng);
	o.context.unused[WIRE_UNUSED_TIME] = 30;
	o.context.unused[WIRE_UNUSED_TRAPS] = 10;
	o.context.unused[WIRE_UNUSED_EPOCH] = 1000;
	o.context.unused[WIRE_UNUSED_REPLACED] = 1000;
	struct replica row = row_of(&o, &defaults);
	assert_true(row.unused == 0.3);
	replica_release(&row);
	objects_release(&o);
}

static void immutable_objects(void **state)
{
	struct objects o;

	(void)state;
	objects_init(&o, 1, 1);
	for (int i = 0; i < 100; i++)
		objects_snapshot(&o,
				 &(struct object){ .weight = 1,
						   .flags = i < 60   ? 0
							    : i < 90 ? WIRE_TWICE
								     : WIRE_TWICE | WIRE_CHANGED });
	struct replica row = row_of(&o, &defaults);
	assert_true(row.immutable == 0.75);
	assert_int_equal(row.own.scanned, 100);
	replica_release(&row);
	objects_release(&o);
}

/* ---- several contexts ---------------------------------------------------------------------- */

/*
 * Ten contexts with one content each. Within each, all are equal; together there are ten contents,
 * and none dominates. The model downsamples one context, which must not reduce its share.
 */
static void grouped_contexts(void **state)
{
	struct objects o[10];
	struct model_context *contexts[10];
	struct replica row;

	(void)state;
	for (uint32_t i = 0; i < 10; i++) {
		struct object object = object_of(i);
		object.weight = 100;
		objects_init(&o[i], 4, i + 1);
		for (int k = 0; k < (i ? 400 : 50); k++)
			objects_snapshot(&o[i], &object);
		objects_allocate(&o[i], 0, 32, 400, 40000);
		contexts[i] = &o[i].context;
	}
	replica_compute(&row, contexts, 10, &defaults);
	assert_true(row.a == row.pairs && row.pairs == 25 + 9 * 200);
	assert_true(fabs(row.identical - 1) < 1e-9 && isnan(row.alpha));
	assert_true(fabs(row.own.largest - 0.1) < 0.02);
	assert_true(row.own.distinct == 10);
	assert_true(fabs(row.objects - 400000) < 1e-6);
	assert_int_equal(row.own.verdict, VERDICT_FEW_VALUES);
	replica_release(&row);
	for (int i = 0; i < 10; i++)
		objects_release(&o[i]);
}

/*
 * One context allocated nine times as much as the other, which has eight times as many snapshots.
 * By snapshots alone, the smaller one would seem larger.
 */
static void unequal_contexts(void **state)
{
	struct objects o[2];
	struct model_context *contexts[2] = { &o[0].context, &o[1].context };
	struct replica row;
	struct rng rng = { 2 };

	(void)state;
	for (uint32_t i = 0; i < 2; i++)
		objects_init(&o[i], 4, i + 1);
	for (size_t i = 0; i < 100; i++) {
		struct object object = object_of(1);
		object.weight = 1;
		objects_snapshot(&o[0], &object);
	}
	objects_allocate(&o[0], 0, 32, 100, 9e6);
	for (size_t i = 0; i < 800; i++) {
		struct object object = all_distinct(i, 800, &rng);
		object.weight = 1;
		objects_snapshot(&o[1], &object);
	}
	objects_allocate(&o[1], 0, 32, 800, 1e6);
	replica_compute(&row, contexts, 2, &defaults);
	assert_true(fabs(row.own.largest - 0.9) < 0.01);
	assert_true(fabs(row.identical - 0.9) < 1e-9);
	assert_int_equal(row.own.verdict, VERDICT_REPLICA);
	replica_release(&row);

	/* The other way round: a tenth of the row is the same, the rest distinct. */
	o[0].context.objects = o[0].context.strata[0].objects = 0.5e6;
	o[1].context.objects = o[1].context.strata[0].objects = 4.5e6;
	replica_compute(&row, contexts, 2, &defaults);
	assert_true(fabs(row.identical - 0.1) < 1e-9);
	/* its root is 0.3, but at most 0.1 of the objects are in a group */
	assert_true(row.own.verdict != VERDICT_FEW_VALUES && row.own.verdict != VERDICT_REPLICA);
	replica_release(&row);
	objects_release(&o[0]);
	objects_release(&o[1]);
}

/* One site, split into hundreds of contexts by recursion, with a handful of samples each. */
static void scattered_contexts(void **state)
{
	static struct objects o[300];
	struct model_context *contexts[300];
	struct replica row;
	struct rng rng = { 9 };

	(void)state;
	for (uint32_t i = 0; i < 300; i++) {
		objects_init(&o[i], 4, i + 1);
		program_snapshot(&o[i], all_same, 1 + rng_below(&rng, 5), &rng);
		contexts[i] = &o[i].context;
	}
	replica_compute(&row, contexts, 300, &defaults);
	assert_true(row.identical == 1 || fabs(row.identical - 1) < 1e-9);
	assert_true(row.identical_ci.low > 0.7);
	assert_int_equal(row.own.verdict, VERDICT_REPLICA);
	assert_true(row.own.largest == 1);
	replica_release(&row);
	for (int i = 0; i < 300; i++)
		objects_release(&o[i]);
}

static void same_input_same_row(void **state)
{
	(void)state;
	struct replica x = row_of_snapshots(three_quarters, 4, 3000, 5);
	struct replica y = row_of_snapshots(three_quarters, 4, 3000, 5);
	assert_true(x.a == y.a && x.theta == y.theta && x.own.largest == y.own.largest &&
		    x.identical_ci.low == y.identical_ci.low &&
		    x.own.saved_bytes == y.own.saved_bytes);
	replica_release(&x);
	replica_release(&y);
}

int unit_replica(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_of_the_paper),
		cmocka_unit_test(many_lengths),
		cmocka_unit_test(other_lengths),
		cmocka_unit_test(weights_count),
		cmocka_unit_test(few_samples_an_epoch),
		cmocka_unit_test(never_proven),
		cmocka_unit_test(sources),
		cmocka_unit_test(unequal_when_used),
		cmocka_unit_test(uses_alone),
		cmocka_unit_test(few_snapshots_of_many_contents),
		cmocka_unit_test(fields_and_accesses),
		cmocka_unit_test(fields_by_their_bytes),
		cmocka_unit_test(outcomes_of_watches),
		cmocka_unit_test(immutable_objects),
		cmocka_unit_test(grouped_contexts),
		cmocka_unit_test(unequal_contexts),
		cmocka_unit_test(scattered_contexts),
		cmocka_unit_test(same_input_same_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_live_heap.c - what is alive and what merging frees of it, for populations in which every
 * object is known: all the same, all distinct, ten contents, and an empty view.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "analyse/replica/live_heap.h"
#include "analyse/replica/replica.h"
#include "base/rng.h"
#include "objects.h"

#define Z	1.959963984540054
#define OBJECTS 20000
#define SIZE	24

static const struct live_heap_options plain = {
	.z = Z, .seed = 1, .most = NAN, .most_deep = NAN, .unchanged = 1, .stability_deep = 1
};
static const struct model_view everything = { 0, 0, 0, false };

/* Turns the snapshots so far into objects of the view. */
static void make_view(struct objects *o, const struct model_view *view)
{
	o->context.view = view;
	o->context.alive = o->context.snapshots;
	o->context.nalive = o->context.nsnapshots;
	o->context.nsnapshots = 0;
}

/* Restores them, so that they can be released. */
static void measure(struct objects *o, struct live_heap *a, const struct live_heap_options *options)
{
	struct model_context *contexts[] = { &o->context };

	live_heap_measure(a, contexts, 1, options);
	o->context.nsnapshots = o->context.nalive;
}

/* A context in which every object was sampled and is alive. */
static void fill(struct objects *o, uint64_t contents, double share, uint16_t flags,
		 struct rng *rng)
{
	objects_init(o, 2, 1);
	objects_allocate(o, 0, SIZE, (uint64_t)(OBJECTS * share), OBJECTS);
	for (uint64_t i = 0; i < OBJECTS; i++)
		if (rng_below(rng, 1u << 20) < share * (1u << 20))
			objects_snapshot(o, &(struct object){ .weight = 1 / share,
							      .flags = flags,
							      .values = { i % contents, 7 } });
	make_view(o, &everything);
}

static bool holds(const struct bounds_range *range, double truth)
{
	return range->low <= truth && truth <= range->high;
}

/* ---- populations --------------------------------------------------------------------------- */

enum { TRIALS = 200, MISSES = 16 };

static void check_population(uint64_t contents, double share, double least)
{
	double truth = (double)(OBJECTS - contents) * SIZE;
	struct rng rng = { contents };
	int missed = 0, missed_bytes = 0;
	double lows = 0;

	for (int i = 0; i < TRIALS; i++) {
		struct objects o;
		struct live_heap a;
		fill(&o, contents, share, 0, &rng);
		measure(&o, &a, &plain);
		missed += !holds(&a.saved, truth);
		missed_bytes += !holds(&a.bytes_range, OBJECTS * SIZE);
		lows += a.saved.low;
		assert_true(holds(&a.bytes_range, a.bytes));
		objects_release(&o);
	}
	assert_in_range(missed, 0, MISSES);
	assert_in_range(missed_bytes, 0, 2 * MISSES);
	assert_true(lows / TRIALS >= least * truth);
}

static void all_the_same(void **state)
{
	(void)state;
	check_population(1, 0.05, 0.9);
	check_population(1, 0.005, 0.7);
}

static void ten_contents(void **state)
{
	(void)state;
	check_population(10, 0.05, 0.9);
	check_population(10, 0.005, 0.5);
}

static void all_distinct(void **state)
{
	(void)state;
	check_population(OBJECTS, 0.05, 0);
	check_population(OBJECTS, 0.005, 0);
}

/* All objects are in the view: nothing needs to be estimated. */
static void whole_population(void **state)
{
	struct rng rng = { 1 };
	const uint64_t contents[] = { 1, 10, 1000, OBJECTS };

	(void)state;
	for (size_t i = 0; i < sizeof contents / sizeof contents[0]; i++) {
		struct objects o;
		struct live_heap a;
		fill(&o, contents[i], 1, 0, &rng);
		measure(&o, &a, &plain);
		assert_float_equal(a.saved.low, (double)(OBJECTS - contents[i]) * SIZE, 1e-6);
		assert_float_equal(a.saved.high, a.saved.low, 1e-6);
		assert_float_equal(a.bytes, OBJECTS * SIZE, 1e-6);
		objects_release(&o);
	}
}

/* ---- what is not there, or cannot be merged ----------------------------------------------- */

static void without_view(void **state)
{
	struct objects o;
	struct live_heap a;
	struct model_context *contexts[] = { &o.context };

	(void)state;
	objects_init(&o, 2, 1);
	objects_allocate(&o, 0, SIZE, 100, OBJECTS);
	live_heap_measure(&a, contexts, 1, &plain);
	assert_true(isnan(a.objects) && isnan(a.bytes) && isnan(a.saved.low) &&
		    isnan(a.saved_deep.high));
	objects_release(&o);
}

/* No sampled object is alive: one that stands for many could have been missed. */
static void nothing_alive(void **state)
{
	struct objects o;
	struct live_heap a;

	(void)state;
	objects_init(&o, 2, 1);
	objects_allocate(&o, 0, SIZE, 100, OBJECTS);
	make_view(&o, &everything);
	measure(&o, &a, &plain);
	assert_float_equal(a.objects, 0, 0);
	assert_float_equal(a.saved.low, 0, 0);
	assert_true(a.objects_range.high >= OBJECTS / 100.0 &&
		    a.objects_range.high < OBJECTS / 20.0);
	assert_float_equal(a.saved.high, a.bytes_range.high, 1e-6);
	objects_release(&o);
}

static void identity_keeps_them_apart(void **state)
{
	struct rng rng = { 2 };
	struct objects o;
	struct live_heap a;

	(void)state;
	fill(&o, 1, 0.05, WIRE_HASHED, &rng);
	measure(&o, &a, &plain);
	assert_float_equal(a.saved.low, 0, 0);
	objects_release(&o);
	fill(&o, 1, 0.05, WIRE_PARTIAL, &rng);
	measure(&o, &a, &plain);
	assert_float_equal(a.saved.low, 0, 0);
	assert_true(a.saved.high > 0.9 * OBJECTS * SIZE);
	objects_release(&o);
}

/* Objects without a snapshot for lack of time are alive, and like the others. */
static void unseen_count(void **state)
{
	struct rng rng = { 3 };
	struct objects o;
	struct live_heap a;

	(void)state;
	fill(&o, 1, 0.05, 0, &rng);
	for (size_t i = 0; i < o.context.nalive; i++)
		if (i % 2)
			o.context.alive[i]->flags |= WIRE_UNSEEN;
	measure(&o, &a, &plain);
	assert_true(holds(&a.bytes_range, OBJECTS * SIZE));
	assert_true(a.saved.low > 0.8 * OBJECTS * SIZE && holds(&a.saved, (OBJECTS - 1) * SIZE));
	objects_release(&o);
}

static void no_more_than_last(void **state)
{
	struct live_heap_options options = plain;
	struct rng rng = { 4 };
	struct objects o;
	struct live_heap a;

	(void)state;
	options.most = 0.25;
	fill(&o, 1, 0.05, 0, &rng);
	measure(&o, &a, &options);
	assert_true(a.saved.low > 0 && a.saved.low < 0.25 * OBJECTS * SIZE);
	objects_release(&o);
}

/* Objects that refer to the same content have equal deep contents, whatever the addresses. */
static void deep_contents(void **state)
{
	struct rng rng = { 5 };
	struct objects o;
	struct live_heap a;

	(void)state;
	fill(&o, OBJECTS, 0.05, WIRE_REFS | WIRE_DEEP, &rng);
	for (size_t i = 0; i < o.context.nalive; i++)
		o.context.alive[i]->deep = 1;
	measure(&o, &a, &plain);
	assert_float_equal(a.saved.low, 0, 0);
	assert_true(a.saved_deep.low > 0.8 * OBJECTS * SIZE);
	objects_release(&o);
}

/* A view of small objects without references says nothing about others. */
static void leaves_only(void **state)
{
	const struct model_view small = { SIZE, 0, 0, false }, smaller = { SIZE - 8, 0, 0, false };
	struct rng rng = { 6 };
	struct objects o;
	struct live_heap a;

	(void)state;
	fill(&o, 1, 0.05, 0, &rng);
	o.context.view = &small;
	measure(&o, &a, &plain);
	assert_true(a.saved.low > 0);
	o.context.view = &smaller;
	measure(&o, &a, &plain);
	assert_true(isnan(a.saved.low));
	o.context.view = &small;
	o.fields[1].type = 'L';
	measure(&o, &a, &plain);
	assert_true(isnan(a.saved.low));
	objects_release(&o);
}

/* It may also contain strings; but not those of a context in which some were too long. */
static void leaves_and_strings(void **state)
{
	const struct model_view small = { SIZE, 0, 0, true };
	struct rng rng = { 6 };
	struct objects o;
	struct live_heap a;

	(void)state;
	fill(&o, 1, 0.05, 0, &rng);
	o.context.view = &small;
	o.fields[1].type = '[';
	measure(&o, &a, &plain);
	assert_true(isnan(a.saved.low));
	o.class.name = "java.lang.String";
	measure(&o, &a, &plain);
	assert_true(holds(&a.objects_range, OBJECTS));
	o.context.alive[3]->flags |= WIRE_UNHELD;
	measure(&o, &a, &plain);
	assert_true(isnan(a.objects) && isnan(a.saved.low));
	objects_release(&o);
}

/* A row contains it, and it is a sort key. */
static void in_a_row(void **state)
{
	const struct replica_options options = REPLICA_OPTIONS_INIT;
	struct rng rng = { 7 };
	struct objects o;
	struct replica row;
	struct model_context *contexts[] = { &o.context };

	(void)state;
	fill(&o, 1, 0.05, 0, &rng);
	replica_compute(&row, contexts, 1, &options);
	assert_int_equal(row.live_sampled, o.context.nalive);
	assert_true(row.own.saved_live_ci.low > 0.8 * OBJECTS * SIZE);
	assert_float_equal(replica_saved_live(&row).low, row.own.saved_live_ci.low, 0);
	replica_release(&row);
	o.context.nsnapshots = o.context.nalive;
	objects_release(&o);
}

/*
 * The error of the live size must not make the saving larger than the reported live size: all are
 * the same, and few were seen.
 */
static void no_more_than_is_alive(void **state)
{
	const struct replica_options options = REPLICA_OPTIONS_INIT;
	struct rng rng = { 8 };
	struct objects o;
	struct replica row;
	struct model_context *contexts[] = { &o.context };

	(void)state;
	fill(&o, 1, 0.002, 0, &rng);
	replica_compute(&row, contexts, 1, &options);
	assert_true(row.live_bytes_ci.high > 1.2 * row.live_bytes);
	assert_true(row.own.saved_live_ci.low > 0);
	assert_float_equal(row.own.saved_live_ci.high, fmin(row.live_bytes, row.bytes), 1e-6);
	assert_float_equal(row.deep.saved_live_ci.high, row.own.saved_live_ci.high, 1e-6);
	replica_release(&row);

	o.context.bytes = 1000; /* other samples say that fewer were allocated */
	replica_compute(&row, contexts, 1, &options);
	assert_true(row.live_bytes > 1000 && row.own.saved_live_ci.high <= 1000);
	replica_release(&row);
	o.context.nsnapshots = o.context.nalive;
	objects_release(&o);
}

int unit_live_heap(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_the_same),	     cmocka_unit_test(ten_contents),
		cmocka_unit_test(all_distinct),	     cmocka_unit_test(whole_population),
		cmocka_unit_test(without_view),	     cmocka_unit_test(nothing_alive),
		cmocka_unit_test(unseen_count),	     cmocka_unit_test(identity_keeps_them_apart),
		cmocka_unit_test(no_more_than_last), cmocka_unit_test(deep_contents),
		cmocka_unit_test(leaves_only),	     cmocka_unit_test(leaves_and_strings),
		cmocka_unit_test(in_a_row),	     cmocka_unit_test(no_more_than_is_alive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

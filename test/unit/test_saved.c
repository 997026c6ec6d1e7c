/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_saved.c - what merging saves, for populations in which every object is known: the interval
 * contains the truth, whatever share was seen, and objects that cannot be merged save nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "analyse/replica/observations.h"
#include "programs.h"

#define Z    1.959963984540054
#define MOST 20000

static const struct replica_options defaults = PROGRAM_OPTIONS;

static uint64_t population[MOST];
static struct observation observations[MOST];

/* Fills `n` objects; returns the number of different contents. */
typedef size_t fill_fn(size_t n, struct rng *rng);

static size_t all_distinct_fill(size_t n, struct rng *rng)
{
	(void)rng;
	for (size_t i = 0; i < n; i++)
		population[i] = i;
	return n;
}

static size_t pairs_fill(size_t n, struct rng *rng)
{
	(void)rng;
	for (size_t i = 0; i < n; i++)
		population[i] = i / 2;
	return (n + 1) / 2;
}

/* One common content, and distinct ones. */
static size_t one_and_distinct(size_t n, struct rng *rng)
{
	size_t same = 1 + rng_below(rng, (uint32_t)n);

	for (size_t i = 0; i < n; i++)
		population[i] = i < same ? 0 : i;
	return n - same + 1;
}

static size_t groups_of_ten(size_t n, struct rng *rng)
{
	(void)rng;
	for (size_t i = 0; i < n; i++)
		population[i] = i / 10;
	return (n + 9) / 10;
}

/* Every content is half as frequent as the one before it, down to single objects. */
static size_t halving(size_t n, struct rng *rng)
{
	size_t contents = 0;

	(void)rng;
	for (size_t i = 0, left = n; i < n; contents++, left = n - i)
		for (size_t k = 0; k < (left + 1) / 2; k++)
			population[i++] = contents;
	return contents;
}

/* Moves `n` random objects to the front. */
static void shuffle(size_t all, size_t n, struct rng *rng)
{
	for (size_t i = 0; i < n; i++) {
		size_t k = i + rng_below(rng, (uint32_t)(all - i));
		uint64_t swap = population[i];
		population[i] = population[k];
		population[k] = swap;
	}
}

static struct bounds_range saved_of(size_t all, size_t n, struct rng *rng)
{
	struct groups g;

	shuffle(all, n, rng);
	for (size_t i = 0; i < n; i++)
		observations[i] = (struct observation){ .content = rng_mix(population[i] + 1),
							.weight = (double)all / (double)n,
							.bytes = 24 };
	groups_measure(&g, observations, n, (double)all, Z, rng);
	struct bounds_range bytes =
		groups_saved(&g.covered_bytes, g.contents_bytes, g.least_bytes, 24.0 * (double)all);
	struct bounds_range objects = groups_saved(&g.covered, g.contents, g.least, (double)all);
	assert_true(fabs(bytes.low - 24 * objects.low) < 1 && bytes.high >= bytes.low);
	assert_true(fabs(bytes.high - 24 * objects.high) < 1);
	return objects;
}

/* Either end fails in 2.5 of 100 cases at most; five standard deviations of 400 trials are 4 %. */
static void test_interval(void **state)
{
	static fill_fn *const fills[] = { all_distinct_fill, pairs_fill, one_and_distinct,
					  groups_of_ten, halving };
	static const size_t samples[] = { 60, 300, 1500, 4000 };
	struct rng rng = { 31 };

	(void)state;
	for (size_t f = 0; f < sizeof fills / sizeof fills[0]; f++)
		for (size_t s = 0; s < sizeof samples / sizeof samples[0]; s++) {
			int below = 0, above = 0, rounds = 400;
			for (int round = 0; round < rounds; round++) {
				size_t all = samples[s] + rng_below(&rng, MOST - 4000);
				double truth = (double)(all - fills[f](all, &rng));
				struct bounds_range r = saved_of(all, samples[s], &rng);
				above += r.low > truth + 1e-6;
				below += r.high < truth - 1e-6;
			}
			assert_in_range(above, 0, 0.065 * rounds);
			assert_in_range(below, 0, 0.065 * rounds);
		}
}

/* If every object was seen, the upper end is the truth. */
static void test_all_seen(void **state)
{
	struct rng rng = { 32 };

	(void)state;
	for (int round = 0; round < 50; round++) {
		size_t all = 100 + rng_below(&rng, 5000);
		double truth = (double)(all - one_and_distinct(all, &rng));
		struct bounds_range r = saved_of(all, all, &rng);
		assert_true(r.low <= truth + 1e-6 && fabs(r.high - truth) < 1e-6);
	}
}

/* One in a thousand objects was seen, and no content twice: hardly anything can be excluded. */
static void test_unseen(void **state)
{
	(void)state;
	assert_true(bounds_unseen(0, 0, 0, Z) == 0);
	assert_true(bounds_unseen(100, 3, 1, Z) == 0);
	assert_true(bounds_unseen(100, 3, NAN, Z) == 0);
	double none = bounds_unseen(100, 0, 0, Z), few = bounds_unseen(100, 10, 0, Z);
	double half = bounds_unseen(100, 10, 0.5, Z);
	assert_true(none > few && few > half && half > 0);
	assert_true(few < 100.0 * 100 / 20); /* Chao's estimate itself */
	assert_true(bounds_unseen(1, 0, 0, Z) < 0.1);
}

/* With references, contents of two epochs may be the same. */
static void test_several_epochs(void **state)
{
	struct rng rng = { 33 };
	struct groups g;

	(void)state;
	for (size_t i = 0; i < 1000; i++)
		observations[i] = (struct observation){ .content = rng_mix(i),
							.weight = 1,
							.bytes = 24,
							.refs = true,
							.epoch = (uint32_t)(i / 100) };
	groups_measure(&g, observations, 1000, 1000, Z, &rng);
	assert_true(g.contents == 1000 && g.least == 100 && g.least_bytes == 2400);
	struct bounds_range r = groups_saved(&g.covered, g.contents, g.least, 1000);
	assert_true(r.low == 0 && r.high == 900);
}

/* ---- objects that are not merged ------------------------------------------------------------- */

static struct object a_tenth_hashed(size_t i, size_t n, struct rng *rng)
{
	struct object object = all_same(i, n, rng);

	object.flags |= rng_below(rng, 10) ? 0 : WIRE_HASHED;
	return object;
}

static struct object all_locked(size_t i, size_t n, struct rng *rng)
{
	struct object object = all_same(i, n, rng);

	object.flags |= WIRE_LOCKED;
	return object;
}

static void test_identity(void **state)
{
	(void)state;
	struct replica r = row_of_snapshots(a_tenth_hashed, 2, 5000, 1);
	assert_true(fabs(r.identity - 0.1) < 0.03);
	assert_true(r.identity_ci.low < 0.1 && r.identity_ci.high > 0.1);
	assert_true(r.own.saved_objects == 0 &&
		    r.own.saved_bytes == 0); /* they may be needed for their identity */
	assert_int_equal(r.own.verdict, VERDICT_ALIKE);
	assert_int_equal(r.own.decision.doubt, DOUBT_IDENTITY);
	assert_true(r.own.largest == 1); /* nevertheless they are equal */
	replica_release(&r);

	r = row_of_snapshots(all_locked, 2, 1000, 1);
	assert_true(r.identity == 1 && r.own.saved_bytes == 0 && r.own.saved_objects == 0);
	assert_true(r.own.largest == 1);
	replica_release(&r);

	r = row_of_snapshots(all_same, 2, 1000, 1);
	assert_true(r.identity == 0 && r.identity_ci.high < 0.005 && r.identity_ci.low == 0);
	replica_release(&r);
}

/* ---- objects that change --------------------------------------------------------------------- */

static struct object a_fifth_changed(size_t i, size_t n, struct rng *rng)
{
	struct object object = all_same(i, n, rng);

	if (rng_below(rng, 2)) /* the others have one snapshot and tell nothing */
		object.flags |= WIRE_TWICE | (rng_below(rng, 5) ? 0 : WIRE_CHANGED);
	return object;
}

/* A quarter of the uses saw a content that no object has at its end. */
static void add_uses(struct objects *o, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct object object = i % 4 ? all_same(i, n, NULL) : object_of(1000 + i);
		object.weight = PROGRAM_WEIGHT;
		objects_use(o, &object, 1, 0);
	}
}

static void test_constant(void **state)
{
	struct rng rng = { 2 };
	struct objects o;

	(void)state;
	objects_init(&o, 2, 1);
	program_snapshot(&o, a_fifth_changed, 4000, &rng);
	struct replica r = row_of(&o, &defaults);
	assert_true(fabs(r.immutable - 0.8) < 0.05 && isnan(r.lasting));
	assert_true(r.immutable_ci.low < 0.8 && r.immutable_ci.high > 0.8);
	assert_true(r.constant == r.immutable && r.constant_ci.low == r.immutable_ci.low);
	replica_release(&r);

	add_uses(&o, 400);
	r = row_of(&o, &defaults);
	assert_true(fabs(r.lasting - 0.75) < 0.01);
	assert_true(r.constant == r.lasting); /* at most the smaller of 0.8 and 0.75 */
	/* at least 0.8 + 0.75 - 1, if the two kinds of changes hit different objects */
	assert_true(r.constant_ci.low < 0.55 && r.constant_ci.low > 0.4);
	assert_true(r.constant_ci.high >= 0.75 && r.constant_ci.high < 0.83);
	replica_release(&r);
	objects_release(&o);

	r = row_of_snapshots(all_same, 2, 100, 1);
	assert_true(isnan(r.constant) && isnan(r.constant_ci.low) && isnan(r.immutable_ci.high));
	replica_release(&r);
}

int unit_saved(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interval), cmocka_unit_test(test_all_seen),
		cmocka_unit_test(test_unseen),	 cmocka_unit_test(test_several_epochs),
		cmocka_unit_test(test_identity), cmocka_unit_test(test_constant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

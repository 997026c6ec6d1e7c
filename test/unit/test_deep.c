/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_deep.c - rows whose objects refer to others: the deep contents are known by construction;
 * addresses always differ.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "programs.h"

static const struct replica_options defaults = PROGRAM_OPTIONS;

/* An object with an address of its own that leads to `deep`. An epoch has `in_epoch` snapshots. */
static struct object leads_to(uint64_t deep, size_t i, size_t in_epoch)
{
	struct object object = object_of(1000000 + i);

	object.flags = WIRE_REFS | WIRE_DEEP;
	object.epoch = (uint32_t)(i / in_epoch);
	object.deep = deep;
	return object;
}

static struct object same_parts(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	(void)rng;
	return leads_to(7, i, 3);
}

static struct object distinct_parts(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	(void)rng;
	return leads_to(i, i, 100);
}

/* Three snapshots per epoch: contents alone tell nothing. */
static struct object three_quarters_parts(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	return leads_to(rng_unit(rng) < 0.75 ? 0 : i + 1, i, 3);
}

static struct object ten_parts(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	return leads_to(rng_below(rng, 10), i, 50);
}

/* Ten phases with one content each: within an epoch all are the same, over the run they are not. */
static struct object phases(size_t i, size_t n, struct rng *rng)
{
	(void)rng;
	return leads_to(10 * i / n, i, 100);
}

/* The same, but the parts equal only themselves, such as threads. */
static struct object identities(size_t i, size_t n, struct rng *rng)
{
	struct object object = phases(i, n, rng);

	object.flags |= WIRE_DEEP_REFS;
	return object;
}

static struct object thin_identities(size_t i, size_t n, struct rng *rng)
{
	struct object object = same_parts(i, n, rng);

	object.flags |= WIRE_DEEP_REFS;
	return object;
}

static struct object all_cut(size_t i, size_t n, struct rng *rng)
{
	struct object object = same_parts(i, n, rng);

	object.flags |= WIRE_DEEP_CUT;
	return object;
}

/* Nine tenths seem equal; in a third of these a bound was hit. */
static struct object third_cut(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	struct object object = leads_to(rng_unit(rng) < 0.9 ? 0 : i + 1, i, 3);
	if (object.deep == 0 && rng_below(rng, 3) == 0)
		object.flags |= WIRE_DEEP_CUT;
	return object;
}

/* Arrays of references with a hundred lengths, one content for each. */
static struct object lengths(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	struct object object = leads_to(0, i, 3);
	object.array_length = 1 + rng_below(rng, 100);
	return object;
}

/* All refer to one object, which changes all the time. */
static struct object changing_part(size_t i, size_t n, struct rng *rng)
{
	struct object object = object_of(7);

	(void)n;
	(void)rng;
	object.flags = WIRE_REFS | WIRE_DEEP;
	object.epoch = (uint32_t)(i / 3);
	object.deep = i;
	return object;
}

/* References were not followed. */
static struct object not_followed(size_t i, size_t n, struct rng *rng)
{
	struct object object = same_parts(i, n, rng);

	object.flags = WIRE_REFS;
	return object;
}

/* ---- the figures --------------------------------------------------------------------------- */

static void test_deep_replicas(void **state)
{
	(void)state;
	struct replica r = row_of_snapshots(same_parts, 2, 1000, 1);
	assert_int_equal(r.deep.scanned, 1000);
	assert_true(isnan(r.own.largest));
	assert_true(r.deep.largest == 1 && r.deep.largest_ci.low > 0.99);
	assert_true(r.deep.distinct == 1 && r.deep_cut == 0);
	assert_true(r.own.saved_bytes == 0);
	assert_true(r.deep.saved_bytes > 0.98 * r.bytes && r.deep.saved_bytes < r.bytes);
	assert_int_equal(r.deep.verdict, VERDICT_REPLICA);
	assert_int_not_equal(r.own.verdict, VERDICT_REPLICA);
	replica_release(&r);

	r = row_of_snapshots(three_quarters_parts, 2, 10000, 2);
	assert_true(fabs(r.deep.largest - 0.75) < 5 * sqrt(0.75 * 0.25 / 10000));
	assert_true(r.deep.saved_objects < 0.75 * r.objects);
	assert_true(r.deep.saved_objects > 0.72 * r.objects);
	assert_true(r.deep.saved_objects_ci.high >= 0.75 * r.objects);
	assert_int_equal(r.deep.verdict, VERDICT_REPLICA);
	replica_release(&r);
}

static void test_deep_few_and_distinct(void **state)
{
	(void)state;
	struct replica r = row_of_snapshots(ten_parts, 2, 2000, 3);
	assert_true(fabs(r.deep.largest - 0.1) < 0.03);
	assert_true(r.deep.distinct == 10);
	assert_int_equal(r.deep.verdict, VERDICT_FEW_VALUES);
	replica_release(&r);

	r = row_of_snapshots(distinct_parts, 2, 2000, 4);
	assert_true(r.deep.largest == 0 && r.deep.largest_ci.high < 0.01);
	assert_true(r.deep.saved_bytes == 0 && r.deep.saved_objects == 0);
	assert_int_equal(r.deep.verdict, VERDICT_DISTINCT);
	replica_release(&r);

	r = row_of_snapshots(changing_part, 2, 2000, 4);
	assert_int_equal(r.deep.verdict, VERDICT_UNKNOWN);
	replica_release(&r);

	r = row_of_snapshots(lengths, 0, 5000, 5);
	assert_true(r.deep.largest < 0.03);
	/* arrays: the content before the end is not known */
	assert_int_equal(r.deep.verdict, VERDICT_ALIKE);
	replica_release(&r);
}

/*
 * Deep contents are compared over the whole run; parts that equal only themselves, within their
 * epoch.
 */
static void test_epochs(void **state)
{
	(void)state;
	struct replica r = row_of_snapshots(phases, 2, 1000, 6);
	assert_true(fabs(r.deep.largest - 0.1) < 0.05);
	replica_release(&r);
	r = row_of_snapshots(identities, 2, 1000, 6);
	assert_true(r.deep.largest > 0.99);
	assert_true(isnan(r.deep.distinct));
	replica_release(&r);
	r = row_of_snapshots(thin_identities, 2, 1000, 6);
	assert_true(isnan(r.deep.largest) && isnan(r.deep.largest_ci.low));
	assert_int_equal(r.deep.scanned, 1000);
	replica_release(&r);
}

/* With bounds that were hit, objects seem alike, but no claim is based on them. */
static void test_cut(void **state)
{
	(void)state;
	struct replica r = row_of_snapshots(all_cut, 2, 1000, 7);
	assert_true(r.deep_cut == 1 && r.deep.largest == 1);
	assert_true(r.deep.largest_ci.low == 0 && r.deep.largest_ci.high == 1);
	assert_true(r.deep.saved_bytes == 0);
	assert_true(r.deep.saved_objects_ci.high > 0.99 * r.objects);
	assert_int_not_equal(r.deep.verdict, VERDICT_REPLICA);
	assert_int_not_equal(r.deep.verdict, VERDICT_DISTINCT);
	replica_release(&r);

	r = row_of_snapshots(third_cut, 2, 9000, 8);
	assert_true(fabs(r.deep_cut - 0.3) < 0.03);
	assert_true(fabs(r.deep.largest - 0.9) < 0.02);
	assert_true(r.deep.largest_ci.low < 0.6 && r.deep.largest_ci.low > 0.57);
	assert_true(r.deep.saved_objects < 0.6 * r.objects);
	assert_true(r.deep.saved_objects > 0.57 * r.objects);
	replica_release(&r);
}

static void test_not_followed(void **state)
{
	(void)state;
	struct replica r = row_of_snapshots(not_followed, 2, 1000, 9);
	assert_int_equal(r.deep.scanned, 0);
	assert_true(isnan(r.deep.largest) && isnan(r.deep_cut) && isnan(r.deep.saved_bytes));
	assert_int_equal(r.deep.verdict, VERDICT_UNKNOWN);
	replica_release(&r);
}

/* Nothing refers to anything: the figures are those of contents. */
static void test_same(void **state)
{
	(void)state;
	struct replica r = row_of_snapshots(three_quarters, 2, 1000, 10);
	assert_int_equal(r.deep.scanned, 1000);
	assert_true(r.deep.largest == r.own.largest && r.deep.largest > 0.7);
	assert_true(r.deep.largest_ci.low == r.own.largest_ci.low);
	assert_true(r.deep.saved_bytes == r.own.saved_bytes && !replica_saved_deep(&r));
	assert_true(replica_saved(&r) == r.own.saved_bytes);
	assert_int_equal(r.deep.verdict, r.own.verdict);
	replica_release(&r);
}

/* Two contexts that make the same objects: in one row their contents are pooled. */
static void test_pooled(void **state)
{
	struct rng rng = { 11 };
	struct objects o[2];
	struct replica r;

	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		objects_init(&o[i], 2, i + 1);
		program_snapshot(&o[i], same_parts, 300, &rng);
	}
	struct model_context *contexts[] = { &o[0].context, &o[1].context };
	replica_compute(&r, contexts, 2, &defaults);
	assert_true(r.deep.largest == 1 && r.deep.distinct == 1);
	assert_int_equal(r.deep.scanned, 600);
	assert_int_equal(r.deep.verdict, VERDICT_REPLICA);
	replica_release(&r);
	objects_release(&o[0]);
	objects_release(&o[1]);
}

/*
 * Each leads to something of its own, where a bound was hit: equal up to the bound, so they may be
 * copies.
 */
static struct object cut_and_apart(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	(void)rng;
	struct object object = leads_to(7, i, 3);
	object.values[0] = object.values[1] = i;
	object.flags |= WIRE_DEEP_CUT;
	return object;
}

static struct object cut_and_apart_thick(size_t i, size_t n, struct rng *rng)
{
	struct object object = cut_and_apart(i, n, rng);

	object.epoch = (uint32_t)(i / 100);
	return object;
}

/* Arrays larger than the bound must not be called distinct, although their addresses are. */
static void test_cut_is_not_distinct(void **state)
{
	bool deep;

	(void)state;
	struct replica r = row_of_snapshots(cut_and_apart, 2, 1000, 7); /* three per epoch */
	assert_true(r.c == r.pairs && r.pairs >= 100 && isnan(r.covered_deep_high));
	assert_int_equal(r.own.verdict, VERDICT_UNKNOWN);
	assert_int_equal(replica_shown(&r, &deep), VERDICT_UNKNOWN);
	replica_release(&r);
	r = row_of_snapshots(cut_and_apart_thick, 2, 1000, 7); /* contents differ, in each epoch */
	assert_int_equal(r.own.verdict, VERDICT_UNKNOWN);
	assert_int_equal(replica_shown(&r, &deep), VERDICT_UNKNOWN);
	replica_release(&r);
	r = row_of_snapshots(distinct_parts, 2, 1000, 7);
	assert_int_equal(replica_shown(&r, &deep), VERDICT_DISTINCT);
	replica_release(&r);
}

/* ---- what is shown --------------------------------------------------------------------------- */

static void test_shown(void **state)
{
	static const struct {
		enum replica_verdict shallow, deep, shown;
		bool is_deep;
	} cases[] = {
		{ VERDICT_REPLICA, VERDICT_REPLICA, VERDICT_REPLICA, false },
		{ VERDICT_REPLICA, VERDICT_DISTINCT, VERDICT_REPLICA, false },
		{ VERDICT_FEW_VALUES, VERDICT_REPLICA, VERDICT_REPLICA, true },
		{ VERDICT_FEW_VALUES, VERDICT_FEW_VALUES, VERDICT_FEW_VALUES, false },
		{ VERDICT_DISTINCT, VERDICT_REPLICA, VERDICT_REPLICA, true },
		{ VERDICT_PARTIAL, VERDICT_FEW_VALUES, VERDICT_FEW_VALUES, true },
		{ VERDICT_UNKNOWN, VERDICT_REPLICA, VERDICT_REPLICA, true },
		{ VERDICT_UNKNOWN, VERDICT_DISTINCT, VERDICT_DISTINCT, true },
		{ VERDICT_UNKNOWN, VERDICT_UNKNOWN, VERDICT_UNKNOWN, false },
		{ VERDICT_PARTIAL, VERDICT_DISTINCT, VERDICT_PARTIAL, false },
		{ VERDICT_DISTINCT, VERDICT_DISTINCT, VERDICT_DISTINCT, false },
		{ VERDICT_SOME_EQUAL, VERDICT_SOME_EQUAL, VERDICT_SOME_EQUAL, false },
		{ VERDICT_SOME_EQUAL, VERDICT_FEW_VALUES, VERDICT_FEW_VALUES, true },
		{ VERDICT_SOME_EQUAL, VERDICT_ALIKE, VERDICT_SOME_EQUAL, false },
		{ VERDICT_FEW_VALUES, VERDICT_SOME_EQUAL, VERDICT_FEW_VALUES, false },
		{ VERDICT_DISTINCT, VERDICT_SOME_EQUAL, VERDICT_SOME_EQUAL, true },
		/* what changes is not alike with what it refers to, either */
		{ VERDICT_CHANGING, VERDICT_ALIKE, VERDICT_CHANGING, false },
		{ VERDICT_CHANGING, VERDICT_UNKNOWN, VERDICT_CHANGING, false },
		{ VERDICT_CHANGING, VERDICT_FEW_VALUES, VERDICT_FEW_VALUES, true },
		/* their own fields differ, whatever they refer to */
		{ VERDICT_DISTINCT, VERDICT_UNKNOWN, VERDICT_DISTINCT, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct replica r = { .own.verdict = cases[i].shallow,
				     .deep.verdict = cases[i].deep,
				     .refers = true };
		bool deep;
		assert_int_equal(replica_shown(&r, &deep), cases[i].shown);
		assert_int_equal(deep, cases[i].is_deep);
	}
	/* strings that differ are not partial replicas because of equal hash codes */
	struct replica string = { .own.verdict = VERDICT_PARTIAL,
				  .deep.verdict = VERDICT_DISTINCT,
				  .by_value = true };
	bool deep;
	assert_int_equal(replica_shown(&string, &deep), VERDICT_DISTINCT);
	assert_true(deep);
	string.deep.verdict = VERDICT_UNKNOWN;
	assert_int_equal(replica_shown(&string, &deep), VERDICT_PARTIAL);
	/* their fields are a hash code and an address */
	string.own.verdict = VERDICT_DISTINCT;
	string.refers = true;
	assert_int_equal(replica_shown(&string, &deep), VERDICT_UNKNOWN);
}

static void test_saved_shown(void **state)
{
	static const struct {
		double shallow, deep, shown;
		bool is_deep;
	} cases[] = {
		{ 5, 7, 7, true },   { 7, 5, 7, false },   { 7, 7, 7, false },
		{ NAN, 0, 0, true }, { 3, NAN, 3, false }, { NAN, NAN, NAN, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct replica r = { .own.saved_bytes = cases[i].shallow,
				     .deep.saved_bytes = cases[i].deep };
		double saved = replica_saved(&r);
		assert_true(saved == cases[i].shown || (isnan(saved) && isnan(cases[i].shown)));
		assert_int_equal(replica_saved_deep(&r), cases[i].is_deep);
	}
}

/* ---- intervals ------------------------------------------------------------------------------- */

/*
 * The interval of the largest group contains the truth 93 to 98 times of 100, with addresses that
 * never agree and with varying weights. Four standard deviations of 800 trials are 3 %, so the
 * bounds here are 92 and 99.
 */
static void test_interval_coverage(void **state)
{
	struct rng rng = { 12 };
	int hits = 0, rounds = 800;

	(void)state;
	for (int round = 0; round < rounds; round++) {
		double truth = 0.05 + 0.9 * rng_unit(&rng);
		size_t n = 60 + rng_below(&rng, 300);
		struct objects o;
		objects_init(&o, 2, 1);
		for (size_t i = 0; i < n; i++) {
			struct object object = leads_to(rng_unit(&rng) < truth ? 0 : i + 1, i, 3);
			object.weight = 500 + rng_below(&rng, 1000);
			objects_snapshot(&o, &object);
		}
		objects_allocate(&o, 0, 24, n, 1e6);
		struct replica r = row_of(&o, &defaults);
		hits += r.deep.largest_ci.low <= truth && truth <= r.deep.largest_ci.high;
		replica_release(&r);
		objects_release(&o);
	}
	assert_true(hits >= 0.92 * rounds && hits <= 0.99 * rounds);
}

int unit_deep(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deep_replicas),
		cmocka_unit_test(test_deep_few_and_distinct),
		cmocka_unit_test(test_epochs),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_cut_is_not_distinct),
		cmocka_unit_test(test_not_followed),
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_pooled),
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_saved_shown),
		cmocka_unit_test(test_interval_coverage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

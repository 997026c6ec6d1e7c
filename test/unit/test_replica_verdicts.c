/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_replica_verdicts.c - verdicts about programs with known truth, with samples of many sizes
 * and several seeds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "programs.h"

#define assert_verdict(call, want)                                                 \
	do {                                                                       \
		struct replica row_ = call;                                        \
		assert_string_equal(replica_verdict_name(row_.own.verdict), want); \
		replica_release(&row_);                                            \
	} while (0)

/* From a few dozen pairs to thousands, with several seeds. */
static void verdicts_by_snapshots(void **state)
{
	const size_t sizes[] = { 200, 1000, 8000 };

	(void)state;
	for (size_t k = 0; k < 3; k++)
		for (uint64_t seed = 1; seed < 12; seed++) {
			size_t n = sizes[k];
			assert_verdict(row_of_snapshots(all_same, 4, n, seed), "replica");
			assert_verdict(row_of_snapshots(all_distinct, 4, n, seed), "distinct");
			assert_verdict(row_of_snapshots(ten_groups, 4, n, seed), "few-values");
			assert_verdict(row_of_snapshots(ten_phases, 4, n, seed), "few-values");
			assert_verdict(row_of_snapshots(one_field_differs, 4, n, seed), "partial");
			assert_verdict(row_of_snapshots(one_element_differs, 0, n, seed),
				       "partial");
			assert_verdict(row_of_snapshots(three_quarters, 4, n, seed), "replica");
			assert_verdict(row_of_snapshots(empty, 0, n, seed), "replica");
		}
	for (uint64_t seed = 1; seed < 12; seed++) {
		assert_verdict(row_of_snapshots(hundred_lengths, 0, 1000, seed), "alike-at-end");
		assert_verdict(row_of_snapshots(hundred_lengths, 0, 8000, seed), "alike-at-end");
		assert_verdict(row_of_snapshots(distinct_references, 4, 1000, seed), "unknown");
		assert_verdict(row_of_snapshots(thousand_lengths, 0, 8000, seed), "distinct");
		assert_verdict(row_of_snapshots(thousand_lengths_same, 0, 8000, seed),
			       "alike-at-end");
	}
}

static void verdicts_by_uses(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 12; seed++)
		for (size_t n = 500; n <= 8000; n *= 4) {
			assert_verdict(row_of_uses(all_same, n, seed), "replica");
			assert_verdict(row_of_uses(all_distinct, n, seed), "distinct");
			assert_verdict(row_of_uses(ten_groups, 2000 + n, seed), "few-values");
			assert_verdict(row_of_uses(ten_phases, 2000 + n, seed), "few-values");
			assert_verdict(row_of_uses(three_quarters, n, seed), "replica");
			assert_verdict(row_of_uses(one_field_differs, n, seed), "partial");
		}
}

static struct object groups_of(uint32_t n, struct rng *rng)
{
	return object_of(rng_below(rng, n));
}

static struct object two_groups(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	return groups_of(2, rng);
}

static struct object four_groups(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	return groups_of(4, rng);
}

/* Two contents with half each: none dominates, but they are few. */
static void two_contents(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 40; seed++) {
		assert_verdict(row_of_uses(two_groups, 140, seed), "few-values");
		assert_verdict(row_of_snapshots(two_groups, 4, 140, seed), "few-values");
		assert_verdict(row_of_uses(four_groups, 2000, seed), "few-values");
		assert_verdict(row_of_snapshots(four_groups, 4, 2000, seed), "few-values");
	}
}

static void too_little_evidence(void **state)
{
	(void)state;
	for (size_t n = 0; n < 60; n++) {
		struct replica row = row_of_snapshots(all_same, 4, n, n);
		assert_int_equal(row.pairs, n / 2);
		assert_int_equal(row.own.verdict, n >= 8   ? VERDICT_REPLICA
						  : n == 7 ? VERDICT_FEW_VALUES
						  : n >= 5 ? VERDICT_SOME_EQUAL
							   : VERDICT_UNKNOWN);
		assert_int_equal(row.source, n > 1 ? REPLICA_SCAN : REPLICA_NONE);
		if (n < 2)
			assert_true(isnan(row.theta) && isnan(row.alpha) && isnan(row.omega) &&
				    isnan(row.gamma) && isnan(row.identical) &&
				    isnan(row.theta_ci.low) && isnan(row.own.largest) &&
				    isnan(row.own.saved_bytes) && isnan(row.immutable) &&
				    isnan(row.unused) && isnan(row.own.distinct));
		replica_release(&row);
	}
}

/* ---- a part that could change ---------------------------------------------------------------- */

/* A row of objects that cannot change, [0], and of some that could, [1]. */
struct mixed {
	struct objects of[2];
};

static void mixed_init(struct mixed *m)
{
	objects_init(&m->of[0], 2, 1);
	objects_init(&m->of[1], 2, 2);
	objects_may_change(&m->of[1]);
}

static struct replica row_of_mixed(struct mixed *m)
{
	static const struct replica_options options = PROGRAM_OPTIONS;
	struct model_context *contexts[] = { &m->of[0].context, &m->of[1].context };
	struct replica row;

	replica_compute(&row, contexts, 2, &options);
	objects_release(&m->of[0]);
	objects_release(&m->of[1]);
	assert_true(row.constant_class);
	return row;
}

/* 45 of 100 are alike and cannot change, and 24 that could are alike with them at the end. */
static struct replica row_with_a_part(bool locked)
{
	struct mixed m;

	mixed_init(&m);
	for (uint32_t i = 0; i < 1000; i++) {
		struct objects *to = &m.of[i % 100 >= 76];
		struct object object = object_of(7);
		if (i % 100 < 31)
			object.values[1] = 1000 + i;
		object.weight = 1000;
		object.ticket = i;
		object.flags = locked && i == 0 ? WIRE_LOCKED : 0;
		objects_allocate(to, 0, 32, 1, 1000);
		objects_snapshot(to, &object);
	}
	return row_of_mixed(&m);
}

/* The former save a quarter for sure; if their identity matters, all are alike at the end. */
static void alike_with_a_part(void **state)
{
	struct replica row = row_with_a_part(true);

	(void)state;
	assert_int_equal(row.own.verdict, VERDICT_ALIKE);
	assert_int_equal(row.own.decision.doubt, DOUBT_IDENTITY);
	assert_true(row.own.decision.top_low > 0.6 && row.own.decision.missing == 0);
	replica_release(&row);
	row = row_with_a_part(false);
	assert_int_equal(row.own.verdict, VERDICT_SOME_EQUAL);
	assert_true(fabs(row.own.likely_end_bytes / row.bytes - 0.69) < 0.005);
	assert_true(row.saved_end_bytes / row.bytes > 0.62);
	assert_true(fabs(row.own.likely_bytes / row.bytes - 0.45) < 0.005);
	replica_release(&row);
}

/*
 * Seen in use alone: 49 of 100 have one of three contents and cannot change, 24 could change and
 * have one of two. Nothing is known of the latter at other times, so merging saves less than half.
 */
static void few_when_used(void **state)
{
	(void)state;
	for (uint32_t n = 20; n <= 30; n++) {
		uint32_t constant = n * 49 / 100, changing = n * 24 / 100;
		struct mixed m;
		mixed_init(&m);
		for (uint32_t i = 0; i < n; i++) {
			bool part = i >= constant && i < constant + changing;
			struct objects *to = &m.of[part];
			struct object used = object_of(part	      ? 10 + i % 2
						       : i < constant ? i % 3
								      : 1000 + i);
			used.weight = 1000;
			used.ticket = i;
			objects_allocate(to, 0, 32, 1, 1000);
			objects_use(to, &used, 1, 0);
			if (i >= n - 5)
				objects_snapshot(to, &used);
		}
		struct replica row = row_of_mixed(&m);
		assert_true(row.own.verdict == VERDICT_UNKNOWN ||
			    row.own.verdict == VERDICT_SOME_EQUAL);
		replica_release(&row);
	}
}

int unit_replica_verdicts(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_by_snapshots), cmocka_unit_test(verdicts_by_uses),
		cmocka_unit_test(two_contents),		 cmocka_unit_test(too_little_evidence),
		cmocka_unit_test(alike_with_a_part),	 cmocka_unit_test(few_when_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_verdict.c - the rule of the verdict, claim by claim, and how often it is wrong about known
 * truths.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "analyse/replica/replica.h"
#include "analyse/replica/verdict.h"
#include "base/rng.h"

#define assert_verdict(e, want) \
	assert_string_equal(replica_verdict_name(verdict_of(&(e), NULL)), want)

/* `alike` snapshots of one content and `alone` ones of distinct contents. */
static struct spread spread_of(size_t alike, size_t alone)
{
	struct spread_snapshot snapshots[400];
	struct spread s;

	for (size_t i = 0; i < alike + alone; i++)
		snapshots[i] = (struct spread_snapshot){ i < alike ? 0 : i + 1, 1 };
	spread_measure(&s, snapshots, alike + alone, 0, 1);
	return s;
}

/* `each` snapshots of each of `groups` contents. */
static struct spread groups_of(size_t groups, size_t each)
{
	struct spread_snapshot snapshots[400];
	struct spread s;

	for (size_t i = 0; i < groups * each; i++)
		snapshots[i] = (struct spread_snapshot){ i % groups, 1 };
	spread_measure(&s, snapshots, groups * each, 0, 1);
	return s;
}

/* Snapshots only, of objects that cannot change. */
static struct verdict_evidence snapshots_of(struct spread end)
{
	return (struct verdict_evidence){ .end = end,
					  .end_most = end,
					  .kept = 1e-6,
					  .constant = true,
					  .slots = NAN,
					  .equal_low = NAN,
					  .values_low = NAN };
}

static void by_snapshots(void **state)
{
	struct verdict_evidence e;

	(void)state;
	e = snapshots_of(spread_of(8, 0));
	assert_verdict(e, "replica");
	e = snapshots_of(spread_of(7, 0));
	assert_verdict(e, "few-values"); /* 7 of 7 have an equal one: at least half do */
	e = snapshots_of(spread_of(11, 1));
	assert_verdict(e, "replica");
	e = snapshots_of(spread_of(5, 0));
	assert_verdict(e, "some-equal");
	e = snapshots_of(spread_of(4, 0)); /* bounds hold from five on */
	assert_verdict(e, "unknown");
	e = snapshots_of(groups_of(2, 20));
	assert_verdict(e, "few-values");
	e.kept = 0.6; /* one object of each content is most of them */
	assert_verdict(e, "some-equal");
	e.kept = 0.8;
	assert_verdict(e, "unknown");
	e = snapshots_of(spread_of(1, 46));
	assert_verdict(e, "distinct");
	e = snapshots_of(spread_of(1, 40));
	assert_verdict(e, "unknown");
	e = snapshots_of(spread_of(30, 30)); /* half, as far as is known */
	assert_verdict(e, "some-equal");
	e = snapshots_of(groups_of(0, 0));
	assert_verdict(e, "unknown");
}

/* Contents that are not known to differ make nothing distinct. */
static void unknown_contents(void **state)
{
	struct verdict_evidence e = snapshots_of(spread_of(0, 100));

	(void)state;
	e.end_most = spread_of(100, 0);
	assert_verdict(e, "unknown");
	e.end_most = spread_of(0, 100);
	assert_verdict(e, "distinct");
}

/*
 * With references, pairs show that one content dominates each epoch; but not if objects differ when
 * used, or change.
 */
static void one_at_a_time(void **state)
{
	struct verdict_evidence e = snapshots_of(groups_of(10, 10));

	(void)state;
	assert_verdict(e, "few-values");
	e.equal_low = 0.49;
	assert_verdict(e, "few-values");
	e.equal_low = 0.5;
	assert_verdict(e, "replica");
	e.use = e.use_most = groups_of(10, 10);
	assert_verdict(e, "few-values");
	e.use_most = spread_of(100, 0); /* addresses of different epochs */
	assert_verdict(e, "replica");
	e.constant = false;
	assert_verdict(e, "alike-at-end");
	e = snapshots_of(spread_of(0, 100)); /* pairs alone are not enough */
	e.equal_low = 1;
	assert_verdict(e, "distinct");
}

/* 12 of 20 differed when used; 2 of 2 did not; 12 of 12 did not. */
static void change_decides(void **state)
{
	struct verdict_evidence e = snapshots_of(spread_of(20, 0));
	enum replica_doubt doubt;

	(void)state;
	e.constant = false;
	assert_int_equal(verdict_of(&e, &doubt), VERDICT_ALIKE);
	assert_int_equal(doubt, DOUBT_UNSEEN);
	e.seen_used = 20;
	e.same = 0.4;
	assert_int_equal(verdict_of(&e, &doubt), VERDICT_ALIKE);
	assert_int_equal(doubt, DOUBT_CHANGES);
	e.seen_used = 2;
	e.same = 1;
	assert_int_equal(verdict_of(&e, &doubt), VERDICT_ALIKE);
	assert_int_equal(doubt, DOUBT_UNSEEN);
	e.seen_used = 12;
	assert_int_equal(verdict_of(&e, &doubt), VERDICT_REPLICA);
	assert_int_equal(doubt, DOUBT_NONE);
	e.use = e.use_most = spread_of(1, 60); /* contents are rare among all used objects */
	assert_verdict(e, "distinct");
}

/* By uses alone: of all objects, half must be alike, whatever the sizes hold that no use is of. */
static void unused_sizes(void **state)
{
	struct verdict_evidence e = snapshots_of(groups_of(0, 0));

	(void)state;
	e.constant = false;
	e.use = e.use_most = spread_of(40, 0);
	e.used_seen = 40;
	e.used_same = 1;
	assert_verdict(e, "replica");
	e.unused_sizes = 0.4;
	assert_verdict(e, "replica");
	e.unused_sizes = 0.6;
	assert_verdict(e, "some-equal");
	e.unused_sizes = 1;
	assert_verdict(e, "unknown");
}

static void identity_decides(void **state)
{
	struct verdict_evidence e = snapshots_of(spread_of(100, 0));
	enum replica_doubt doubt;

	(void)state;
	e.identity = true;
	assert_int_equal(verdict_of(&e, &doubt), VERDICT_ALIKE);
	assert_int_equal(doubt, DOUBT_IDENTITY);
	e.identity = false;
	e.referred = true;
	assert_int_equal(verdict_of(&e, &doubt), VERDICT_ALIKE);
	assert_int_equal(doubt, DOUBT_REFERRED);
	e.use = e.use_most = spread_of(100, 0); /* uses show nothing of deep contents */
	assert_verdict(e, "alike-at-end");
}

/* Of objects that could change, `n` were seen in use; at most `same` of these stayed the same. */
static struct verdict_evidence changing_of(double n, double same)
{
	struct verdict_evidence e = snapshots_of(spread_of(0, 30));

	e.constant = false;
	e.all_used = n;
	e.all_same = same / n;
	return e;
}

/* At most a quarter stays the same: 0 of 17, 1 of 20, 6 of 45. */
static void changing(void **state)
{
	struct verdict_evidence e;

	(void)state;
	e = changing_of(17, 0);
	assert_verdict(e, "changing");
	e = changing_of(16, 0);
	assert_verdict(e, "unknown");
	e = changing_of(19, 1);
	assert_verdict(e, "unknown");
	e = changing_of(20, 1);
	assert_verdict(e, "changing");
	e = changing_of(44, 6);
	assert_verdict(e, "unknown");
	e = changing_of(45, 6);
	assert_verdict(e, "changing");
	e = changing_of(20, 0);
	e.live = true;
	assert_verdict(e, "changing");
	e = changing_of(17, 0);
	e.live = true; /* 0.75 ^ 17 is more than 0.001 */
	assert_verdict(e, "unknown");
	e = changing_of(1000, 250);
	assert_verdict(e, "unknown");
}

/* What speaks against it, and what it contradicts. */
static void changing_among_others(void **state)
{
	struct verdict_evidence e = changing_of(40, 0);
	enum replica_doubt doubt;

	(void)state;
	e.constant = true;
	assert_verdict(e, "unknown");
	e = changing_of(0, 0); /* as of deep contents, of which it is never known */
	e.all_same = 0;
	assert_verdict(e, "unknown");
	e = changing_of(40, 0); /* they end alike, and were not alike when used */
	e.end = e.end_most = spread_of(40, 0);
	e.seen_used = 10;
	assert_int_equal(verdict_of(&e, &doubt), VERDICT_CHANGING);
	assert_int_equal(doubt, DOUBT_NONE);
	e.all_used = 10;
	assert_int_equal(verdict_of(&e, &doubt), VERDICT_ALIKE);
	assert_int_equal(doubt, DOUBT_CHANGES);
	e.all_used = 40;
	e.seen_used = 20;
	e.same = 1; /* evidence for both: what is proven to be alike comes first */
	assert_verdict(e, "replica");
	e = changing_of(40, 0);
	e.end = e.end_most = spread_of(0, 100);
	assert_verdict(e, "changing"); /* not only distinct */
}

/* Merging saves a quarter: what part of the objects is alike, times what stays the same. */
static void some_equal(void **state)
{
	struct verdict_evidence e = snapshots_of(spread_of(30, 30));

	(void)state;
	assert_verdict(e, "some-equal");
	e.constant = false;
	assert_verdict(e, "unknown"); /* nothing was seen in use */
	e.seen_used = 40;
	e.same = 1;
	assert_verdict(e, "some-equal");
	e.same = 0.6; /* too few stay the same */
	assert_verdict(e, "unknown");
	e = snapshots_of(spread_of(60, 0)); /* half of them may change */
	e.constant = false;
	e.seen_used = 40;
	e.same = 0.5;
	assert_verdict(e, "some-equal");
	e.use_most = spread_of(1, 60); /* all differ when used */
	assert_verdict(e, "distinct");
	e.use_most = spread_of(0, 0);
	e.identity = true;
	assert_verdict(e, "alike-at-end");
	e = snapshots_of(spread_of(30, 30));
	e.kept = 0.3; /* one object of each content is as much */
	assert_verdict(e, "unknown");
	e = snapshots_of(spread_of(16, 64)); /* 0.2 */
	assert_verdict(e, "unknown");
}

static void by_uses(void **state)
{
	struct verdict_evidence e = snapshots_of(spread_of(0, 0));

	(void)state;
	e.constant = false;
	e.use = e.use_most = spread_of(10, 0);
	assert_verdict(e, "unknown"); /* what becomes of them was not seen */
	e.any_age = spread_of(4, 0);
	assert_verdict(e, "unknown");
	e.any_age = spread_of(10, 0); /* but they are of any age */
	assert_verdict(e, "replica");
	e.any_age = spread_of(0, 0);
	e.used_seen = 10;
	e.used_same = 1;
	assert_verdict(e, "replica");
	e.used_seen = 40;
	e.used_same = 0.49; /* buffers that are empty at their first use */
	assert_verdict(e, "unknown");
	e.used_same = 1;
	e.end = e.end_most = spread_of(2, 60); /* they end differently */
	assert_verdict(e, "distinct");
	e = snapshots_of(spread_of(0, 0));
	e.use = e.use_most = groups_of(10, 6);
	assert_verdict(e, "few-values");
	e.use = e.use_most = spread_of(0, 50);
	assert_verdict(e, "distinct");
	e.values_low = 0.6;
	assert_verdict(e, "partial");
}

static void by_slots(void **state)
{
	struct verdict_evidence e = snapshots_of(spread_of(0, 60));

	(void)state;
	e.slots = 0.75;
	e.slots_n = 60;
	assert_verdict(e, "partial");
	e.slots = 0.3;
	assert_verdict(e, "distinct");
	e.slots = 0.75;
	e.slots_n = 4;
	assert_verdict(e, "distinct");
	e = snapshots_of(spread_of(60, 0));
	e.slots = 1;
	e.slots_n = 60;
	assert_verdict(e, "replica");
	e.constant = false;
	assert_verdict(e, "alike-at-end");
}

static void what_is_missing(void **state)
{
	struct verdict_evidence e = snapshots_of(spread_of(8, 0));

	(void)state;
	assert_true(verdict_missing(&e) == 0);
	e = snapshots_of(spread_of(0, 0));
	assert_true(verdict_missing(&e) == 8);
	e = snapshots_of(spread_of(3, 0));
	assert_true(verdict_missing(&e) == 2); /* 5 of 5 save a quarter */
	e = snapshots_of(spread_of(0, 20));
	assert_true(verdict_missing(&e) == 26);
	e = snapshots_of(spread_of(25, 75)); /* a quarter, as far as is known */
	assert_true(verdict_missing(&e) > 1000);
	e = changing_of(15, 0); /* 16.01 uses are enough, of 34.2 snapshots */
	e.end = e.end_most = spread_of(16, 16);
	e.end.snapshots = 32;
	assert_true(verdict_missing(&e) == 3);
	for (size_t n = 2; n < 40; n++) { /* with that many more there is a verdict */
		e = snapshots_of(spread_of(0, n));
		struct verdict_evidence more =
			snapshots_of(spread_of(0, n + (size_t)verdict_missing(&e)));
		assert_verdict(more, "distinct");
	}
}

/* While snapshots arrive, each claim is made at a tenth of the risk. */
static void live(void **state)
{
	struct verdict_evidence e = snapshots_of(spread_of(8, 0));

	(void)state;
	e.live = true;
	assert_verdict(e, "some-equal");
	e = snapshots_of(spread_of(14, 0));
	e.live = true;
	assert_verdict(e, "replica");
}

/* ---- how often it is wrong --------------------------------------------------------------- */

/* Snapshots of a mix: `share` has one content, `second` another; the others are distinct. */
static struct spread draw(double share, double second, size_t n, struct rng *rng)
{
	struct spread_snapshot snapshots[64];
	struct spread s;

	for (size_t i = 0; i < n; i++) {
		double u = rng_unit(rng);
		snapshots[i].content = u < share ? 0 : u < share + second ? 1 : rng_next(rng) | 2;
		snapshots[i].v = 1;
	}
	spread_measure(&s, snapshots, n, 0, 1);
	return s;
}

/*
 * The worst truths: a content just too rare for a replica, values just too many for few, a little
 * more than a quarter in 16.
 */
static void worst_truths(void **state)
{
	enum { TRIALS = 4000 };
	struct rng rng = { 77 };

	(void)state;
	for (size_t n = 5; n <= 50; n += 5) {
		int replica = 0, two = 0, few = 0, some = 0;
		for (int i = 0; i < TRIALS; i++) {
			struct verdict_evidence e = snapshots_of(draw(0.49, 0, n, &rng));
			enum replica_verdict v = verdict_of(&e, NULL);
			replica += v == VERDICT_REPLICA;
			few += v == VERDICT_FEW_VALUES || v == VERDICT_DISTINCT;
			e = snapshots_of(draw(0.49, 0.49, n, &rng));
			two += verdict_of(&e, NULL) == VERDICT_REPLICA;
			e = snapshots_of(draw(0.24, 0, n, &rng));
			v = verdict_of(&e, NULL);
			some += v != VERDICT_UNKNOWN && v != VERDICT_DISTINCT;
		}
		assert_true(replica + few <= 0.05 * TRIALS + 50);
		assert_true(two <= 0.05 * TRIALS + 40);
		assert_true(some <= (n < 20 ? 0.01 : 0.05) * TRIALS + 25);
	}
}

/* Truths that are uniform in 0..1: at most one verdict of a hundred is wrong. */
static void mixed_truths(void **state)
{
	enum { TRIALS = 40000 };
	struct rng rng = { 78 };
	int wrong = 0, decided = 0;

	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		double share = rng_unit(&rng);
		size_t n = 5 + rng_below(&rng, 26);
		struct verdict_evidence e = snapshots_of(draw(share, 0, n, &rng));
		enum replica_verdict v = verdict_of(&e, NULL);
		wrong += (v == VERDICT_REPLICA || v == VERDICT_FEW_VALUES) && share < 0.5;
		wrong += v == VERDICT_SOME_EQUAL && share < 0.25;
		wrong += v == VERDICT_DISTINCT && share > 0.25;
		decided += v != VERDICT_UNKNOWN;
	}
	assert_true(wrong <= TRIALS / 100);
	assert_true(decided > TRIALS / 8);
}

/* Of several processes all contents differ, whatever they are. */
static void several_processes(void **state)
{
	struct rng rng = { 79 };
	struct verdict_evidence e = snapshots_of(draw(0, 0, 60, &rng));

	(void)state;
	assert_int_equal(verdict_of(&e, NULL), VERDICT_DISTINCT);
	e.several = true;
	assert_int_equal(verdict_of(&e, NULL), VERDICT_UNKNOWN);
}

int unit_verdict(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_snapshots),	  cmocka_unit_test(unknown_contents),
		cmocka_unit_test(change_decides), cmocka_unit_test(one_at_a_time),
		cmocka_unit_test(unused_sizes),	  cmocka_unit_test(identity_decides),
		cmocka_unit_test(changing),	  cmocka_unit_test(changing_among_others),
		cmocka_unit_test(some_equal),	  cmocka_unit_test(by_uses),
		cmocka_unit_test(by_slots),	  cmocka_unit_test(what_is_missing),
		cmocka_unit_test(live),		  cmocka_unit_test(worst_truths),
		cmocka_unit_test(mixed_truths),	  cmocka_unit_test(several_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

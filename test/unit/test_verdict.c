/* SPDX-License-Identifier: Apache-2.0 */
/* test_verdict.c - the rule of the verdict, claim by claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "analyse/replica/replica.h"
#include "analyse/replica/verdict.h"

static const struct bounds_range unmeasured = { NAN, NAN };

static struct bounds_range range(double low, double high)
{
	return (struct bounds_range){ low, high };
}

/* Pairs of one context and one size, and nothing else. */
static struct verdict_evidence pairs_only(double low, double high)
{
	return (struct verdict_evidence){
		.pairs = 1000,
		.min_pairs = 30,
		.one_context = true,
		.identical = range(low, high),
		.within = range(low, high),
		.alike = range(0, 0.01),
		.other = unmeasured,
		.other_within = unmeasured,
		.group = unmeasured,
		.covered = unmeasured,
		.covered_deep_high = NAN,
		.lasting = NAN,
		.contents_share = NAN,
		.sizes_share = 1e-6,
	};
}

static void by_pairs_alone(void **state)
{
	struct verdict_evidence e = pairs_only(0.95, 1);

	(void)state;
	assert_int_equal(verdict_of(&e), VERDICT_REPLICA);
	e = pairs_only(0.334, 0.4);
	assert_int_equal(verdict_of(&e), VERDICT_REPLICA);
	e = pairs_only(0.332, 0.4);
	assert_int_equal(verdict_of(&e), VERDICT_FEW_VALUES);
	e = pairs_only(0.063, 0.2); /* 1/16: at least a quarter of the objects is in groups */
	assert_int_equal(verdict_of(&e), VERDICT_FEW_VALUES);
	e = pairs_only(0.062, 0.2);
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
	e = pairs_only(0, 0.124); /* what contents there are is not known */
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
	e.covered = range(0, 0.01);
	assert_int_equal(verdict_of(&e), VERDICT_DISTINCT);
	e = pairs_only(0, 0.126); /* not enough to rule a large group out */
	e.covered = range(0, 0.01);
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
	e = pairs_only(0, 1);
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
}

static void enough_pairs(void **state)
{
	struct verdict_evidence e = pairs_only(0.95, 1);

	(void)state;
	e.pairs = 29;
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
	e.pairs = 30;
	assert_int_equal(verdict_of(&e), VERDICT_REPLICA);
	e.identical = unmeasured;
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
}

/* Looks speak alone where references leave few pairs: of one size, 1000 objects, none used. */
static void looks_alone(void **state)
{
	struct verdict_evidence e = pairs_only(0, 1);

	(void)state;
	e.pairs = 0;
	e.looks = 60;
	e.identical = e.within = e.alike = unmeasured;
	e.group = range(0.51, 0.9);
	assert_int_equal(verdict_of(&e), VERDICT_REPLICA);
	e.looks = 59;
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
	e.looks = 60;
	e.group = range(0.49, 0.9);
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
	e.covered = range(0.5, 0.9);
	e.contents_share = 0.2;
	assert_int_equal(verdict_of(&e), VERDICT_FEW_VALUES);
	e.contents_share = 0.26;
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
	e.covered = range(0, 0.01); /* no claim without pairs that all differ */
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
}

/* Looks and pairs must not contradict each other; pairs that tell little do not. */
static void looks_and_pairs(void **state)
{
	struct verdict_evidence e = pairs_only(0.05, 0.26);

	(void)state;
	e.looks = 60;
	e.group = range(0.51, 0.9);
	assert_int_equal(verdict_of(&e), VERDICT_REPLICA);
	e.identical = e.within = range(0.05, 0.24);
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
	e.identical = e.within = range(0.05, 0.26);
	e.other = e.other_within = range(0, 0.2);
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
	e.other = e.other_within = unmeasured;
	e.lasting = 0.4;
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
}

/* Equal values, however many, do not make a replica. */
static void values_are_not_contents(void **state)
{
	struct verdict_evidence e = pairs_only(0, 0.01);

	(void)state;
	e.alike = range(0.99, 1);
	assert_int_equal(verdict_of(&e), VERDICT_PARTIAL);
	e.alike = range(0.49, 1);
	e.covered = range(0, 0.01);
	assert_int_equal(verdict_of(&e), VERDICT_DISTINCT);
	e = pairs_only(0.4, 0.5);
	e.alike = range(0.99, 1);
	assert_int_equal(verdict_of(&e), VERDICT_REPLICA);
}

/* What holds at a use has to hold at the end of life. */
static void both_sources(void **state)
{
	struct verdict_evidence e = pairs_only(0.95, 1);

	(void)state;
	e.other = e.other_within = range(0, 0.01);
	e.covered = range(0, 0.01);
	assert_int_equal(verdict_of(&e), VERDICT_DISTINCT);
	e.other = e.other_within = range(0.08, 0.12);
	assert_int_equal(verdict_of(&e), VERDICT_FEW_VALUES);
	e.other = e.other_within = range(0.1, 1);
	assert_int_equal(verdict_of(&e), VERDICT_REPLICA);
	e = pairs_only(0, 0.01);
	e.other = e.other_within = range(0.95, 1);
	e.covered = range(0, 0.01);
	assert_int_equal(verdict_of(&e), VERDICT_DISTINCT);
}

static void by_groups(void **state)
{
	struct verdict_evidence e = pairs_only(0.25, 0.4);

	(void)state;
	/* half of the objects are seen to be the same: a lesser A/n will do */
	e.group = range(0.52, 0.6);
	assert_int_equal(verdict_of(&e), VERDICT_REPLICA);
	e.group = range(0.48, 0.6);
	assert_int_equal(verdict_of(&e), VERDICT_FEW_VALUES);
	e = pairs_only(0.19, 0.4);
	e.group = range(0.52, 0.6);
	assert_int_equal(verdict_of(&e), VERDICT_FEW_VALUES);
	/* contexts that are each all equal, but not to each other */
	e = pairs_only(0.99, 1);
	e.one_context = false;
	e.group = range(0.09, 0.11);
	assert_int_equal(verdict_of(&e), VERDICT_FEW_VALUES);
}

/* A hundred equally frequent contents: no pair tells them from a million, coverage does. */
static void by_coverage(void **state)
{
	struct verdict_evidence e = pairs_only(0.005, 0.015);

	(void)state;
	e.covered = range(0.98, 1);
	e.contents_share = 1e-4;
	assert_int_equal(verdict_of(&e), VERDICT_FEW_VALUES);
	e.contents_share = 0.8; /* but hardly more objects than contents */
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
	e.covered = range(0, 0.02);
	assert_int_equal(verdict_of(&e), VERDICT_DISTINCT);
	e.covered = range(0.2, 0.26);
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
}

/* Larger than was followed, and few of an epoch: pairs are unequal, and what that is worth is not known. */
static void by_deep_coverage(void **state)
{
	struct verdict_evidence e = pairs_only(0, 0.015);

	(void)state;
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
	e.covered_deep_high = 0.26;
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
	e.covered_deep_high = 0.24;
	assert_int_equal(verdict_of(&e), VERDICT_DISTINCT);
	e.covered = range(0, 0.3); /* contents as such tell themselves */
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
}

/* A hundred lengths of one content each: A/n is 0.01, yet within a length all are equal. */
static void by_sizes(void **state)
{
	struct verdict_evidence e = pairs_only(0.009, 0.011);

	(void)state;
	e.within = range(0.9, 1);
	assert_int_equal(verdict_of(&e), VERDICT_FEW_VALUES);
	e.sizes_share = 0.7; /* as many lengths as objects, nearly */
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
	/* Unequal sizes alone do not make contents distinct. */
	e = pairs_only(0, 0.001);
	e.within = range(0, 0.9);
	e.covered = range(0, 0.9);
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
}

/* The root of A/n bounds the share of objects in groups within one context only. */
static void several_contexts(void **state)
{
	struct verdict_evidence e = pairs_only(0.07, 0.08);

	(void)state;
	e.one_context = false;
	e.covered = range(0, 0.01);
	assert_int_equal(verdict_of(&e), VERDICT_DISTINCT);
	e.one_context = true;
	assert_int_equal(verdict_of(&e), VERDICT_FEW_VALUES);
}

/* Alike at the end of life, but half of the objects were something else when used. */
static void objects_that_change(void **state)
{
	struct verdict_evidence e = pairs_only(0.95, 1);

	(void)state;
	e.covered = range(0.99, 1);
	e.contents_share = 1e-6;
	e.lasting = 0.99;
	assert_int_equal(verdict_of(&e), VERDICT_REPLICA);
	e.lasting = 0.5; /* no more than a quarter of the pairs can be equal */
	assert_int_equal(verdict_of(&e), VERDICT_FEW_VALUES);
	e.lasting = 0.2;
	assert_int_equal(verdict_of(&e), VERDICT_UNKNOWN);
}

static void names(void **state)
{
	(void)state;
	assert_string_equal(replica_verdict_name(VERDICT_UNKNOWN), "unknown");
	assert_string_equal(replica_verdict_name(VERDICT_REPLICA), "replica");
	assert_string_equal(replica_verdict_name(VERDICT_FEW_VALUES), "few-values");
	assert_string_equal(replica_verdict_name(VERDICT_PARTIAL), "partial");
	assert_string_equal(replica_verdict_name(VERDICT_DISTINCT), "distinct");
}

int unit_verdict(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_pairs_alone),
		cmocka_unit_test(enough_pairs),
		cmocka_unit_test(looks_alone),
		cmocka_unit_test(looks_and_pairs),
		cmocka_unit_test(values_are_not_contents),
		cmocka_unit_test(both_sources),
		cmocka_unit_test(by_groups),
		cmocka_unit_test(by_deep_coverage),
		cmocka_unit_test(by_coverage),
		cmocka_unit_test(by_sizes),
		cmocka_unit_test(several_contexts),
		cmocka_unit_test(objects_that_change),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

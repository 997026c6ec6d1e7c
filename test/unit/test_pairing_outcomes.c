/* SPDX-License-Identifier: Apache-2.0 */
/* test_pairing_outcomes.c - the results of comparing the two objects of a pair. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pairing_fixture.h"

/* The outcome of comparing two snapshots. */
static enum pair_outcome outcome_of(uint32_t nfields, const struct object *x,
				    const struct object *y, uint64_t seed)
{
	struct objects o;
	struct pairs pairs;

	objects_init(&o, nfields, 1);
	objects_snapshot(&o, x);
	objects_snapshot(&o, y);
	pair(&pairs, &o, pairing_snapshots, seed);
	assert_int_equal(pairs.n, 1);
	enum pair_outcome outcome = pairs.pair[0].outcome;
	release(&pairs, &o);
	return outcome;
}

static void outcomes_of_snapshots(void **state)
{
	struct object one = { .weight = 1, .values = { 1, 1 } };
	struct object two = { .weight = 1, .values = { 2, 2 } };
	struct object half = { .weight = 1, .values = { 1, 2 } };
	int alike = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 400; seed++) {
		assert_int_equal(outcome_of(2, &one, &one, seed), PAIR_EQUAL);
		assert_int_equal(outcome_of(2, &one, &two, seed), PAIR_DIFFERENT);
		enum pair_outcome outcome = outcome_of(2, &one, &half, seed);
		assert_true(outcome == PAIR_ALIKE || outcome == PAIR_DIFFERENT);
		alike += outcome == PAIR_ALIKE;
	}
	assert_true(alike > 150 && alike < 250); /* 5 standard deviations of 400 throws */
}

/* Objects without positions cannot differ: new Object(), an empty array. */
static void empty_content(void **state)
{
	struct object empty = { .weight = 1 };

	(void)state;
	assert_int_equal(outcome_of(0, &empty, &empty, 1), PAIR_EQUAL);
}

/* Equal up to a bound is not equal; a slot outside the hashed part may show a difference. */
static void partial_content(void **state)
{
	struct object x = { .weight = 1, .flags = WIRE_PARTIAL, .values = { 1, 1 } };
	struct object y = { .weight = 1, .flags = WIRE_PARTIAL, .values = { 1, 2 } };
	struct objects o;
	struct pairs pairs;

	(void)state;
	assert_int_equal(outcome_of(2, &x, &x, 1), PAIR_UNPROVEN);
	for (uint64_t seed = 0; seed < 50; seed++) {
		objects_init(&o, 2, 1);
		objects_snapshot(&o, &x);
		objects_snapshot(&o, &y);
		o.context.snapshots[1]->content = o.context.snapshots[0]->content;
		pair(&pairs, &o, pairing_snapshots, seed);
		assert_true(pairs.pair[0].outcome == PAIR_ALIKE ||
			    pairs.pair[0].outcome == PAIR_DIFFERENT);
		release(&pairs, &o);
	}
	objects_init(&o, 2, 1);
	objects_use(&o, &x, 1, 0);
	objects_use(&o, &x, 1, 0);
	pair(&pairs, &o, pairing_uses, 1);
	assert_int_equal(pairs.pair[0].outcome, PAIR_UNPROVEN);
	release(&pairs, &o);
}

/* One holds a reference and one holds none; in a damaged file both may have the same hash. */
static void never_equal_if_mixed(void **state)
{
	struct object none = { .weight = 1, .values = { 1 } };
	struct object some = { .weight = 1, .values = { 1 }, .flags = WIRE_REFS };
	struct objects o;
	struct pairs pairs;
	size_t mixed = 0;

	(void)state;
	objects_init(&o, 1, 1);
	for (int i = 0; i < 100; i++)
		objects_snapshot(&o, i & 1 ? &none : &some);
	pair(&pairs, &o, pairing_snapshots, 1);
	for (size_t i = 0; i < pairs.n; i++) {
		bool is_mixed = pairs.pair[i].kind == PAIR_MIXED;
		assert_int_equal(pairs.pair[i].outcome, is_mixed ? PAIR_ALIKE : PAIR_EQUAL);
		mixed += is_mixed;
	}
	assert_true(mixed > 10);
	release(&pairs, &o);
}

static void outcomes_of_uses(void **state)
{
	struct object one = { .weight = 1, .values = { 1, 1 } };
	struct object half = { .weight = 1, .values = { 1, 2 } };
	struct objects o;
	struct pairs pairs;

	(void)state;
	objects_init(&o, 2, 1);
	for (uint32_t position = 0; position < 2; position++) {
		objects_use(&o, &one, 1, position);
		objects_use(&o, &half, 1, position);
	}
	objects_use(&o, &one, 2, 0);
	objects_use(&o, &one, 2, 0);
	pair(&pairs, &o, pairing_uses, 1);
	assert_int_equal(pairs.n, 3);
	assert_int_equal(count(&pairs, PAIR_ALIKE), 1);
	assert_int_equal(count(&pairs, PAIR_DIFFERENT), 1);
	assert_int_equal(count(&pairs, PAIR_EQUAL), 1);
	release(&pairs, &o);
}

/* A long and three bytes: eight of eleven bytes are the long's. */
static void slots_by_bytes(void **state)
{
	struct objects o;
	struct pairs pairs;

	(void)state;
	objects_init(&o, 4, 1);
	o.fields[0].size = 8;
	for (int k = 1; k < 4; k++)
		o.fields[k].size = 1;
	for (uint32_t i = 0; i < 8000; i++)
		objects_snapshot(&o, &(struct object){ .weight = 1, .values = { i, 1, 1, 1 } });
	pair(&pairs, &o, pairing_snapshots, 1);
	double different = (double)count(&pairs, PAIR_DIFFERENT) / 4000;
	assert_true(fabs(different - 8.0 / 11) < 5 * sqrt(8.0 / 11 * 3 / 11 / 4000));
	assert_int_equal(count(&pairs, PAIR_EQUAL), 0);
	release(&pairs, &o);
}

/* Weighted share of equal values. */
static double equal_values(const struct pairs *pairs)
{
	double sum = 0, all = 0;

	for (size_t i = 0; i < pairs->n; i++) {
		const struct pair *p = &pairs->pair[i];
		all += p->value_weight;
		sum += p->outcome != PAIR_DIFFERENT ? p->value_weight : 0;
	}
	return sum / all;
}

/*
 * Uses found by samples have small weights; uses that watches found by themselves have large ones.
 * Half of the uses are of each kind, and only those of one kind are equal.
 */
static void weights_of_samples(void **state)
{
	struct objects o;
	struct pairs pairs;

	(void)state;
	objects_init(&o, 1, 1);
	for (uint64_t i = 0; i < 2000; i++) {
		struct object seen = { .weight = 5000, .values = { 1 } };
		struct object sampled = { .weight = 3, .values = { i + 2 }, .flags = WIRE_SAMPLED };
		objects_use(&o, &seen, 1, 0);
		objects_use(&o, &sampled, 1, 0);
	}
	pair(&pairs, &o, pairing_uses, 1);
	assert_int_equal(pairs.n, 2000);
	double equal = share(&pairs, PAIR_PLAIN, PAIR_EQUAL);
	assert_true(fabs(equal - 0.25) < 5 * sqrt(0.25 * 0.75 / 2000));
	release(&pairs, &o);
}

/*
 * Elements have equal weight if the program chose which are seen, however often it reads them;
 * otherwise they count as seen.
 */
static void elements_of_samples(void **state)
{
	(void)state;
	for (int sampled = 0; sampled < 2; sampled++) {
		struct objects o;
		struct pairs pairs;
		objects_init(&o, 0, 1);
		for (uint64_t i = 0; i < 700; i++) {
			struct object object = { .weight = 1, .array_length = 4 };
			uint32_t position = i < 640 ? 0 : 1 + (uint32_t)i % 3;
			object.values[1] = object.values[2] = object.values[3] = i;
			object.flags = sampled ? WIRE_SAMPLED : 0;
			objects_use(&o, &object, 1, position);
		}
		pair(&pairs, &o, pairing_uses, 1);
		assert_int_equal(pairs.n, 350);
		double expected = sampled ? 1 / 4.0 : 640 / 700.0;
		assert_true(fabs(equal_values(&pairs) - expected) < 1e-9);
		assert_int_equal(count(&pairs, PAIR_EQUAL), 0);
		release(&pairs, &o);
	}
}

int unit_pairing_outcomes(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outcomes_of_snapshots), cmocka_unit_test(empty_content),
		cmocka_unit_test(partial_content),	 cmocka_unit_test(never_equal_if_mixed),
		cmocka_unit_test(outcomes_of_uses),	 cmocka_unit_test(slots_by_bytes),
		cmocka_unit_test(weights_of_samples),	 cmocka_unit_test(elements_of_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

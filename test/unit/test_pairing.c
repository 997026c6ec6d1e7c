/* SPDX-License-Identifier: Apache-2.0 */
/* test_pairing.c - which pairs are formed, and their weights. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pairing_fixture.h"

/* ---- which pairs --------------------------------------------------------------------------- */

static void few_objects(void **state)
{
	struct objects o;
	struct pairs pairs;

	(void)state;
	for (size_t n = 0; n < 6; n++) {
		objects_init(&o, 1, 1);
		for (size_t i = 0; i < n; i++) {
			objects_snapshot(&o, &(struct object){ .weight = 1 });
			objects_use(&o, &(struct object){ .weight = 1 }, 1, 0);
		}
		pair(&pairs, &o, pairing_snapshots, 1);
		assert_int_equal(pairs.n, n / 2);
		assert_int_equal(pairs.nsizes, n > 0);
		pairs_release(&pairs);
		pair(&pairs, &o, pairing_uses, 1);
		assert_int_equal(pairs.n, n / 2);
		release(&pairs, &o);
	}
}

/* A random object with one of three sizes, in one of seven epochs, with or without references. */
static struct object random_object(struct rng *rng)
{
	struct object object = { .weight = 1, .array_length = rng_below(rng, 3) };

	object.epoch = rng_below(rng, 7);
	object.flags = rng_below(rng, 2) ? WIRE_REFS : 0;
	return object;
}

/* Uses that differ in everything that makes them incomparable. */
static void uses_stay_in_their_block(void **state)
{
	struct rng rng = { 3 };
	struct objects o;
	struct pairs pairs;

	(void)state;
	objects_init(&o, 4, 1);
	for (int i = 0; i < 5000; i++) {
		struct object object = random_object(&rng);
		uint32_t access = rng_below(&rng, 3);
		objects_use(&o, &object, access, rng_below(&rng, 4));
	}
	pair(&pairs, &o, pairing_uses, 1);
	assert_true(pairs.n > 2000);
	for (size_t i = 0; i < pairs.n; i++) {
		const struct pair *p = &pairs.pair[i];
		const struct model_use *x = o.context.uses[p->first];
		const struct model_use *y = o.context.uses[p->second];
		int refs = !!(x->flags & WIRE_REFS) + !!(y->flags & WIRE_REFS);
		assert_int_equal(x->array_length, y->array_length);
		assert_int_equal(x->array_length, p->array_length);
		assert_int_equal(x->position, y->position);
		assert_true(!refs || x->epoch == y->epoch);
		assert_int_equal(p->kind, refs == 2 ? PAIR_REFS : refs ? PAIR_MIXED : PAIR_PLAIN);
		if (i > 0)
			assert_true(
				p->array_length > p[-1].array_length ||
				(p->array_length == p[-1].array_length && p->kind >= p[-1].kind));
	}
	release(&pairs, &o);
}

/* Blocks of one, two and many uses; all sizes have the same positions. */
static void numbers_of_pairs(void **state)
{
	struct rng rng = { 5 };
	struct objects o;
	struct pairs pairs;

	(void)state;
	for (uint32_t n = 1; n < 3000; n = 2 * n + 1) {
		objects_init(&o, 0, 1);
		for (uint32_t i = 0; i < n; i++) {
			struct object object = { .weight = 1, .array_length = rng_below(&rng, 40) };
			objects_use(&o, &object, 1, rng_below(&rng, object.array_length + 1));
		}
		pair(&pairs, &o, pairing_uses, n); /* checks the counts, too */
		assert_true(n < 40 || pairs.n > 0);
		release(&pairs, &o);
	}
}

static void snapshots_stay_in_their_block(void **state)
{
	struct rng rng = { 4 };
	struct objects o;
	struct pairs pairs;

	(void)state;
	objects_init(&o, 4, 1);
	for (int i = 0; i < 2000; i++) {
		struct object object = random_object(&rng);
		objects_snapshot(&o, &object);
	}
	pair(&pairs, &o, pairing_snapshots, 1);
	for (size_t i = 0; i < pairs.n; i++) {
		const struct model_snapshot *x = o.context.snapshots[pairs.pair[i].first];
		const struct model_snapshot *y = o.context.snapshots[pairs.pair[i].second];
		assert_int_equal(x->array_length, y->array_length);
		assert_true(!((x->flags | y->flags) & WIRE_REFS) || x->epoch == y->epoch);
	}
	assert_int_equal(pairs.nsizes, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(pairs.sizes[i].array_length, i);
		double sum = 0;
		for (int k = 0; k < PAIR_KINDS; k++)
			sum += pairs.sizes[i].share[k];
		assert_true(fabs(sum - 1) < 1e-12);
	}
	release(&pairs, &o);
}

static void same_seed_same_pairs(void **state)
{
	struct objects o;
	struct pairs x, y;

	(void)state;
	objects_init(&o, 1, 1);
	for (uint32_t i = 0; i < 500; i++)
		objects_snapshot(&o, &(struct object){ .weight = 1, .array_length = i % 3 });
	pair(&x, &o, pairing_snapshots, 7);
	pair(&y, &o, pairing_snapshots, 7);
	assert_int_equal(x.n, y.n);
	for (size_t i = 0; i < x.n; i++) {
		assert_int_equal(x.pair[i].first, y.pair[i].first);
		assert_int_equal(x.pair[i].second, y.pair[i].second);
	}
	pairs_release(&y);
	pair(&y, &o, pairing_snapshots, 8);
	size_t same = 0;
	for (size_t i = 0; i < x.n; i++)
		same += x.pair[i].first == y.pair[i].first && x.pair[i].second == y.pair[i].second;
	assert_true(same < x.n / 10);
	pairs_release(&x);
	pairs_release(&y);
	objects_release(&o);
}

/*
 * Ten phases with one content each: one pair in ten is equal. Pairs of neighbours in time would
 * nearly always be equal.
 */
static void pairs_span_the_run(void **state)
{
	struct objects o;
	struct pairs pairs;

	(void)state;
	objects_init(&o, 1, 1);
	for (uint32_t i = 0; i < 10000; i++) {
		struct object object = { .weight = 1, .epoch = i / 100, .values = { i / 1000 } };
		objects_snapshot(&o, &object);
		objects_use(&o, &object, 1, 0);
	}
	pair(&pairs, &o, pairing_snapshots, 1);
	/* 5000 pairs: five standard deviations are 0.021 */
	assert_true(fabs((double)count(&pairs, PAIR_EQUAL) / 5000 - 0.1) < 0.021);
	pairs_release(&pairs);
	pair(&pairs, &o, pairing_uses, 1);
	assert_true(fabs((double)count(&pairs, PAIR_EQUAL) / 5000 - 0.1) < 0.021);
	release(&pairs, &o);
}

/* ---- kinds and weights --------------------------------------------------------------------- */

/*
 * Half of the objects hold a reference of their own; the others are all the same: a quarter of all
 * pairs is equal. Pairs without references are not limited to an epoch, and there are many epochs.
 */
static void references_and_none(void **state)
{
	struct rng rng = { 5 };
	struct objects o;
	struct pairs pairs;
	double equal = 0;

	(void)state;
	objects_init(&o, 1, 1);
	for (uint32_t i = 0; i < 8000; i++) {
		bool refs = rng_below(&rng, 2);
		objects_snapshot(&o, &(struct object){ .weight = 1,
						       .epoch = i / 8,
						       .flags = refs ? WIRE_REFS : 0,
						       .values = { refs ? 1 + i : 0 } });
	}
	pair(&pairs, &o, pairing_snapshots, 1);
	assert_true(share(&pairs, PAIR_PLAIN, PAIR_EQUAL) == 1);
	assert_true(share(&pairs, PAIR_MIXED, PAIR_EQUAL) == 0);
	assert_true(share(&pairs, PAIR_REFS, PAIR_EQUAL) == 0);
	for (int k = 0; k < PAIR_KINDS; k++)
		equal += pairs.sizes[0].share[k] * share(&pairs, k, PAIR_EQUAL);
	assert_true(fabs(equal - 0.25) < 0.03);
	release(&pairs, &o);
}

/*
 * The interval grows sixteenfold halfway, and the content changes with it: one object in 17 has the
 * first content. (1/17)^2 + (16/17)^2 = 0.889.
 */
static void weights_that_change(void **state)
{
	struct objects o;
	struct pairs pairs;

	(void)state;
	objects_init(&o, 1, 1);
	for (uint32_t i = 0; i < 8000; i++)
		objects_snapshot(&o, &(struct object){ .weight = i < 4000 ? 1 : 16,
						       .values = { i < 4000 } });
	pair(&pairs, &o, pairing_snapshots, 1);
	assert_true(fabs(share(&pairs, PAIR_PLAIN, PAIR_EQUAL) - 257.0 / 289) < 0.02);
	release(&pairs, &o);
}

/*
 * Half of the snapshots have a hundredth of the weight of the others: they must not use the heavy
 * ones up.
 */
static void light_snapshots_are_thinned(void **state)
{
	struct objects o;
	struct pairs pairs;
	double sum = 0, squares = 0;

	(void)state;
	objects_init(&o, 1, 1);
	for (uint64_t i = 0; i < 400; i++)
		objects_snapshot(&o,
				 &(struct object){ .values = { i }, .weight = i % 2 ? 100 : 1 });
	pair(&pairs, &o, pairing_snapshots, 1);
	for (size_t i = 0; i < pairs.n; i++) {
		sum += pairs.pair[i].weight;
		squares += pairs.pair[i].weight * pairs.pair[i].weight;
	}
	/* without downsampling, 50 of 200 pairs are of two heavy ones; at best 100 */
	assert_true(sum * sum / squares > 85);
	release(&pairs, &o);
}

/*
 * The same with references: a report tells about pairs within an epoch, weighted by the epoch's
 * objects. The first half is all equal; the second, sixteen times as large, is all distinct.
 */
static void weights_of_epochs(void **state)
{
	struct objects o;
	struct pairs pairs;

	(void)state;
	objects_init(&o, 1, 1);
	for (uint32_t i = 0; i < 8000; i++)
		objects_snapshot(&o, &(struct object){ .weight = i < 4000 ? 1 : 16,
						       .epoch = i / 100,
						       .flags = WIRE_REFS,
						       .values = { i < 4000 ? 0 : i } });
	pair(&pairs, &o, pairing_snapshots, 1);
	assert_true(fabs(share(&pairs, PAIR_REFS, PAIR_EQUAL) - 1.0 / 17) < 1e-9);
	release(&pairs, &o);
}

int unit_pairing(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_objects),
		cmocka_unit_test(uses_stay_in_their_block),
		cmocka_unit_test(numbers_of_pairs),
		cmocka_unit_test(snapshots_stay_in_their_block),
		cmocka_unit_test(same_seed_same_pairs),
		cmocka_unit_test(pairs_span_the_run),
		cmocka_unit_test(references_and_none),
		cmocka_unit_test(weights_that_change),
		cmocka_unit_test(light_snapshots_are_thinned),
		cmocka_unit_test(weights_of_epochs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

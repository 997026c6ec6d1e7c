/* SPDX-License-Identifier: Apache-2.0 */
/* test_pairing.c - which pairs are formed, and what their comparison says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "objects.h"
#include "pairing.h"

typedef int pair_fn(struct pairs *, const struct model_context *, struct rng *);

/* No object is in two pairs. Returns how many pairs there are. */
static size_t assert_disjoint(const struct pairs *pairs, size_t objects)
{
	unsigned char *taken = calloc(objects ? objects : 1, 1);

	for (size_t i = 0; i < pairs->n; i++) {
		const struct pair *p = &pairs->pair[i];
		assert_true(p->first < objects && p->second < objects && p->first != p->second);
		assert_int_equal(taken[p->first]++, 0);
		assert_int_equal(taken[p->second]++, 0);
		assert_true(p->weight > 0 && isfinite(p->weight));
	}
	free(taken);
	return pairs->n;
}

static size_t count(const struct pairs *pairs, enum pair_outcome outcome)
{
	size_t n = 0;

	for (size_t i = 0; i < pairs->n; i++)
		n += pairs->pair[i].outcome == outcome;
	return n;
}

/* Weighted share of an outcome among the pairs of one kind; NAN where there are none. */
static double share(const struct pairs *pairs, enum pair_kind kind, enum pair_outcome outcome)
{
	double sum = 0, all = 0;

	for (size_t i = 0; i < pairs->n; i++) {
		const struct pair *p = &pairs->pair[i];
		all += p->kind == kind ? p->weight : 0;
		sum += p->kind == kind && p->outcome == outcome ? p->weight : 0;
	}
	return all > 0 ? sum / all : NAN;
}

static void pair(struct pairs *pairs, const struct objects *o, pair_fn *fn, uint64_t seed)
{
	struct rng rng = { seed };

	assert_int_equal(fn(pairs, &o->context, &rng), 0);
	assert_disjoint(pairs, fn == pairing_looks ? o->context.nlooks : o->context.nuses);
}

/* ---- which pairs --------------------------------------------------------------------------- */

static void few_objects(void **state)
{
	struct objects o;
	struct pairs pairs;

	(void)state;
	for (size_t n = 0; n < 6; n++) {
		objects_init(&o, 1, 1);
		for (size_t i = 0; i < n; i++) {
			objects_look(&o, &(struct object){ .weight = 1 });
			objects_use(&o, &(struct object){ .weight = 1 }, 1, 0);
		}
		pair(&pairs, &o, pairing_looks, 1);
		assert_int_equal(pairs.n, n / 2);
		assert_int_equal(pairs.nsizes, n > 0);
		pairs_release(&pairs);
		pair(&pairs, &o, pairing_uses, 1);
		assert_int_equal(pairs.n, n / 2);
		pairs_release(&pairs);
		objects_release(&o);
	}
}

/* Uses that differ in anything that makes them incomparable. */
static void uses_stay_in_their_block(void **state)
{
	struct rng rng = { 3 };
	struct objects o;
	struct pairs pairs;

	(void)state;
	objects_init(&o, 4, 1);
	for (int i = 0; i < 5000; i++) {
		struct object object = { .weight = 1, .extent = rng_below(&rng, 3) };
		object.epoch = rng_below(&rng, 7);
		object.flags = rng_below(&rng, 2) ? WIRE_REFS : 0;
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
		assert_int_equal(x->extent, y->extent);
		assert_int_equal(x->extent, p->extent);
		assert_int_equal(x->position, y->position);
		assert_true(!refs || x->epoch == y->epoch);
		assert_int_equal(p->kind, refs == 2 ? PAIR_REFS : refs ? PAIR_MIXED : PAIR_PLAIN);
		if (i > 0)
			assert_true(p->extent > p[-1].extent ||
				    (p->extent == p[-1].extent && p->kind >= p[-1].kind));
	}
	pairs_release(&pairs);
	objects_release(&o);
}

static void looks_stay_in_their_block(void **state)
{
	struct rng rng = { 4 };
	struct objects o;
	struct pairs pairs;

	(void)state;
	objects_init(&o, 4, 1);
	for (int i = 0; i < 2000; i++) {
		struct object object = { .weight = 1, .extent = rng_below(&rng, 3) };
		object.epoch = rng_below(&rng, 9);
		object.flags = rng_below(&rng, 2) ? WIRE_REFS : 0;
		objects_look(&o, &object);
	}
	pair(&pairs, &o, pairing_looks, 1);
	for (size_t i = 0; i < pairs.n; i++) {
		const struct model_look *x = o.context.looks[pairs.pair[i].first];
		const struct model_look *y = o.context.looks[pairs.pair[i].second];
		assert_int_equal(x->extent, y->extent);
		assert_true(!((x->flags | y->flags) & WIRE_REFS) || x->epoch == y->epoch);
	}
	assert_int_equal(pairs.nsizes, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(pairs.sizes[i].extent, i);
		double sum = 0;
		for (int k = 0; k < PAIR_KINDS; k++)
			sum += pairs.sizes[i].share[k];
		assert_true(fabs(sum - 1) < 1e-12);
	}
	pairs_release(&pairs);
	objects_release(&o);
}

static void same_seed_same_pairs(void **state)
{
	struct objects o;
	struct pairs x, y;

	(void)state;
	objects_init(&o, 1, 1);
	for (uint32_t i = 0; i < 500; i++)
		objects_look(&o, &(struct object){ .weight = 1, .extent = i % 3 });
	pair(&x, &o, pairing_looks, 7);
	pair(&y, &o, pairing_looks, 7);
	assert_int_equal(x.n, y.n);
	for (size_t i = 0; i < x.n; i++) {
		assert_int_equal(x.pair[i].first, y.pair[i].first);
		assert_int_equal(x.pair[i].second, y.pair[i].second);
	}
	pairs_release(&y);
	pair(&y, &o, pairing_looks, 8);
	size_t same = 0;
	for (size_t i = 0; i < x.n; i++)
		same += x.pair[i].first == y.pair[i].first && x.pair[i].second == y.pair[i].second;
	assert_true(same < x.n / 10);
	pairs_release(&x);
	pairs_release(&y);
	objects_release(&o);
}

/*
 * Ten phases, each with a content of its own: one pair in ten is equal. Neighbours alone would be
 * equal nearly always.
 */
static void pairs_span_the_run(void **state)
{
	struct objects o;
	struct pairs pairs;

	(void)state;
	objects_init(&o, 1, 1);
	for (uint32_t i = 0; i < 10000; i++) {
		struct object object = { .weight = 1, .epoch = i / 100, .values = { i / 1000 } };
		objects_look(&o, &object);
		objects_use(&o, &object, 1, 0);
	}
	pair(&pairs, &o, pairing_looks, 1);
	/* 5000 pairs: five standard deviations are 0.021 */
	assert_true(fabs((double)count(&pairs, PAIR_EQUAL) / 5000 - 0.1) < 0.021);
	pairs_release(&pairs);
	pair(&pairs, &o, pairing_uses, 1);
	assert_true(fabs((double)count(&pairs, PAIR_EQUAL) / 5000 - 0.1) < 0.021);
	pairs_release(&pairs);
	objects_release(&o);
}

/* ---- kinds and weights --------------------------------------------------------------------- */

/*
 * Half of the objects hold a reference each of their own, the others are all the same: a quarter of
 * all pairs is equal. Pairs without references are not limited to an epoch, and there are many epochs.
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
		objects_look(&o, &(struct object){ .weight = 1,
						   .epoch = i / 8,
						   .flags = refs ? WIRE_REFS : 0,
						   .values = { refs ? 1 + i : 0 } });
	}
	pair(&pairs, &o, pairing_looks, 1);
	assert_true(share(&pairs, PAIR_PLAIN, PAIR_EQUAL) == 1);
	assert_true(share(&pairs, PAIR_MIXED, PAIR_EQUAL) == 0);
	assert_true(share(&pairs, PAIR_REFS, PAIR_EQUAL) == 0);
	for (int k = 0; k < PAIR_KINDS; k++)
		equal += pairs.sizes[0].share[k] * share(&pairs, k, PAIR_EQUAL);
	assert_true(fabs(equal - 0.25) < 0.03);
	pairs_release(&pairs);
	objects_release(&o);
}

/*
 * The interval grows sixteenfold halfway, and content changes with it: of the objects, one in 17
 * has the first content. (1/17)^2 + (16/17)^2 = 0.889.
 */
static void weights_that_change(void **state)
{
	struct objects o;
	struct pairs pairs;

	(void)state;
	objects_init(&o, 1, 1);
	for (uint32_t i = 0; i < 8000; i++)
		objects_look(&o, &(struct object){ .weight = i < 4000 ? 1 : 16,
						   .values = { i < 4000 } });
	pair(&pairs, &o, pairing_looks, 1);
	assert_true(fabs(share(&pairs, PAIR_PLAIN, PAIR_EQUAL) - 257.0 / 289) < 0.02);
	pairs_release(&pairs);
	objects_release(&o);
}

/*
 * The same with references: what a report says is how it is within an epoch, epochs counted by
 * their objects. The first half is all equal, the second, sixteen times as large, all distinct.
 */
/* Half of the looks stand for a hundredth of what the others do: they must not use those up. */
static void light_looks_are_thinned(void **state)
{
	struct objects o;
	struct pairs pairs;
	double sum = 0, squares = 0;

	(void)state;
	objects_init(&o, 1, 1);
	for (uint64_t i = 0; i < 400; i++)
		objects_look(&o, &(struct object){ .values = { i }, .weight = i % 2 ? 100 : 1 });
	pair(&pairs, &o, pairing_looks, 1);
	for (size_t i = 0; i < pairs.n; i++) {
		sum += pairs.pair[i].weight;
		squares += pairs.pair[i].weight * pairs.pair[i].weight;
	}
	/* unthinned: 50 of 200 pairs are of two heavy ones; at best 100 */
	assert_true(sum * sum / squares > 85);
	pairs_release(&pairs);
	objects_release(&o);
}

static void weights_of_epochs(void **state)
{
	struct objects o;
	struct pairs pairs;

	(void)state;
	objects_init(&o, 1, 1);
	for (uint32_t i = 0; i < 8000; i++)
		objects_look(&o, &(struct object){ .weight = i < 4000 ? 1 : 16,
						   .epoch = i / 100,
						   .flags = WIRE_REFS,
						   .values = { i < 4000 ? 0 : i } });
	pair(&pairs, &o, pairing_looks, 1);
	assert_true(fabs(share(&pairs, PAIR_REFS, PAIR_EQUAL) - 1.0 / 17) < 1e-9);
	pairs_release(&pairs);
	objects_release(&o);
}

/* ---- comparisons --------------------------------------------------------------------------- */

/* The outcome of comparing two looks. */
static enum pair_outcome outcome_of(uint32_t nfields, const struct object *x,
				    const struct object *y, uint64_t seed)
{
	struct objects o;
	struct pairs pairs;

	objects_init(&o, nfields, 1);
	objects_look(&o, x);
	objects_look(&o, y);
	pair(&pairs, &o, pairing_looks, seed);
	assert_int_equal(pairs.n, 1);
	enum pair_outcome outcome = pairs.pair[0].outcome;
	pairs_release(&pairs);
	objects_release(&o);
	return outcome;
}

static void outcomes_of_looks(void **state)
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

/* Nothing in which they could differ: new Object(), an empty array. */
static void empty_content(void **state)
{
	struct object empty = { .weight = 1 };

	(void)state;
	assert_int_equal(outcome_of(0, &empty, &empty, 1), PAIR_EQUAL);
}

/* Equal as far as looked is not equal; a slot outside what was hashed may tell. */
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
		objects_look(&o, &x);
		objects_look(&o, &y);
		o.context.looks[1]->content = o.context.looks[0]->content;
		pair(&pairs, &o, pairing_looks, seed);
		assert_true(pairs.pair[0].outcome == PAIR_ALIKE ||
			    pairs.pair[0].outcome == PAIR_DIFFERENT);
		pairs_release(&pairs);
		objects_release(&o);
	}
	objects_init(&o, 2, 1);
	objects_use(&o, &x, 1, 0);
	objects_use(&o, &x, 1, 0);
	pair(&pairs, &o, pairing_uses, 1);
	assert_int_equal(pairs.pair[0].outcome, PAIR_UNPROVEN);
	pairs_release(&pairs);
	objects_release(&o);
}

/* One holds a reference and one holds none: a damaged file may give both the same hash. */
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
		objects_look(&o, i & 1 ? &none : &some);
	pair(&pairs, &o, pairing_looks, 1);
	for (size_t i = 0; i < pairs.n; i++) {
		bool is_mixed = pairs.pair[i].kind == PAIR_MIXED;
		assert_int_equal(pairs.pair[i].outcome, is_mixed ? PAIR_ALIKE : PAIR_EQUAL);
		mixed += is_mixed;
	}
	assert_true(mixed > 10);
	pairs_release(&pairs);
	objects_release(&o);
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
	pairs_release(&pairs);
	objects_release(&o);
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
		objects_look(&o, &(struct object){ .weight = 1, .values = { i, 1, 1, 1 } });
	pair(&pairs, &o, pairing_looks, 1);
	double different = (double)count(&pairs, PAIR_DIFFERENT) / 4000;
	assert_true(fabs(different - 8.0 / 11) < 5 * sqrt(8.0 / 11 * 3 / 11 / 4000));
	assert_int_equal(count(&pairs, PAIR_EQUAL), 0);
	pairs_release(&pairs);
	objects_release(&o);
}

/* Share of equal values, as they are weighed. */
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
 * Uses that samples led to have small weights, those that watches saw by themselves large ones. Half of the uses are of
 * each kind, and those of the one are equal.
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
	pairs_release(&pairs);
	objects_release(&o);
}

/* Elements count alike if a program has chosen which are seen, however often it reads them; else as they come. */
static void elements_of_samples(void **state)
{
	(void)state;
	for (int sampled = 0; sampled < 2; sampled++) {
		struct objects o;
		struct pairs pairs;
		objects_init(&o, 0, 1);
		for (uint64_t i = 0; i < 700; i++) {
			struct object object = { .weight = 1, .extent = 4 };
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
		pairs_release(&pairs);
		objects_release(&o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_objects),
		cmocka_unit_test(uses_stay_in_their_block),
		cmocka_unit_test(looks_stay_in_their_block),
		cmocka_unit_test(same_seed_same_pairs),
		cmocka_unit_test(pairs_span_the_run),
		cmocka_unit_test(references_and_none),
		cmocka_unit_test(weights_that_change),
		cmocka_unit_test(light_looks_are_thinned),
		cmocka_unit_test(weights_of_epochs),
		cmocka_unit_test(outcomes_of_looks),
		cmocka_unit_test(empty_content),
		cmocka_unit_test(partial_content),
		cmocka_unit_test(never_equal_if_mixed),
		cmocka_unit_test(outcomes_of_uses),
		cmocka_unit_test(slots_by_bytes),
		cmocka_unit_test(weights_of_samples),
		cmocka_unit_test(elements_of_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

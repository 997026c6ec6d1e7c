/* SPDX-License-Identifier: Apache-2.0 */
/* test_combine.c - combines sizes, kinds and contexts, against sums computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "analyse/replica/combine.h"
#include "objects.h"

#define Z		       1.959963984540054
#define MOST		       1000
#define assert_near(got, want) assert_true(fabs((got) - (want)) < 1e-9)

/* Pairs made by hand. Sizes and kinds are added in order. */
struct hand {
	struct pair pair[MOST];
	struct pair_size size[4];
	struct pairs pairs;
};

static void hand_init(struct hand *h)
{
	memset(h, 0, sizeof *h);
	h->pairs.pair = h->pair;
	h->pairs.sizes = h->size;
}

/* Adds a size whose kinds have these shares of all pairs. */
static void hand_kinds(struct hand *h, uint32_t array_length, double plain, double mixed,
		       double refs)
{
	h->size[h->pairs.nsizes++] = (struct pair_size){ .array_length = array_length,
							 .observed = 100,
							 .weight = 100,
							 .share = { plain, mixed, refs } };
}

/* Adds a size without references. */
static void hand_size(struct hand *h, uint32_t array_length)
{
	hand_kinds(h, array_length, 1, 0, 0);
}

/* A context of 10^9 objects of one size; no pairs yet. */
static void begin_one_size(struct objects *o, struct hand *h)
{
	objects_init(o, 1, 1);
	objects_allocate(o, 0, 16, 500, 1e9);
	hand_init(h);
}

/* A context of arrays of two lengths; each sample stands for `each` objects; no pairs yet. */
static void begin_two_sizes(struct objects *o, struct hand *h, const uint64_t samples[2],
			    double each)
{
	objects_init(o, 0, 1);
	for (uint32_t i = 0; i < 2; i++)
		objects_allocate(o, i + 1, 16, samples[i], each * (double)samples[i]);
	hand_init(h);
}

/* Adds `n` pairs of the newest size. */
static void hand_pairs(struct hand *h, enum pair_kind kind, enum pair_outcome outcome, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h->pair[h->pairs.n++] =
			(struct pair){ .array_length = h->size[h->pairs.nsizes - 1].array_length,
				       .kind = (uint8_t)kind,
				       .outcome = (uint8_t)outcome,
				       .weight = 1,
				       .value_weight = 1 };
}

static struct combined finish(const struct hand *h, const struct objects *o)
{
	struct combine sum = { 0 };
	struct combined result;

	combine_add(&sum, &o->context, 1, &h->pairs);
	combine_finish(&sum, Z, &result);
	return result;
}

/* (60, 10, 30) of one size: as counted. */
static void one_size(void **state)
{
	struct objects o;
	struct hand h;

	(void)state;
	begin_one_size(&o, &h);
	hand_size(&h, 0);
	hand_pairs(&h, PAIR_PLAIN, PAIR_EQUAL, 60);
	hand_pairs(&h, PAIR_PLAIN, PAIR_ALIKE, 10);
	hand_pairs(&h, PAIR_PLAIN, PAIR_DIFFERENT, 30);
	struct combined r = finish(&h, &o);
	assert_near(r.a, 0.6);
	assert_near(r.b, 0.1);
	assert_near(r.c, 0.3);
	struct bounds_range a = bounds_wilson(0.6, 100, Z), theta = bounds_wilson(0.7, 100, Z);
	assert_near(r.a_range.low, a.low);
	assert_near(r.a_range.high, a.high);
	assert_near(r.theta_range.low, theta.low);
	assert_near(r.theta_range.high, theta.high);
	assert_near(r.alpha_within.low, bounds_wilson(0.25, 40, Z).low);
	assert_near(r.gamma, bounds_gamma(0.6, 1e9));
	objects_release(&o);
}

/*
 * Arrays of which 60 positions were compared, four times each. The values are equal at all pairs of
 * a position or at none. Then positions are a sample, and the effective number is 60. For fields,
 * which are all compared, it is 240.
 */
static void positions_are_a_sample(void **state)
{
	enum { SPOTS = 60, EACH = 4, EQUAL = 24 };

	(void)state;
	for (int fields = 0; fields < 2; fields++) {
		struct objects o;
		struct hand h;
		begin_one_size(&o, &h);
		hand_size(&h, 0);
		for (uint32_t i = 0; i < SPOTS; i++)
			hand_pairs(&h, PAIR_PLAIN, i < EQUAL ? PAIR_ALIKE : PAIR_DIFFERENT, EACH);
		for (uint32_t i = 0; i < SPOTS * EACH; i++)
			h.pair[i].spot = fields ? 0 : 1 + i / EACH;
		struct combined r = finish(&h, &o);
		double n = fields ? SPOTS * EACH : SPOTS - 1;
		assert_near(r.theta_range.low, bounds_wilson(0.4, n, Z).low);
		assert_near(r.theta_range.high, bounds_wilson(0.4, n, Z).high);
		assert_near(r.a_range.high, bounds_wilson(0, SPOTS * EACH, Z).high);
		objects_release(&o);
	}
}

/*
 * Lengths with 3/4 and 1/4 of the objects: 9/16 and 1/16 of the pairs; 6/16 have unequal lengths.
 */
static void two_sizes(void **state)
{
	struct objects o;
	struct hand h;

	(void)state;
	begin_two_sizes(&o, &h, (uint64_t[]){ 75000000, 25000000 }, 1);
	hand_size(&h, 1);
	hand_pairs(&h, PAIR_PLAIN, PAIR_EQUAL, 20);
	hand_pairs(&h, PAIR_PLAIN, PAIR_DIFFERENT, 20);
	hand_size(&h, 2);
	hand_pairs(&h, PAIR_PLAIN, PAIR_EQUAL, 30);
	hand_pairs(&h, PAIR_PLAIN, PAIR_ALIKE, 10);
	struct combined r = finish(&h, &o);
	/* an object is never paired with itself, which makes a difference of 1e-8 */
	assert_true(fabs(r.a - (9.0 / 16 * 0.5 + 1.0 / 16 * 0.75)) < 1e-7);
	assert_true(fabs(r.b - 1.0 / 16 * 0.25) < 1e-7);
	assert_true(fabs(r.c - (9.0 / 16 * 0.5 + 6.0 / 16)) < 1e-7);
	assert_near(r.a + r.b + r.c, 1);
	objects_release(&o);
}

/*
 * Four samples, two of each length: two of the six pairs have equal length. Squares would give
 * half.
 */
static void few_samples(void **state)
{
	struct objects o;
	struct hand h;

	(void)state;
	begin_two_sizes(&o, &h, (uint64_t[]){ 2, 2 }, 1);
	hand_size(&h, 1);
	hand_pairs(&h, PAIR_PLAIN, PAIR_EQUAL, 1);
	hand_size(&h, 2);
	hand_pairs(&h, PAIR_PLAIN, PAIR_EQUAL, 1);
	struct combined r = finish(&h, &o);
	assert_near(r.a, 1.0 / 3);
	assert_near(r.c, 2.0 / 3);
	objects_release(&o);
}

/* A length without pairs counts like the others; the interval leaves it open. */
static void size_without_pairs(void **state)
{
	struct objects o;
	struct hand h;

	(void)state;
	for (int seen = 0; seen < 2; seen++) {
		begin_two_sizes(&o, &h, (uint64_t[]){ 1000000000, 1000000000 }, 0.5);
		hand_size(&h, 1);
		hand_pairs(&h, PAIR_PLAIN, PAIR_EQUAL, 300);
		hand_pairs(&h, PAIR_PLAIN, PAIR_DIFFERENT, 100);
		if (seen)
			hand_size(&h, 2);
		struct combined r = finish(&h, &o);
		struct bounds_range half = bounds_wilson(0.75, 400, Z);
		assert_true(fabs(r.a - 0.375) < 1e-6);
		assert_true(fabs(r.c - 0.625) < 1e-6);
		assert_true(fabs(r.a_range.low - half.low / 4) < 1e-4);
		assert_true(fabs(r.a_range.high - (half.high / 4 + 0.25)) < 1e-4);
		assert_true(fabs(r.theta_range.high - (half.high / 4 + 0.25)) < 1e-4);
		objects_release(&o);
	}
}

/*
 * Half of the objects hold references. No pair of one with and one without was formed. Such pairs
 * are unequal by definition, but may have equal values.
 */
static void kinds(void **state)
{
	struct objects o;
	struct hand h;

	(void)state;
	begin_one_size(&o, &h);
	hand_kinds(&h, 0, 0.25, 0.5, 0.25);
	hand_pairs(&h, PAIR_PLAIN, PAIR_EQUAL, 100);
	hand_pairs(&h, PAIR_REFS, PAIR_DIFFERENT, 100);
	struct combined r = finish(&h, &o);
	assert_near(r.a, 0.25);
	assert_near(r.c, 0.75);
	assert_true(r.a_range.high < 0.3);
	assert_true(r.theta_range.high > 0.75);

	/* Without pairs of two objects with references, all of these might be equal. */
	hand_init(&h);
	hand_kinds(&h, 0, 0.25, 0.5, 0.25);
	hand_pairs(&h, PAIR_PLAIN, PAIR_EQUAL, 100);
	hand_pairs(&h, PAIR_MIXED, PAIR_DIFFERENT, 100);
	r = finish(&h, &o);
	assert_near(r.a, 0.25);
	assert_true(r.a_range.low < 0.25 && r.a_range.high > 0.5 && r.a_range.high < 0.6);
	assert_near(r.gamma, bounds_gamma(0.5, 1e9));
	objects_release(&o);
}

/* Unproven pairs count as alike; the interval and gamma leave them open. */
static void unproven(void **state)
{
	struct objects o;
	struct hand h;

	(void)state;
	begin_one_size(&o, &h);
	hand_size(&h, 0);
	hand_pairs(&h, PAIR_PLAIN, PAIR_EQUAL, 50);
	hand_pairs(&h, PAIR_PLAIN, PAIR_UNPROVEN, 30);
	hand_pairs(&h, PAIR_PLAIN, PAIR_DIFFERENT, 20);
	struct combined r = finish(&h, &o);
	assert_near(r.a, 0.5);
	assert_near(r.b, 0.3);
	assert_near(r.a_range.low, bounds_wilson(0.5, 100, Z).low);
	assert_near(r.a_range.high, bounds_wilson(0.8, 100, Z).high);
	assert_near(r.gamma, bounds_gamma(0.8, 1e9));
	objects_release(&o);
}

/* Contexts count by their objects, not by their pairs. */
static void contexts(void **state)
{
	struct objects o;
	struct hand h;
	struct combine sum = { 0 };
	struct combined r;

	(void)state;
	begin_one_size(&o, &h);
	hand_size(&h, 0);
	hand_pairs(&h, PAIR_PLAIN, PAIR_EQUAL, 400);
	combine_add(&sum, &o.context, 0.1, &h.pairs);
	hand_init(&h);
	hand_size(&h, 0);
	hand_pairs(&h, PAIR_PLAIN, PAIR_DIFFERENT, 100);
	combine_add(&sum, &o.context, 0.9, &h.pairs);
	combine_finish(&sum, Z, &r);
	assert_int_equal(sum.pairs, 500);
	assert_int_equal(sum.a, 400);
	assert_near(r.a, 0.1);
	assert_near(r.c, 0.9);
	/* shares .1 and .9 of 400 and 100 pairs: 1 / (.01/400 + .81/100) = 123 effective pairs */
	double n = 1 / (0.01 / 400 + 0.81 / 100);
	assert_near(r.a_range.low, bounds_wilson(0.1, n, Z).low);
	assert_near(r.a_range.high, bounds_wilson(0.1, n, Z).high);
	assert_near(r.gamma, 0.1 + 0.9 * bounds_gamma(0, 1e9));
	objects_release(&o);
}

static void nothing(void **state)
{
	struct combine sum = { 0 };
	struct combined r;

	(void)state;
	combine_finish(&sum, Z, &r);
	assert_true(isnan(r.a) && isnan(r.a_range.low) && isnan(r.theta_range.high) &&
		    isnan(r.gamma) && isnan(r.alpha_within.low));
}

int unit_combine(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(positions_are_a_sample),
		cmocka_unit_test(one_size),
		cmocka_unit_test(two_sizes),
		cmocka_unit_test(few_samples),
		cmocka_unit_test(size_without_pairs),
		cmocka_unit_test(kinds),
		cmocka_unit_test(unproven),
		cmocka_unit_test(contexts),
		cmocka_unit_test(nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

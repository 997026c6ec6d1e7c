/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_replica_sound.c - properties of every row: figures are in order whatever the evidence, and
 * intervals contain the truth as often as they claim.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "programs.h"

static const struct replica_options defaults = PROGRAM_OPTIONS;

static void assert_in_order(double a, double b)
{
	assert_true(isnan(a) || isnan(b) || a <= b + 1e-9);
}

static void assert_share(double x)
{
	assert_true(isnan(x) || (x >= 0 && x <= 1));
}

/* Checks what holds for any evidence. */
static void assert_sound(const struct replica *r)
{
	assert_int_equal(r->a + r->b + r->c, r->pairs);
	assert_share(r->theta);
	assert_share(r->alpha);
	assert_share(r->omega);
	assert_share(r->gamma);
	assert_share(r->identical);
	assert_share(r->unused);
	assert_share(r->immutable);
	assert_share(r->own.largest);
	assert_in_order(r->omega, r->identical);
	assert_in_order(r->identical, r->gamma);
	assert_in_order(r->identical, r->theta);
	assert_in_order(r->identical_ci.low, r->identical);
	assert_in_order(r->identical, r->identical_ci.high);
	assert_in_order(r->theta_ci.low, r->theta);
	assert_in_order(r->theta, r->theta_ci.high);
	assert_in_order(r->own.largest_ci.low, r->own.largest);
	assert_in_order(r->own.largest, r->own.largest_ci.high);
	assert_in_order(r->own.saved_bytes, r->bytes);
	assert_in_order(r->own.saved_objects, r->objects);
	assert_in_order(0.0, r->own.saved_bytes);
	assert_in_order(r->own.saved_bytes, r->own.saved_bytes_ci.high);
	assert_in_order(r->own.saved_bytes_ci.high, r->bytes);
	assert_in_order(r->own.saved_objects_ci.high, r->objects);
	assert_share(r->deep.largest);
	assert_share(r->deep_cut);
	assert_share(r->identity);
	assert_share(r->constant);
	assert_in_order(r->deep.largest_ci.low, r->deep.largest);
	assert_in_order(r->deep.largest, r->deep.largest_ci.high);
	assert_in_order(0.0, r->deep.saved_bytes);
	assert_in_order(r->deep.saved_bytes, r->deep.saved_bytes_ci.high);
	assert_in_order(r->deep.saved_bytes_ci.high, r->bytes);
	assert_in_order(r->constant_ci.low, r->constant);
	assert_in_order(r->constant, r->constant_ci.high);
	assert_in_order(r->own.distinct, fmax(r->objects, (double)r->own.scanned));
	assert_true(r->pairs == 0 || (!isnan(r->theta) && !isnan(r->identical)));
	assert_true((r->pairs == 0) == (r->source == REPLICA_NONE));
}

static struct object anything(struct rng *rng, uint32_t variety, uint32_t lengths, uint32_t refs)
{
	struct object object = { .weight = exp(4 * rng_unit(rng)) };

	object.array_length = rng_below(rng, lengths);
	object.epoch = rng_below(rng, 5);
	object.flags = (uint16_t)rng_below(rng, 32) & (uint16_t)~WIRE_REFS;
	object.flags |= (uint16_t)(rng_below(rng, 64) << 7); /* flags for deep contents */
	object.deep = rng_below(rng, variety);
	if (rng_below(rng, 4) < refs)
		object.flags |= WIRE_REFS;
	for (int k = 0; k < OBJECT_VALUES; k++)
		object.values[k] = rng_below(rng, variety);
	return object;
}

/* Mixtures that no program makes: counts that do not fit the evidence, half of it missing. */
static void any_evidence(void **state)
{
	struct rng rng = { 41 };

	(void)state;
	for (int round = 0; round < 1500; round++) {
		uint32_t nfields = rng_below(&rng, 5), variety = 1 + rng_below(&rng, 6);
		uint32_t lengths = 1 + rng_below(&rng, 8), refs = rng_below(&rng, 5);
		struct objects o[2];
		struct model_context *contexts[2] = { &o[0].context, &o[1].context };
		struct replica row;
		for (uint32_t k = 0; k < 2; k++) {
			objects_init(&o[k], nfields, k + 1);
			for (uint32_t i = rng_below(&rng, 150); i > 0; i--) {
				struct object object = anything(&rng, variety, lengths, refs);
				objects_snapshot(&o[k], &object);
				uint32_t access = rng_below(&rng, 2);
				objects_use(&o[k], &object, access, rng_below(&rng, 3));
			}
			for (uint32_t i = rng_below(&rng, 10); i > 0; i--) {
				uint32_t samples = rng_below(&rng, 30),
					 array_length = rng_below(&rng, 9);
				objects_allocate(&o[k], i == 5 ? MODEL_OTHER_SIZES : array_length,
						 16, samples, 90 * rng_unit(&rng));
			}
		}
		for (size_t n = 0; n <= 2; n++) {
			replica_compute(&row, contexts, n, &defaults);
			assert_sound(&row);
			replica_release(&row);
		}
		objects_release(&o[0]);
		objects_release(&o[1]);
	}
}

/* ---- intervals ----------------------------------------------------------------------------- */

/*
 * A context in which a share of the objects is the same and the rest distinct, except for one or
 * two constant fields; weights vary. Counts how often the intervals contain the truth.
 */
static void count_hits(struct rng *rng, bool by_uses, int hits[3])
{
	double same = 0.25 + 0.7 * rng_unit(rng), identical = same * same;
	uint32_t constant = rng_below(rng, 3);
	double theta = identical + constant / 4.0 * (1 - identical);
	size_t n = 100 + rng_below(rng, 600);
	struct objects o;

	objects_init(&o, 4, 1);
	for (size_t i = 0; i < n; i++) {
		struct object object = object_of(rng_unit(rng) < same ? 1 : 1000 + i);
		for (uint32_t k = 0; k < constant; k++)
			object.values[k] = 7;
		object.weight = 1 + 3 * rng_unit(rng);
		object.epoch = (uint32_t)i / 100;
		if (by_uses) {
			uint32_t access = rng_below(rng, 3);
			objects_use(&o, &object, access, rng_below(rng, 4));
		} else {
			objects_snapshot(&o, &object);
		}
		objects_allocate(&o, 0, 32, 1, object.weight);
	}
	struct replica_options options = defaults;
	options.seed = rng_next(rng);
	struct replica row = row_of(&o, &options);
	hits[0] += row.theta_ci.low <= theta && theta <= row.theta_ci.high;
	hits[1] += row.identical_ci.low <= identical && identical <= row.identical_ci.high;
	hits[2] += row.own.largest_ci.low <= same && same <= row.own.largest_ci.high;
	replica_release(&row);
	objects_release(&o);
}

static void intervals_hold(void **state)
{
	struct rng rng = { 31 };
	int uses[3] = { 0 }, snapshots[3] = { 0 }, rounds = 1500;

	(void)state;
	for (int i = 0; i < rounds; i++) {
		count_hits(&rng, true, uses);
		count_hits(&rng, false, snapshots);
	}
	for (int k = 0; k < 3; k++) {
		if (k < 2)
			assert_true(uses[k] >= 0.93 * rounds && uses[k] <= 0.98 * rounds);
		assert_true(snapshots[k] >= 0.93 * rounds && snapshots[k] <= 0.98 * rounds);
	}
}

/*
 * Several lengths with unequal frequency, each with its own share of equal arrays. The interval is
 * never too narrow; it is wider than necessary for lengths without pairs.
 */
static void intervals_of_many_lengths(void **state)
{
	struct rng rng = { 32 };
	int hits = 0, rounds = 1000;

	(void)state;
	for (int round = 0; round < rounds; round++) {
		double share[12], same[12], sum = 0, identical = 0;
		uint32_t lengths = 2 + rng_below(&rng, 11);
		for (uint32_t k = 0; k < lengths; k++) {
			sum += share[k] = 0.1 + rng_unit(&rng);
			same[k] = rng_unit(&rng);
		}
		for (uint32_t k = 0; k < lengths; k++)
			identical += share[k] / sum * share[k] / sum * same[k] * same[k];
		struct objects o;
		objects_init(&o, 0, 1);
		for (size_t i = 0; i < 300; i++) {
			double at = rng_unit(&rng) * sum;
			uint32_t k = 0;
			while (k + 1 < lengths && at >= share[k])
				at -= share[k++];
			struct object object = object_of(rng_unit(&rng) < same[k] ? 1 : 1000 + i);
			object.array_length = k + 1;
			object.weight = 1;
			objects_snapshot(&o, &object);
			objects_allocate(&o, k + 1, 32, 1, 1);
		}
		struct replica_options options = defaults;
		options.seed = rng_next(&rng);
		struct replica row = row_of(&o, &options);
		hits += row.identical_ci.low <= identical && identical <= row.identical_ci.high;
		replica_release(&row);
		objects_release(&o);
	}
	assert_true(hits >= 0.93 * rounds);
}

int unit_replica_sound(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_evidence),
		cmocka_unit_test(intervals_hold),
		cmocka_unit_test(intervals_of_many_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

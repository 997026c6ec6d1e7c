/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_replica.c - from evidence of known truth to the figures and the verdict of a row.
 *
 * Contexts are simulated: what the program allocates is known, what is sampled of it is random.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "objects.h"
#include "replica.h"
#include "rng.h"

/* What sampled object i of n holds. */
typedef struct object draw_fn(size_t i, size_t n, struct rng *rng);

static const struct replica_options defaults = REPLICA_OPTIONS_INIT;

/* `n` looks at objects of one size, which stand for 1000 each. */
static void look_at(struct objects *o, draw_fn *draw, size_t n, struct rng *rng)
{
	for (size_t i = 0; i < n; i++) {
		struct object object = draw(i, n, rng);
		if (object.weight == 0)
			object.weight = 1000;
		objects_look(o, &object);
		objects_allocate(o, object.extent, 32 + object.extent * 4, 1, object.weight);
	}
}

/* The same for uses at random positions of `nfields`, from one of two callers. */
static void use(struct objects *o, draw_fn *draw, size_t n, struct rng *rng)
{
	for (size_t i = 0; i < n; i++) {
		struct object object = draw(i, n, rng);
		if (object.weight == 0)
			object.weight = 1000;
		uint32_t access = 1 + rng_below(rng, 2);
		objects_use(o, &object, access, rng_below(rng, o->class.nfields));
		objects_allocate(o, object.extent, 32, 1, object.weight);
	}
}

static struct replica compute(struct objects *o, const struct replica_options *options)
{
	struct model_context *contexts[] = { &o->context };
	struct replica row;

	assert_int_equal(replica_compute(&row, contexts, 1, options), 0);
	assert_int_equal(row.a + row.b + row.c, row.pairs);
	return row;
}

/* The row of a context of which `n` objects were looked at. The caller releases it. */
static struct replica looked_at(draw_fn *draw, uint32_t nfields, size_t n, uint64_t seed)
{
	struct rng rng = { seed };
	struct objects o;

	objects_init(&o, nfields, 1);
	look_at(&o, draw, n, &rng);
	struct replica row = compute(&o, &defaults);
	objects_release(&o);
	return row;
}

static struct replica used(draw_fn *draw, size_t n, uint64_t seed)
{
	struct rng rng = { seed };
	struct objects o;

	objects_init(&o, 4, 1);
	use(&o, draw, n, &rng);
	struct replica row = compute(&o, &defaults);
	objects_release(&o);
	return row;
}

static struct object filled(uint64_t value)
{
	struct object object = { .weight = 0 };

	for (int k = 0; k < OBJECT_VALUES; k++)
		object.values[k] = value;
	return object;
}

/* ---- programs ------------------------------------------------------------------------------ */

static struct object all_same(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	(void)rng;
	return filled(1);
}

static struct object all_distinct(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	(void)rng;
	return filled(1000 + i);
}

static struct object three_quarters(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	return filled(rng_unit(rng) < 0.75 ? 1 : 1000 + i);
}

static struct object ten_groups(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	return filled(rng_below(rng, 10));
}

static struct object hundred_groups(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	return filled(rng_below(rng, 100));
}

static struct object ten_phases(size_t i, size_t n, struct rng *rng)
{
	(void)rng;
	struct object object = filled(i * 10 / n);
	object.epoch = (uint32_t)(i / 50);
	return object;
}

/* int[1024], of which the last value, repeated over all but the first seven elements, is constant. */
static struct object one_element_differs(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	(void)rng;
	struct object object = filled(0);
	object.extent = 1024;
	object.values[3] = 1000 + i; /* one that no slot shows */
	return object;
}

/* Three of four fields are always the same. */
static struct object one_field_differs(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	(void)rng;
	struct object object = filled(7);
	object.values[2] = 1000 + i;
	return object;
}

static struct object hundred_lengths(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	struct object object = filled(0);
	object.extent = 1 + rng_below(rng, 100);
	return object;
}

static struct object thousand_lengths(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	struct object object = filled(1000 + i);
	object.extent = 1 + rng_below(rng, 1000);
	return object;
}

static struct object thousand_lengths_same(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	struct object object = filled(0);
	object.extent = 1 + rng_below(rng, 1000);
	return object;
}

/* Three samples an epoch; two thirds lead to the same thing. */
static struct object thin_references(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	struct object object = filled(rng_unit(rng) < 0.9 ? i / 3 : 1000000 + i);
	object.epoch = (uint32_t)(i / 3);
	object.flags = WIRE_REFS;
	return object;
}

static struct object distinct_references(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	(void)rng;
	struct object object = filled(1000 + i);
	object.epoch = (uint32_t)(i / 100);
	object.flags = WIRE_REFS;
	return object;
}

/* The interval grows sixteenfold halfway; before all is distinct, then nearly all the same. */
static struct object changing(size_t i, size_t n, struct rng *rng)
{
	(void)rng;
	struct object object = filled(i < n / 2 ? 1000 + i : 1);
	object.weight = i < n / 2 ? 100 : 1600;
	return object;
}

static struct object large_unproven(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	(void)rng;
	struct object object = filled(0);
	object.extent = 100000;
	object.flags = WIRE_PARTIAL;
	return object;
}

static struct object empty(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	(void)rng;
	return filled(0);
}

/* ---- verdicts ------------------------------------------------------------------------------ */

#define assert_verdict(call, want)                                             \
	do {                                                                   \
		struct replica row_ = call;                                    \
		assert_string_equal(replica_verdict_name(row_.verdict), want); \
		replica_release(&row_);                                        \
	} while (0)

/* From a few dozen pairs to thousands, and not by the luck of one seed. */
static void verdicts_by_looks(void **state)
{
	const size_t sizes[] = { 200, 1000, 8000 };

	(void)state;
	for (size_t k = 0; k < 3; k++)
		for (uint64_t seed = 1; seed < 12; seed++) {
			size_t n = sizes[k];
			assert_verdict(looked_at(all_same, 4, n, seed), "replica");
			assert_verdict(looked_at(all_distinct, 4, n, seed), "distinct");
			assert_verdict(looked_at(ten_groups, 4, n, seed), "few-values");
			assert_verdict(looked_at(ten_phases, 4, n, seed), "few-values");
			assert_verdict(looked_at(one_field_differs, 4, n, seed), "partial");
			assert_verdict(looked_at(one_element_differs, 0, n, seed), "partial");
			assert_verdict(looked_at(three_quarters, 4, n, seed), "replica");
			assert_verdict(looked_at(empty, 0, n, seed), "replica");
		}
	for (uint64_t seed = 1; seed < 12; seed++) {
		assert_verdict(looked_at(hundred_lengths, 0, 1000, seed), "few-values");
		assert_verdict(looked_at(hundred_lengths, 0, 8000, seed), "few-values");
		assert_verdict(looked_at(distinct_references, 4, 1000, seed), "distinct");
		assert_verdict(looked_at(thousand_lengths, 0, 8000, seed), "distinct");
		assert_verdict(looked_at(thousand_lengths_same, 0, 8000, seed), "few-values");
	}
}

static void verdicts_by_uses(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 12; seed++)
		for (size_t n = 500; n <= 8000; n *= 4) {
			assert_verdict(used(all_same, n, seed), "replica");
			assert_verdict(used(all_distinct, n, seed), "distinct");
			assert_verdict(used(ten_groups, 2000 + n, seed), "few-values");
			assert_verdict(used(ten_phases, 2000 + n, seed), "few-values");
			assert_verdict(used(three_quarters, n, seed), "replica");
			assert_verdict(used(one_field_differs, n, seed), "partial");
		}
}

static void too_little_evidence(void **state)
{
	(void)state;
	for (size_t n = 0; n < 60; n++) {
		struct replica row = looked_at(all_same, 4, n, n);
		assert_int_equal(row.pairs, n / 2);
		assert_int_equal(row.verdict, VERDICT_UNKNOWN);
		assert_int_equal(row.source, n > 1 ? REPLICA_SCAN : REPLICA_NONE);
		if (n < 2)
			assert_true(isnan(row.theta) && isnan(row.alpha) && isnan(row.omega) &&
				    isnan(row.gamma) && isnan(row.identical) &&
				    isnan(row.theta_ci.low) && isnan(row.largest_group) &&
				    isnan(row.saved_bytes) && isnan(row.immutable) &&
				    isnan(row.unused) && isnan(row.distinct));
		replica_release(&row);
	}
	assert_verdict(looked_at(all_same, 4, 60, 1), "replica");
}

/* ---- figures ------------------------------------------------------------------------------- */

static void figures_of_the_paper(void **state)
{
	(void)state;
	struct replica row = looked_at(all_same, 4, 200, 1);
	assert_true(row.a == 100 && row.b == 0 && row.c == 0);
	assert_true(row.theta == 1 && isnan(row.alpha) && row.omega == 1 && row.identical == 1);
	assert_true(row.gamma == 1);
	assert_true(fabs(row.objects - 200000) < 1e-6);
	replica_release(&row);

	row = looked_at(three_quarters, 4, 8000, 1);
	assert_true(row.identical == (double)row.a / 4000);
	assert_true(row.theta == row.identical && row.alpha == 0);
	assert_true(fabs(row.identical - 0.5625) < 5 * sqrt(0.5625 * 0.4375 / 4000));
	assert_true(row.identical <= row.gamma && fabs(row.gamma - sqrt(row.identical)) < 1e-6);
	replica_release(&row);

	row = looked_at(one_element_differs, 0, 2000, 1);
	assert_true(row.a == 0 && row.theta > 0.98 && row.alpha > 0.98 && row.identical == 0);
	assert_true(row.omega < 0.01);
	replica_release(&row);
}

/* Arrays of one length are all the same, yet two of any length are so once in a hundred. */
static void many_lengths(void **state)
{
	(void)state;
	for (size_t n = 400; n <= 8000; n *= 2) {
		struct replica row = looked_at(hundred_lengths, 0, n, n);
		assert_true(fabs(row.identical - 0.01) < 0.002);
		assert_true(row.identical_ci.low <= 0.0101 && row.identical_ci.high >= 0.0099);
		assert_true(row.identical_ci.low > 0.003 && row.identical_ci.high < 0.03);
		assert_true(row.gamma >= 0.01 && row.gamma < 0.2);
		replica_release(&row);
	}
	/* Few pairs of many lengths: nearly nothing is known, but that it is little. */
	struct replica row = looked_at(thousand_lengths_same, 0, 300, 1);
	assert_true(row.identical < 0.005 && row.identical_ci.high < 0.01);
	assert_true(row.theta == row.identical);
	replica_release(&row);
}

/* Lengths that the model did not tell apart may be equal or not. */
static void other_lengths(void **state)
{
	struct rng rng = { 1 };
	struct objects o;

	(void)state;
	objects_init(&o, 0, 1);
	look_at(&o, all_same, 1000, &rng);
	objects_allocate(&o, MODEL_OTHER_SIZES, 100, 1000, 1e6);
	struct replica row = compute(&o, &defaults);
	assert_true(fabs(row.identical - 0.25) < 0.01);
	assert_true(row.identical_ci.low < 0.25 && row.identical_ci.high > 0.5);
	replica_release(&row);
	objects_release(&o);
}

static void weights_count(void **state)
{
	(void)state;
	/* (16/17)^2 = 0.886; of the samples, half are distinct */
	struct replica row = looked_at(changing, 4, 8000, 1);
	assert_true(fabs(row.identical - 256.0 / 289) < 0.03);
	assert_true(fabs(row.largest_group - 16.0 / 17) < 0.01);
	assert_true(row.identical_ci.low < 256.0 / 289 && row.identical_ci.high > 256.0 / 289);
	assert_int_equal(row.verdict, VERDICT_REPLICA);
	assert_true(row.saved_bytes < 16.0 / 17 * row.bytes);
	assert_true(row.saved_bytes > 0.92 * row.bytes);
	replica_release(&row);
}

/* Two in three pairs of an epoch's three; an epoch's group can not be told from so few. */
static void few_samples_an_epoch(void **state)
{
	(void)state;
	struct replica row = looked_at(thin_references, 4, 6000, 1);
	assert_int_equal(row.pairs, 2000);
	assert_true(fabs(row.identical - 0.81) < 5 * sqrt(0.81 * 0.19 / 2000));
	assert_true(isnan(row.largest_group) && isnan(row.distinct));
	assert_int_equal(row.verdict, VERDICT_REPLICA);
	replica_release(&row);
}

static void never_proven(void **state)
{
	(void)state;
	struct replica row = looked_at(large_unproven, 0, 1000, 1);
	assert_true(row.a == 0 && row.b == 500);
	assert_true(row.identical == 0 && row.identical_ci.low == 0 && row.identical_ci.high == 1);
	assert_true(row.theta == 1 && row.gamma == 1 && isnan(row.largest_group));
	assert_true(row.saved_bytes == 0);
	assert_int_equal(row.verdict, VERDICT_PARTIAL);
	replica_release(&row);
}

/* ---- sources ------------------------------------------------------------------------------- */

static void sources(void **state)
{
	struct rng rng = { 1 };
	struct objects o;

	(void)state;
	objects_init(&o, 4, 1);
	use(&o, all_same, 200, &rng);
	look_at(&o, all_distinct, 1000, &rng);
	struct replica row = compute(&o, &defaults);
	assert_int_equal(row.source, REPLICA_WATCH);
	assert_int_equal(row.a, row.pairs);
	assert_string_equal(replica_source_name(row.source), "watch");
	/* equal when used, unequal at the end: they cannot be shared */
	assert_int_equal(row.verdict, VERDICT_DISTINCT);
	assert_true(row.saved_bytes == 0);
	replica_release(&row);

	struct replica_options many = defaults;
	many.min_pairs = 300;
	row = compute(&o, &many);
	assert_int_equal(row.source, REPLICA_SCAN);
	assert_int_equal(row.c, 500);
	assert_string_equal(replica_source_name(row.source), "scan");
	replica_release(&row);
	objects_release(&o);
	assert_null(replica_source_name(REPLICA_NONE));
}

/* Cleared at the end of life: equal then, but not when used. */
static void unequal_when_used(void **state)
{
	struct rng rng = { 1 };
	struct objects o;

	(void)state;
	objects_init(&o, 4, 1);
	use(&o, all_distinct, 2000, &rng);
	look_at(&o, all_same, 2000, &rng);
	struct replica row = compute(&o, &defaults);
	assert_int_equal(row.source, REPLICA_WATCH);
	assert_true(row.identical == 0 && row.largest_group == 1);
	assert_int_equal(row.verdict, VERDICT_DISTINCT);
	assert_true(row.saved_bytes < 0.02 * row.bytes);
	replica_release(&row);
	objects_release(&o);
}

/* No scan, or hardly one: contents at uses tell how many there are. */
static void uses_alone(void **state)
{
	struct rng rng = { 1 };
	struct objects o;

	(void)state;
	assert_verdict(used(hundred_groups, 2000, 1), "few-values");
	objects_init(&o, 4, 1);
	use(&o, all_distinct, 2000, &rng);
	look_at(&o, all_distinct, 5, &rng);
	struct replica row = compute(&o, &defaults);
	assert_int_equal(row.verdict, VERDICT_DISTINCT);
	replica_release(&row);
	objects_release(&o);
}

static void fields_and_accesses(void **state)
{
	struct rng rng = { 1 };
	struct objects o;
	uint64_t sum = 0;

	(void)state;
	objects_init(&o, 4, 1);
	use(&o, one_field_differs, 4000, &rng);
	struct replica row = compute(&o, &defaults);
	assert_int_equal(row.nfields, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(row.fields[i].position, i);
		assert_int_equal(row.fields[i].equal, i == 2 ? 0 : row.fields[i].pairs);
		sum += row.fields[i].pairs;
	}
	assert_int_equal(sum, row.pairs);
	assert_int_equal(row.naccesses, 2);
	assert_true(row.accesses[0].uses >= row.accesses[1].uses);
	assert_int_equal(row.accesses[0].uses + row.accesses[1].uses, 4000);
	assert_int_equal(row.accesses[0].pairs + row.accesses[1].pairs, row.pairs);
	assert_int_equal(row.accesses[0].equal + row.accesses[1].equal, row.b);
	assert_int_equal(row.accesses[0].jvm, 1);
	replica_release(&row);
	objects_release(&o);

	row = looked_at(one_field_differs, 4, 1000, 1);
	assert_int_equal(row.nfields, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(row.fields[i].pairs, 500);
		assert_int_equal(row.fields[i].equal, i == 2 ? 0 : 500);
	}
	assert_int_equal(row.naccesses, 0);
	replica_release(&row);

	/* of 1024 elements some are compared, each at its own index */
	row = looked_at(one_element_differs, 0, 100, 1);
	assert_true(row.nfields > 16 && row.nfields <= WIRE_SLOTS);
	for (size_t i = 0; i < row.nfields; i++) {
		assert_true(row.fields[i].position < 1024);
		assert_true(i == 0 || row.fields[i].position > row.fields[i - 1].position);
	}
	replica_release(&row);
}

static void outcomes_of_watches(void **state)
{
	struct rng rng = { 1 };
	struct objects o;

	(void)state;
	objects_init(&o, 4, 1);
	use(&o, all_same, 60, &rng);
	o.context.unused[WIRE_UNUSED_TIME] = 30;
	o.context.unused[WIRE_UNUSED_TRAPS] = 10;
	o.context.unused[WIRE_UNUSED_EPOCH] = 1000;
	o.context.unused[WIRE_UNUSED_REPLACED] = 1000;
	struct replica row = compute(&o, &defaults);
	assert_true(row.unused == 0.3);
	replica_release(&row);
	objects_release(&o);
}

static void immutable_objects(void **state)
{
	struct objects o;

	(void)state;
	objects_init(&o, 1, 1);
	for (int i = 0; i < 100; i++)
		objects_look(&o, &(struct object){ .weight = 1,
						   .flags = i < 60   ? 0
							    : i < 90 ? WIRE_TWICE
								     : WIRE_TWICE | WIRE_CHANGED });
	struct replica row = compute(&o, &defaults);
	assert_true(row.immutable == 0.75);
	assert_int_equal(row.scanned, 100);
	replica_release(&row);
	objects_release(&o);
}

/* ---- several contexts ---------------------------------------------------------------------- */

/*
 * Ten contexts with one content each. Within each, all are equal; together there are ten, of which
 * none dominates. One context is thinned by the model, which must not make it smaller.
 */
static void grouped_contexts(void **state)
{
	struct objects o[10];
	struct model_context *contexts[10];
	struct replica row;

	(void)state;
	for (uint32_t i = 0; i < 10; i++) {
		struct object object = filled(i);
		object.weight = 100;
		objects_init(&o[i], 4, i + 1);
		for (int k = 0; k < (i ? 400 : 50); k++)
			objects_look(&o[i], &object);
		objects_allocate(&o[i], 0, 32, 400, 40000);
		contexts[i] = &o[i].context;
	}
	assert_int_equal(replica_compute(&row, contexts, 10, &defaults), 0);
	assert_true(row.a == row.pairs && row.pairs == 25 + 9 * 200);
	assert_true(fabs(row.identical - 1) < 1e-9 && isnan(row.alpha));
	assert_true(fabs(row.largest_group - 0.1) < 0.02);
	assert_true(row.distinct == 10);
	assert_true(fabs(row.objects - 400000) < 1e-6);
	assert_int_equal(row.verdict, VERDICT_FEW_VALUES);
	replica_release(&row);
	for (int i = 0; i < 10; i++)
		objects_release(&o[i]);
}

/* One site, scattered over hundreds of contexts by recursion, with a handful of samples each. */
static void scattered_contexts(void **state)
{
	static struct objects o[300];
	struct model_context *contexts[300];
	struct replica row;
	struct rng rng = { 9 };

	(void)state;
	for (uint32_t i = 0; i < 300; i++) {
		objects_init(&o[i], 4, i + 1);
		look_at(&o[i], all_same, 1 + rng_below(&rng, 5), &rng);
		contexts[i] = &o[i].context;
	}
	assert_int_equal(replica_compute(&row, contexts, 300, &defaults), 0);
	assert_true(row.identical == 1 || fabs(row.identical - 1) < 1e-9);
	assert_true(row.identical_ci.low > 0.7);
	assert_int_equal(row.verdict, VERDICT_REPLICA);
	assert_true(row.largest_group == 1);
	replica_release(&row);
	for (int i = 0; i < 300; i++)
		objects_release(&o[i]);
}

static void same_input_same_row(void **state)
{
	(void)state;
	struct replica x = looked_at(three_quarters, 4, 3000, 5);
	struct replica y = looked_at(three_quarters, 4, 3000, 5);
	assert_true(x.a == y.a && x.theta == y.theta && x.largest_group == y.largest_group &&
		    x.identical_ci.low == y.identical_ci.low && x.saved_bytes == y.saved_bytes);
	replica_release(&x);
	replica_release(&y);
}

static void assert_in_order(double a, double b)
{
	assert_true(isnan(a) || isnan(b) || a <= b + 1e-9);
}

static void assert_share(double x)
{
	assert_true(isnan(x) || (x >= 0 && x <= 1));
}

/* What holds whatever the evidence. */
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
	assert_share(r->largest_group);
	assert_in_order(r->omega, r->identical);
	assert_in_order(r->identical, r->gamma);
	assert_in_order(r->identical, r->theta);
	assert_in_order(r->identical_ci.low, r->identical);
	assert_in_order(r->identical, r->identical_ci.high);
	assert_in_order(r->theta_ci.low, r->theta);
	assert_in_order(r->theta, r->theta_ci.high);
	assert_in_order(r->largest_group_ci.low, r->largest_group);
	assert_in_order(r->largest_group, r->largest_group_ci.high);
	assert_in_order(r->saved_bytes, r->bytes);
	assert_in_order(r->saved_objects, r->objects);
	assert_in_order(0.0, r->saved_bytes);
	assert_in_order(r->distinct, fmax(r->objects, (double)r->scanned));
	assert_true(r->pairs == 0 || (!isnan(r->theta) && !isnan(r->identical)));
	assert_true((r->pairs == 0) == (r->source == REPLICA_NONE));
}

static struct object anything(struct rng *rng, uint32_t variety, uint32_t lengths, uint32_t refs)
{
	struct object object = { .weight = exp(4 * rng_unit(rng)) };

	object.extent = rng_below(rng, lengths);
	object.epoch = rng_below(rng, 5);
	object.flags = (uint16_t)rng_below(rng, 32) & (uint16_t)~WIRE_REFS;
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
				objects_look(&o[k], &object);
				uint32_t access = rng_below(&rng, 2);
				objects_use(&o[k], &object, access, rng_below(&rng, 3));
			}
			for (uint32_t i = rng_below(&rng, 10); i > 0; i--) {
				uint32_t samples = rng_below(&rng, 30), extent = rng_below(&rng, 9);
				objects_allocate(&o[k], i == 5 ? MODEL_OTHER_SIZES : extent, 16,
						 samples, 90 * rng_unit(&rng));
			}
		}
		for (size_t n = 0; n <= 2; n++) {
			assert_int_equal(replica_compute(&row, contexts, n, &defaults), 0);
			assert_sound(&row);
			replica_release(&row);
		}
		objects_release(&o[0]);
		objects_release(&o[1]);
	}
}

/* ---- intervals ----------------------------------------------------------------------------- */

/*
 * A context of which a share is the same and the rest distinct, but for a field or two that are
 * always the same; with weights that vary. Counts how often the intervals hold the truth.
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
		struct object object = filled(rng_unit(rng) < same ? 1 : 1000 + i);
		for (uint32_t k = 0; k < constant; k++)
			object.values[k] = 7;
		object.weight = 1 + 3 * rng_unit(rng);
		object.epoch = (uint32_t)i / 100;
		if (by_uses) {
			uint32_t access = rng_below(rng, 3);
			objects_use(&o, &object, access, rng_below(rng, 4));
		} else {
			objects_look(&o, &object);
		}
		objects_allocate(&o, 0, 32, 1, object.weight);
	}
	struct replica_options options = defaults;
	options.seed = rng_next(rng);
	struct replica row = compute(&o, &options);
	hits[0] += row.theta_ci.low <= theta && theta <= row.theta_ci.high;
	hits[1] += row.identical_ci.low <= identical && identical <= row.identical_ci.high;
	hits[2] += row.largest_group_ci.low <= same && same <= row.largest_group_ci.high;
	replica_release(&row);
	objects_release(&o);
}

static void intervals_hold(void **state)
{
	struct rng rng = { 31 };
	int uses[3] = { 0 }, looks[3] = { 0 }, rounds = 1500;

	(void)state;
	for (int i = 0; i < rounds; i++) {
		count_hits(&rng, true, uses);
		count_hits(&rng, false, looks);
	}
	for (int k = 0; k < 3; k++) {
		if (k < 2)
			assert_true(uses[k] >= 0.93 * rounds && uses[k] <= 0.98 * rounds);
		assert_true(looks[k] >= 0.93 * rounds && looks[k] <= 0.98 * rounds);
	}
}

/*
 * Several lengths of unequal frequency, each with its own share of equal arrays. Never too narrow;
 * wider than need be where lengths have no pair.
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
			struct object object = filled(rng_unit(&rng) < same[k] ? 1 : 1000 + i);
			object.extent = k + 1;
			object.weight = 1;
			objects_look(&o, &object);
			objects_allocate(&o, k + 1, 32, 1, 1);
		}
		struct replica_options options = defaults;
		options.seed = rng_next(&rng);
		struct replica row = compute(&o, &options);
		hits += row.identical_ci.low <= identical && identical <= row.identical_ci.high;
		replica_release(&row);
		objects_release(&o);
	}
	assert_true(hits >= 0.93 * rounds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_by_looks),   cmocka_unit_test(verdicts_by_uses),
		cmocka_unit_test(too_little_evidence), cmocka_unit_test(figures_of_the_paper),
		cmocka_unit_test(many_lengths),	       cmocka_unit_test(other_lengths),
		cmocka_unit_test(weights_count),       cmocka_unit_test(few_samples_an_epoch),
		cmocka_unit_test(never_proven),	       cmocka_unit_test(sources),
		cmocka_unit_test(unequal_when_used),   cmocka_unit_test(fields_and_accesses),
		cmocka_unit_test(outcomes_of_watches), cmocka_unit_test(immutable_objects),
		cmocka_unit_test(grouped_contexts),    cmocka_unit_test(scattered_contexts),
		cmocka_unit_test(same_input_same_row), cmocka_unit_test(any_evidence),
		cmocka_unit_test(intervals_hold),      cmocka_unit_test(intervals_of_many_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* programs.c - see programs.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "programs.h"

static const struct replica_options defaults = PROGRAM_OPTIONS;

struct object object_of(uint64_t value)
{
	struct object object = { .weight = 0 };

	for (int k = 0; k < OBJECT_VALUES; k++)
		object.values[k] = value;
	return object;
}

/* ---- programs ------------------------------------------------------------------------------ */

struct object all_same(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	(void)rng;
	return object_of(1);
}

struct object all_distinct(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	(void)rng;
	return object_of(1000 + i);
}

struct object three_quarters(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	return object_of(rng_unit(rng) < 0.75 ? 1 : 1000 + i);
}

struct object ten_groups(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	return object_of(rng_below(rng, 10));
}

struct object hundred_groups(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	return object_of(rng_below(rng, 100));
}

struct object many_groups(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	return object_of(rng_below(rng, 250));
}

struct object ten_phases(size_t i, size_t n, struct rng *rng)
{
	(void)rng;
	struct object object = object_of(i * 10 / n);
	object.epoch = (uint32_t)(i / 50);
	return object;
}

/* int[1024]; the last value, which fills all but the first seven elements, is constant. */
struct object one_element_differs(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	(void)rng;
	struct object object = object_of(0);
	object.array_length = 1024;
	object.values[3] = 1000 + i; /* at a position without a slot */
	return object;
}

/* Three of four fields are always the same. */
struct object one_field_differs(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	(void)rng;
	struct object object = object_of(7);
	object.values[2] = 1000 + i;
	return object;
}

struct object hundred_lengths(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	struct object object = object_of(0);
	object.array_length = 1 + rng_below(rng, 100);
	return object;
}

struct object thousand_lengths(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	struct object object = object_of(1000 + i);
	object.array_length = 1 + rng_below(rng, 1000);
	return object;
}

struct object thousand_lengths_same(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	struct object object = object_of(0);
	object.array_length = 1 + rng_below(rng, 1000);
	return object;
}

/* Three samples per epoch; two thirds have the same deep content. */
struct object thin_references(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	struct object object = object_of(rng_unit(rng) < 0.9 ? i / 3 : 1000000 + i);
	object.epoch = (uint32_t)(i / 3);
	object.flags = WIRE_REFS;
	return object;
}

struct object distinct_references(size_t i, size_t n, struct rng *rng)
{
	(void)n;
	(void)rng;
	struct object object = object_of(1000 + i);
	object.epoch = (uint32_t)(i / 100);
	object.flags = WIRE_REFS;
	return object;
}

/*
 * The interval grows sixteenfold halfway; before that all are distinct, after it nearly all the
 * same.
 */
struct object changing(size_t i, size_t n, struct rng *rng)
{
	(void)rng;
	struct object object = object_of(i < n / 2 ? 1000 + i : 1);
	object.weight = i < n / 2 ? 100 : 1600;
	return object;
}

struct object large_unproven(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	(void)rng;
	struct object object = object_of(0);
	object.array_length = 100000;
	object.flags = WIRE_PARTIAL;
	return object;
}

struct object empty(size_t i, size_t n, struct rng *rng)
{
	(void)i;
	(void)n;
	(void)rng;
	return object_of(0);
}

/* ---- rows --- */

/* Adds `n` snapshots of objects of one size, each of which stands for 1000. */
void program_snapshot(struct objects *o, program *p, size_t n, struct rng *rng)
{
	for (size_t i = 0; i < n; i++) {
		struct object object = p(i, n, rng);
		if (object.weight == 0)
			object.weight = PROGRAM_WEIGHT;
		objects_snapshot(o, &object);
		objects_allocate(o, object.array_length, 32 + object.array_length * 4, 1,
				 object.weight);
	}
}

/* The same for uses, at random positions of `nfields`, from one of two callers. */
void program_use(struct objects *o, program *p, size_t n, struct rng *rng)
{
	for (size_t i = 0; i < n; i++) {
		struct object object = p(i, n, rng);
		if (object.weight == 0)
			object.weight = PROGRAM_WEIGHT;
		uint32_t access = 1 + rng_below(rng, 2);
		objects_use(o, &object, access, rng_below(rng, o->class.nfields));
		objects_allocate(o, object.array_length, 32, 1, object.weight);
	}
}

struct replica row_of(struct objects *o, const struct replica_options *options)
{
	struct model_context *contexts[] = { &o->context };
	struct replica row;

	replica_compute(&row, contexts, 1, options);
	assert_int_equal(row.a + row.b + row.c, row.pairs);
	return row;
}

/* The row of a context with `n` snapshots. The caller releases it. */
struct replica row_of_snapshots(program *p, uint32_t nfields, size_t n, uint64_t seed)
{
	struct rng rng = { seed };
	struct objects o;

	objects_init(&o, nfields, 1);
	program_snapshot(&o, p, n, &rng);
	struct replica row = row_of(&o, &defaults);
	objects_release(&o);
	return row;
}

struct replica row_of_uses(program *p, size_t n, uint64_t seed)
{
	struct rng rng = { seed };
	struct objects o;

	objects_init(&o, 4, 1);
	program_use(&o, p, n, &rng);
	struct replica row = row_of(&o, &defaults);
	objects_release(&o);
	return row;
}

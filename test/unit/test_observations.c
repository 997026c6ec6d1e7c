/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_observations.c - what snapshots stand for: which part of their weight is that of samples
 * that were not looked at, known by construction.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "analyse/replica/observations.h"
#include "objects.h"

#define SAMPLES 60 /* of each size */

/* The samples of a size, one in `step` of which has a snapshot. */
struct size {
	uint32_t array_length;
	uint64_t bytes;
	double objects; /* of a sample */
	size_t step;
};

static void sample(struct objects *o, const struct size *size)
{
	struct object object = { .array_length = size->array_length,
				 .weight = size->objects * (double)size->step };

	for (size_t i = 0; i < SAMPLES; i++) {
		objects_allocate(o, size->array_length, size->bytes, 1, size->objects);
		object.values[0] = i;
		if (i % size->step == 0)
			objects_snapshot(o, &object);
	}
}

/* The shares of objects and of bytes that snapshots of a row stand for without a look at them. */
static void shares(struct objects *o, double *objects, double *bytes)
{
	struct model_context *contexts[] = { &o->context };
	double all = 0, all_bytes = 0;
	size_t n;

	struct observation *list = observations_list_snapshots(contexts, 1, NULL, &n);
	assert_non_null(list);
	*objects = *bytes = 0;
	for (size_t i = 0; i < n; i++) {
		all += list[i].weight;
		all_bytes += list[i].weight * list[i].bytes;
		*objects += list[i].others;
		*bytes += list[i].others * list[i].bytes;
	}
	free(list);
	*objects /= all;
	*bytes /= all_bytes;
}

/* Asserts that all that was skipped, and nothing else, counts as such. */
static void assert_skipped(const struct size *a, const struct size *b)
{
	double objects, bytes, skipped = 0, skipped_bytes = 0, all = 0, all_bytes = 0;
	const struct size *sizes[] = { a, b };
	struct objects o;

	objects_init(&o, 0, 1);
	for (int k = 0; k < 2; k++) {
		double part = 1 - 1 / (double)sizes[k]->step;
		sample(&o, sizes[k]);
		skipped += part * sizes[k]->objects;
		skipped_bytes += part * sizes[k]->objects * (double)sizes[k]->bytes;
		all += sizes[k]->objects;
		all_bytes += sizes[k]->objects * (double)sizes[k]->bytes;
	}
	shares(&o, &objects, &bytes);
	assert_true(fabs(objects - skipped / all) < 1e-9);
	assert_true(fabs(bytes - skipped_bytes / all_bytes) < 1e-9);
	objects_release(&o);
}

/* A sample of a large array stands for one object, that of a small one for thousands. */
static void unequal_sizes(void **state)
{
	const struct size large = { 1 << 20, 1 << 20, 1, 1 }, few = { 1 << 20, 1 << 20, 1, 2 };
	const struct size small = { 16, 32, 2000, 2 }, all = { 16, 32, 2000, 1 };

	(void)state;
	assert_skipped(&small, &large);
	assert_skipped(&all, &few);
	assert_skipped(&small, &few);
	assert_skipped(&all, &large);
}

/* Weights differ since the sampling interval has changed: nothing was skipped. */
static void changed_interval(void **state)
{
	struct objects o;
	double objects, bytes;

	(void)state;
	objects_init(&o, 0, 1);
	sample(&o, &(struct size){ 16, 32, 1000, 1 });
	sample(&o, &(struct size){ 16, 32, 4000, 1 });
	shares(&o, &objects, &bytes);
	assert_true(fabs(objects) < 1e-9 && fabs(bytes) < 1e-9);
	objects_release(&o);
	objects_init(&o, 0, 1);
	sample(&o, &(struct size){ 16, 32, 1000, 2 });
	sample(&o, &(struct size){ 16, 32, 4000, 2 });
	shares(&o, &objects, &bytes);
	assert_true(fabs(objects - 0.5) < 1e-9 && fabs(bytes - 0.5) < 1e-9);
	objects_release(&o);
}

int unit_observations(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unequal_sizes),
		cmocka_unit_test(changed_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

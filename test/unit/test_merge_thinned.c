/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_merge_thinned.c - recordings that kept a part of their evidence are merged: what is left
 * stands for all that came, and uses find the snapshots of their objects.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "analyse/analyses.h"
#include "merge_tapes.h"

/* Each snapshot counts for what it stands for, if the files of a process kept unequal shares. */
static void thinned_files_of_a_process(void **state)
{
	enum { FILES = 3, MANY = 40000, FEW = 500 };
	struct tape *from[FILES];
	double sum[2] = { 0, 0 };

	(void)state;
	for (uint32_t i = 0; i < FILES; i++) {
		struct rng rng = { i };
		from[i] = tape_of_sites(i, 1);
		tape_be_of(from[i], 0, 7);
		for (uint32_t k = 0; k < (i ? MANY : FEW); k++)
			build_snapshot(
				&from[i]->b,
				&(struct wire_snapshot){ .context = 1,
							 .content = i > 0,
							 .weight = 1,
							 .ticket = (uint32_t)rng_next(&rng) },
				NULL, 0);
	}
	struct tape *merged = tape_merge_alike(from, FILES, 4);
	struct model *m = model_new(analyses);
	tape_load(m, merged);
	const struct model_context *c = model_context(m, 0);
	for (size_t i = 0; i < c->nsnapshots; i++)
		sum[c->snapshots[i]->content == c->snapshots[0]->content] +=
			c->snapshots[i]->weight;
	assert_true(c->nsnapshots > 4096 && c->nsnapshots <= 8192);
	assert_float_equal(sum[1] / sum[0], FEW / (2.0 * MANY), 0.002);
	model_free(m);
	tape_release(merged);
	for (uint32_t i = 0; i < FILES; i++)
		tape_release(from[i]);
}

/* What the evidence of a context stands for, as a reader of the recording sees it. */
static double stands_for(const struct model_context *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->nsnapshots; i++)
		sum += c->snapshots[i]->weight;
	return sum * (double)c->snapshots_seen / (double)c->nsnapshots;
}

/* Weights are of the same scale in all contexts, thinned or not. */
static void thinned_beside_others(void **state)
{
	enum { MANY = 80000, FEW = 1000 };
	struct tape *from[2];
	struct rng rng = { 1 };

	(void)state;
	for (uint32_t r = 0; r < 2; r++) {
		from[r] = tape_of_sites(r, 2);
		for (uint32_t k = 0; k < (r ? MANY / 2 : MANY) + FEW; k++)
			build_snapshot(
				&from[r]->b,
				&(struct wire_snapshot){ .context = 1 + (k < FEW),
							 .content = k,
							 .weight = k < FEW ? 20 : 10,
							 .ticket = (uint32_t)rng_next(&rng) },
				NULL, 0);
	}
	struct tape *merged = tape_merge_alike(from, 2, 2);
	struct model *m = model_new(analyses);
	tape_load(m, merged);
	for (size_t i = 0; i < 2; i++) {
		const struct model_context *c = model_context(m, i);
		bool few = c->snapshots_seen == 2 * FEW;
		double want = few ? 2 * FEW * 20 : 1.5 * MANY * 10;
		assert_true(few || c->snapshots_seen == MANY + MANY / 2);
		assert_true(few == (c->nsnapshots == 2 * FEW));
		assert_true(fabs(stands_for(c) / want - 1) < 1e-6);
	}
	model_free(m);
	tape_release(merged);
	tape_release(from[0]);
	tape_release(from[1]);
}

/* How many uses have the ticket of a snapshot, which is of the same content. */
static size_t count_found(const struct model_context *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nuses; i++)
		for (size_t k = 0; k < c->nsnapshots; k++)
			if (c->snapshots[k]->ticket == c->uses[i]->ticket) {
				assert_true(c->snapshots[k]->content == c->uses[i]->content);
				n++;
			}
	return n;
}

/* A use has the ticket of the snapshot of its object. There are fewer uses, so more are kept. */
static void uses_find_snapshots(void **state)
{
	enum { OBJECTS = 40000, USED = 20 };
	struct tape *from[2];

	(void)state;
	for (uint32_t r = 0; r < 2; r++) {
		struct rng rng = { 5 + r };
		from[r] = tape_of_sites(r, 1);
		for (uint32_t k = 0; k < OBJECTS; k++) {
			uint32_t ticket = (uint32_t)rng_next(&rng);
			build_snapshot(
				&from[r]->b,
				&(struct wire_snapshot){
					.context = 1, .content = k, .weight = 1, .ticket = ticket },
				NULL, 0);
			if (k % USED == 0)
				build_use(&from[r]->b, &(struct wire_use){ .context = 1,
									   .content = k,
									   .weight = 1,
									   .ticket = ticket });
		}
	}
	struct model *one = model_new(analyses), *both = model_new(analyses);
	struct tape *merged = tape_merge_alike(from, 2, 2);
	tape_load(one, from[0]);
	tape_load(both, merged);
	assert_true(count_found(model_context(one, 0)) > 200);
	assert_true(count_found(model_context(both, 0)) > 200);
	model_free(one);
	model_free(both);
	tape_release(merged);
	tape_release(from[0]);
	tape_release(from[1]);
}

/* No random numbers, but one for all. */
static void one_ticket(void **state)
{
	struct tape *from[2];

	(void)state;
	for (uint32_t r = 0; r < 2; r++) {
		from[r] = tape_of_sites(r, 1);
		tape_be_of(from[r], 0, 7);
		for (uint32_t k = 0; k < 6000u + 4000 * r; k++)
			build_snapshot(
				&from[r]->b,
				&(struct wire_snapshot){ .context = 1, .content = k, .weight = 1 },
				NULL, 0);
	}
	tape_release(tape_merge_alike(from, 2, 2));
	tape_release(from[0]);
	tape_release(from[1]);
}

int unit_merge_thinned(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thinned_files_of_a_process),
		cmocka_unit_test(thinned_beside_others),
		cmocka_unit_test(uses_find_snapshots),
		cmocka_unit_test(one_ticket),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

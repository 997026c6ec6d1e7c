/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_merge_pools.c - recordings of one process with one secret are merged as one recording, and
 * evidence is bounded by processes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "analyse/analyses.h"
#include "merge_tapes.h"

/*
 * Two recordings of the same contents, of processes and with secrets as given. Whether what is
 * equal in both has the same hashes when they are merged.
 */
static bool equal_in_both(uint32_t process, uint64_t secret)
{
	enum { EACH = 20 };
	struct tape *from[2];
	const struct model_context *c;
	uint32_t first, end;

	for (uint32_t i = 0; i < 2; i++) {
		from[i] = tape_of_sites(i, 1);
		tape_be_of(from[i], i ? process : 0, i ? secret : 7);
		for (uint32_t k = 0; k < EACH; k++)
			build_snapshot(&from[i]->b,
				       &(struct wire_snapshot){ .context = 1,
								.epoch = 5,
								.content = k,
								.weight = 1 + i,
								.ticket = ~k },
				       &k, 1);
	}
	struct tape *merged = tape_merge((struct tape *[]){ from[1], from[0] }, 2, NULL);
	struct model *m = model_new(analyses);
	tape_load(m, merged);
	c = model_context(m, 0);
	assert_int_equal(c->nsnapshots, 2 * EACH);
	size_t equal = 0;
	for (uint32_t i = 0; i < 2 * EACH; i++)
		for (uint32_t k = 0; k < i; k++) {
			if (c->snapshots[i]->content != c->snapshots[k]->content)
				continue;
			equal++;
			assert_int_equal(c->snapshots[i]->slot[0], c->snapshots[k]->slot[0]);
			assert_int_equal(c->snapshots[i]->process, c->snapshots[k]->process);
			/* addresses are not of the same time, and the earlier file comes first */
			assert_int_not_equal(c->snapshots[i]->epoch, c->snapshots[k]->epoch);
			assert_true(c->snapshots[k]->number < EACH);
			assert_float_equal(c->snapshots[k]->weight, 1, 0);
			model_snapshot_pool(m, i, &first, &end);
			assert_int_equal(end - first, 2 * EACH);
		}
	assert_true(equal == 0 || equal == EACH);
	model_free(m);
	tape_release(merged);
	tape_release(from[0]);
	tape_release(from[1]);
	return equal;
}

static void files_of_a_process(void **state)
{
	(void)state;
	assert_true(equal_in_both(0, 7));
	assert_false(equal_in_both(1, 7));
	assert_false(equal_in_both(0, 8));
	assert_false(equal_in_both(0, 0));
}

/* Of many files of few processes most evidence of a context is left out, and all in some. */
static void little_of_many(void **state)
{
	enum { FILES = 6, CONTEXTS = 3000, EACH = 18 };
	struct tape *from[FILES];

	(void)state;
	for (uint32_t i = 0; i < FILES; i++) {
		struct rng rng = { i };
		from[i] = tape_of_sites(i, CONTEXTS);
		tape_be_of(from[i], i % 3, 7);
		for (uint32_t k = 0; k < CONTEXTS * EACH; k++)
			build_use(&from[i]->b,
				  &(struct wire_use){ .context = 1 + k % CONTEXTS,
						      .epoch = k / 7,
						      .weight = 1,
						      .ticket = (uint32_t)rng_next(&rng) >>
								18 << 18 });
	}
	tape_release(tape_merge_alike(from, FILES, 3));
	for (uint32_t i = 0; i < FILES; i++)
		tape_release(from[i]);
}

/* Up to four processes share the room of a context; of more, some are left out. */
static void shares_of_processes(void **state)
{
	enum { MOST = 6, EACH = 4000 };
	struct tape *from[MOST];

	(void)state;
	for (uint32_t i = 0; i < MOST; i++) {
		struct rng rng = { i };
		from[i] = tape_of_sites(i, 1);
		for (uint32_t k = 0; k < EACH; k++)
			build_snapshot(
				&from[i]->b,
				&(struct wire_snapshot){ .context = 1,
							 .content = k,
							 .weight = 1,
							 .ticket = (uint32_t)rng_next(&rng) },
				NULL, 0);
	}
	for (uint32_t n = 2; n <= MOST; n++) {
		struct tape *merged = tape_merge_alike(from, n, 3);
		struct model *m = model_new(analyses);
		uint32_t of[MOST + 1] = { 0 }, share = 8192 / (n < 4 ? n : 4), there = 0;
		tape_load(m, merged);
		const struct model_context *c = model_context(m, 0);
		for (size_t i = 0; i < c->nsnapshots; i++)
			of[c->snapshots[i]->process]++;
		for (uint32_t i = 1; i <= n; i++) {
			there += of[i] > 0;
			assert_true(of[i] == 0 || of[i] == EACH || of[i] > share / 2 - 200);
			assert_true(of[i] <= share);
		}
		assert_int_equal(there, n < 4 ? n : 4);
		model_free(m);
		tape_release(merged);
	}
	for (uint32_t i = 0; i < MOST; i++)
		tape_release(from[i]);
}

int unit_merge_pools(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_a_process),
		cmocka_unit_test(little_of_many),
		cmocka_unit_test(shares_of_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_merge.c - merging is associative and commutative: made recordings, merged in random orders
 * and groups, give the same records, byte for byte. And sums are those of the recordings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/analyses.h"
#include "base/rng.h"
#include "merge_tapes.h"

enum { SITES = 6 };

/* Sites have other numbers in each recording; weights are fractions. */
static struct tape *make(uint32_t number, uint32_t pieces)
{
	struct tape *t = calloc(1, sizeof *t);
	struct rng rng = { number };

	t->header = (struct file_header){ .start_unix_ns = 1000 + number, .machine = "x86_64" };
	t->end_ns = 7 * number;
	build_jvm(&t->b, (int32_t)(100 + number), WIRE_ENGINE_SCAN, "VM", "17", "G1");
	build_status(&t->b,
		     &(struct file_status){ .sampled = number, .nnotes = 1, .note = { "n" } });
	for (uint32_t i = 0; i < SITES; i++) {
		uint32_t id = 1 + (i + number) % SITES;
		char name[] = { 'r', 'u', 'n', (char)('a' + i), 0 };
		build_site(&t->b, id, "Lcom/acme/Point;", "Lcom/acme/Main;", name, 10 + (int)i);
		for (uint32_t k = 0; k < 1 + rng_below(&rng, 3); k++)
			build_count(&t->b, id, k, 16 + 8 * k, 3, 3 * (1 + rng_unit(&rng)))
				->squares = 9 + rng_unit(&rng);
		/* another number for the same, as of a class that was loaded again */
		uint32_t twin = 100 + id;
		build_context(&t->b, twin, id, id);
		build_count(&t->b, twin, 1, 16, 1, 1.5);
		for (uint32_t k = 0; k < pieces; k++) {
			uint32_t slot = rng_below(&rng, 3);
			build_snapshot(
				&t->b,
				&(struct wire_snapshot){ .context = id,
							 .epoch = k / 40,
							 .content = slot,
							 .weight = 1 + rng_unit(&rng),
							 .ticket = (uint32_t)rng_next(&rng) },
				&slot, 1);
			build_use(&t->b, &(struct wire_use){ .context = k % 3 ? id : twin,
							     .access = id,
							     .epoch = k / 40,
							     .value = slot,
							     .content = slot,
							     .weight = 1,
							     .ticket = (uint32_t)rng_next(&rng) });
		}
		struct file_waste *w = build_record(&t->b, FILE_WASTE, sizeof *w);
		w->watched = id;
		w->trapped = 1 + (id + number) % SITES;
		w->kind = WIRE_DEAD_STORE;
		w->count = 5;
		w->bytes = 40;
		w->squares = 320;
		w->insn_len[0] = 1;
		w->insn[0][0] = (uint8_t)number;
		struct file_access *a = build_record(&t->b, FILE_ACCESS, sizeof *a);
		a->context = id;
		a->stack = id;
		a->flags = WIRE_ACCESS_LOAD;
		a->sums = (struct file_access_sums){ .count = 2, .weight = 2 + rng_unit(&rng) };
	}
	return t;
}

/* `rotated`: some are of one process. */
static void merge_in_any_order(uint32_t pieces, unsigned trials, bool rotated)
{
	struct tape *from[TAPES];

	for (uint32_t i = 0; i < TAPES; i++) {
		from[i] = make(i + 1, pieces);
		if (rotated)
			tape_be_of(from[i], i % 4, i % 4 == 3 ? 0 : 7 + i / 8);
	}
	tape_release(tape_merge_alike(from, TAPES, trials));
	for (uint32_t i = 0; i < TAPES; i++)
		tape_release(from[i]);
}

static void any_order(void **state)
{
	(void)state;
	merge_in_any_order(20, 30, false);
	merge_in_any_order(20, 30, true);
}

/* More than the cap of a context, so that the evidence of some parts is left out. */
static void any_order_with_much(void **state)
{
	(void)state;
	merge_in_any_order(1500, 3, false);
	merge_in_any_order(1500, 6, true);
}

/* Snapshots of a part come in the order in which they came there, whatever they are of. */
static void in_order_of_time(void **state)
{
	enum { PARTS = 3, EACH = 40 };
	struct tape *from[PARTS];
	double last[PARTS + 1] = { 0 };

	(void)state;
	for (uint32_t i = 0; i < PARTS; i++) {
		struct rng rng = { i };
		from[i] = tape_of_sites(i, 4);
		for (uint32_t k = 0; k < EACH; k++)
			build_snapshot(
				&from[i]->b,
				&(struct wire_snapshot){ .context = 1 + k % 4,
							 .content = k,
							 .weight = 1 + k,
							 .ticket = (uint32_t)rng_next(&rng) },
				NULL, 0);
	}
	struct tape *merged = tape_merge(from, PARTS, NULL);
	struct model *m = model_new(analyses);
	tape_load(m, merged);
	assert_int_equal(model_snapshots(m), PARTS * EACH);
	for (uint32_t number = 0; number < PARTS * EACH; number++)
		for (size_t i = 0; i < model_ncontexts(m); i++) {
			const struct model_context *c = model_context(m, i);
			for (size_t k = 0; k < c->nsnapshots; k++) {
				const struct model_snapshot *l = c->snapshots[k];
				uint32_t first, end;
				if (l->number != number)
					continue;
				assert_true(l->weight > last[l->process]);
				last[l->process] = l->weight;
				model_snapshot_pool(m, number, &first, &end);
				assert_int_equal(first, (l->process - 1) * EACH);
				assert_int_equal(end, l->process * EACH);
			}
		}
	model_free(m);
	tape_release(merged);
	for (uint32_t i = 0; i < PARTS; i++)
		tape_release(from[i]);
}

struct sizes {
	size_t strata, most; /* of all contexts; of one */
	double objects, bytes;
	bool largest; /* arrays of the largest length have a stratum of their own */
};

static void add_sizes(struct sizes *to, const struct tape *t, uint32_t largest)
{
	struct model *m = model_new(analyses);

	tape_load(m, t);
	for (size_t i = 0; i < model_ncontexts(m); i++) {
		const struct model_context *c = model_context(m, i);
		to->strata += c->nstrata;
		to->most = c->nstrata > to->most ? c->nstrata : to->most;
		to->objects += c->objects;
		to->bytes += c->bytes;
		for (size_t k = 0; k < c->nstrata; k++)
			to->largest |= c->strata[k].array_length == largest;
	}
	model_free(m);
}

/*
 * More sizes than a reader tells apart, of a context and in all. Those that share a sum are chosen
 * at random, and their bytes are exact.
 */
static void many_sizes(uint32_t recordings, uint32_t sites, uint32_t lengths, uint32_t common)
{
	struct tape *from[TAPES];
	struct sizes before = { .most = 0 }, after = { .most = 0 };
	uint32_t largest = 1 + (recordings - 1) * (lengths - common) + lengths;

	for (uint32_t r = 0; r < recordings; r++) {
		from[r] = tape_of_sites(r + 1, sites);
		for (uint32_t i = 1; i <= sites; i++) {
			build_count(&from[r]->b, i, 0, 24, 1, 1.5);
			for (uint32_t k = 1; k <= lengths; k++) {
				uint32_t length = 1 + r * (lengths - common) + k;
				build_count(&from[r]->b, i, length, 16 + 4 * length, 1,
					    1 + 0.25 * (length % 3));
			}
		}
		add_sizes(&before, from[r], largest);
	}
	struct tape *flat = tape_merge_alike(from, recordings, 2);
	add_sizes(&after, flat, largest);
	assert_true(after.most <= 4096);
	assert_true(after.strata <= (1u << 19) + 2 * sites);
	assert_true(after.largest || sites == 1);
	assert_float_equal(after.objects / before.objects, 1, 1e-9);
	assert_float_equal(after.bytes / before.bytes, 1, 1e-9);
	/* what is bounded is full, and holds nothing else */
	size_t bounded = (size_t)sites * 4096 < 1u << 19 ? (size_t)sites * 4096 : 1u << 19;
	assert_true(after.strata >= bounded);
	tape_release(flat);
	for (uint32_t r = 0; r < recordings; r++)
		tape_release(from[r]);
}

static void any_order_with_many_sizes(void **state)
{
	(void)state;
	many_sizes(8, 1, 1500, 300);
	many_sizes(2, 140, 4000, 2000);
}

/* More texts than a reader takes, in all. */
static void any_order_with_many_texts(void **state)
{
	(void)state;
	enum { SITES_OF_TEXTS = 300, TEXTS = 100, RECORDINGS = 4 };
	struct tape *from[RECORDINGS];
	for (uint32_t r = 0; r < RECORDINGS; r++) {
		from[r] = tape_of_sites(r + 1, SITES_OF_TEXTS);
		for (uint32_t i = 1; i <= SITES_OF_TEXTS; i++)
			for (uint32_t k = 0; k < TEXTS; k++)
				build_value(&from[r]->b, i, build_random(i * TEXTS + k), "text");
	}
	struct tape *flat = tape_merge_alike(from, RECORDINGS, 4);
	struct model *m = model_new(analyses);
	tape_load(m, flat);
	size_t texts = 0, in = 0;
	for (size_t i = 0; i < model_ncontexts(m); i++) {
		texts += model_context(m, i)->nvalues;
		in += model_context(m, i)->nvalues > 0;
	}
	assert_int_equal(texts, 1 << 16);
	assert_int_equal(in, SITES_OF_TEXTS);
	model_free(m);
	tape_release(flat);
	for (uint32_t r = 0; r < RECORDINGS; r++)
		tape_release(from[r]);
}

static void sums_are_added_up(void **state)
{
	(void)state;
	struct tape *from[3];
	double objects = 0, sampled = 0;
	for (uint32_t i = 0; i < 3; i++) {
		from[i] = make(i + 1, 20);
		struct model *m = model_new(analyses);
		tape_load(m, from[i]);
		for (size_t k = 0; k < model_ncontexts(m); k++) {
			objects += model_context(m, k)->objects;
			sampled += (double)model_context(m, k)->sampled;
		}
		model_free(m);
	}
	struct tape *merged = tape_merge(from, 3, NULL);
	struct model *m = model_new(analyses);
	tape_load(m, merged);
	assert_int_equal(model_njvms(m), 1);
	assert_int_equal(model_nparts(m), 3);
	assert_int_equal(model_nrecordings(m), 3);
	assert_int_equal(model_nprocesses(m), 3);
	assert_int_equal(model_ncontexts(m), SITES);
	assert_int_equal(model_jvm(m, 1)->status.sampled, 1 + 2 + 3);
	assert_int_equal(model_jvm(m, 1)->status.nnotes, 1);
	for (size_t i = 0; i < SITES; i++) {
		const struct model_context *c = model_context(m, i);
		objects -= c->objects;
		sampled -= (double)c->sampled;
		assert_int_equal(c->nsnapshots, 3 * 20);
		assert_int_equal(c->snapshots_seen, 3 * 20);
		/* equal contents are of one process */
		for (size_t k = 0; k < c->nsnapshots; k++)
			for (size_t l = 0; l < k; l++)
				if (c->snapshots[k]->content == c->snapshots[l]->content)
					assert_int_equal(c->snapshots[k]->process,
							 c->snapshots[l]->process);
	}
	assert_true(objects < 1e-4 && objects > -1e-4);
	assert_true(sampled < 0.5 && sampled > -0.5);
	model_free(m);
	tape_release(merged);
	for (uint32_t i = 0; i < 3; i++)
		tape_release(from[i]);
}

/* What is there already does not count twice; what is there in part cannot be taken apart. */
static void counts_once(void **state)
{
	(void)state;
	struct tape *from[3];
	for (uint32_t i = 0; i < 3; i++)
		from[i] = make(i + 1, 5);
	struct tape *two = tape_merge(from, 2, NULL);
	struct merge *m = merge_new(analyses);
	assert_int_equal(tape_add(m, from[0]), MERGE_ADDED);
	assert_int_equal(tape_add(m, from[0]), MERGE_THERE);
	assert_int_equal(tape_add(m, two), MERGE_OVERLAPS);
	merge_free(m);
	m = merge_new(analyses);
	assert_int_equal(tape_add(m, two), MERGE_ADDED);
	assert_int_equal(tape_add(m, from[1]), MERGE_THERE);
	from[2]->header.machine[0] = 'y';
	assert_int_equal(tape_add(m, from[2]), MERGE_MACHINE);
	assert_int_equal(merge_size(m).parts, 2);
	merge_free(m);
	tape_release(two);
	for (uint32_t i = 0; i < 3; i++)
		tape_release(from[i]);
}

/* A reader of the merged file believes it, whatever a recording names and does not define. */
static void nothing_is_defined(void **state)
{
	struct tape *from[2];

	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		from[i] = tape_of_sites(i, 1);
		struct file_access *a = build_record(&from[i]->b, FILE_ACCESS, sizeof *a);
		*a = (struct file_access){ .rec = a->rec,
					   .context = 99,
					   .stack = 98,
					   .sums = { .count = 2, .weight = 3 } };
		build_snapshot(&from[i]->b, &(struct wire_snapshot){ .context = 97, .weight = 1 },
			       NULL, 0);
		build_use(&from[i]->b,
			  &(struct wire_use){ .context = 97, .access = 96, .weight = 1 });
	}
	struct tape *merged = tape_merge_alike(from, 2, 2);
	struct model *m = model_new(analyses);
	tape_load(m, merged);
	assert_true(model_has_findings(m));
	model_free(m);
	tape_release(merged);
	tape_release(from[0]);
	tape_release(from[1]);
}

int unit_merge(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order),
		cmocka_unit_test(in_order_of_time),
		cmocka_unit_test(any_order_with_much),
		cmocka_unit_test(any_order_with_many_sizes),
		cmocka_unit_test(any_order_with_many_texts),
		cmocka_unit_test(sums_are_added_up),
		cmocka_unit_test(counts_once),
		cmocka_unit_test(nothing_is_defined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

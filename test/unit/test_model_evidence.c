/* SPDX-License-Identifier: Apache-2.0 */
/* The model: counts, strata, and evidence that writer and reader downsample by the same rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "model_fixture.h"
#include "same_model.h"

/* ---- how full objects were -------------------------------------------------------------- */

/* Behind the slots, whose number is odd, and what cannot change. */
static void test_fill(void **state)
{
	static const uint32_t slots[] = { 1, 2, 3 };
	struct fixture *f = *state;
	const struct wire_snapshot filled = { .context = 1,
					      .flags = WIRE_FIXED | WIRE_FILLED,
					      .weight = 2 };
	const struct wire_snapshot other = { .context = 1, .flags = WIRE_FIXED, .weight = 2 };
	struct wire_snapshot *l = build_snapshot(&f->b, &filled, slots, 3);

	*wire_snapshot_fixed(l) = 7;
	*wire_snapshot_fill(l) = (struct wire_fill){
		.size = 5, .changes = 9, .capacity = 16, .table_bytes = 80, .kind = WIRE_FILL_HASH
	};
	build_snapshot(&f->b, &other, slots, 3);
	feed(f, 1);
	const struct model_context *c = context_of(f, 1, 1);
	assert_int_equal(c->nsnapshots, 2);
	const struct wire_fill *fill = model_snapshot_fill(c->snapshots[0]);
	assert_non_null(fill);
	assert_int_equal(c->snapshots[0]->fixed, 7);
	assert_int_equal(c->snapshots[0]->slot[2], 3);
	assert_int_equal(fill->size, 5);
	assert_int_equal(fill->changes, 9);
	assert_int_equal(fill->capacity, 16);
	assert_int_equal(fill->table_bytes, 80);
	assert_int_equal(fill->kind, WIRE_FILL_HASH);
	assert_null(model_snapshot_fill(c->snapshots[1]));
}

/* ---- counts ---------------------------------------------------------------------------- */

/* Collects flushed records in a builder. */
static int collect(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct builder *b = arg;

	assert_int_equal(jvm, 1);
	assert_int_equal(rec->len, len);
	memcpy(build_record(b, rec->type, len), rec, len);
	return 0;
}

static void test_counts(void **state)
{
	static const uint32_t array_lengths[] = { 30, 10, 20, 10, 10 };
	struct fixture *f = *state;

	for (size_t i = 0; i < 5; i++) {
		build_alloc(&f->b, 1, array_lengths[i], 16 + array_lengths[i], 2.5);
		assert_int_equal(feed_one(f, 1), MODEL_COUNTED);
	}
	const struct model_context *c = context_of(f, 1, 1);
	assert_int_equal(c->sampled, 5);
	assert_float_equal(c->objects, 12.5, 0);
	assert_float_equal(c->bytes, 2.5 * (5 * 16 + 30 + 20 + 3 * 10), 0);
	assert_int_equal(c->nstrata, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(c->strata[i].array_length, 10 + 10 * i);
		assert_int_equal(c->strata[i].size, 26 + 10 * i);
	}
	assert_int_equal(c->strata[0].sampled, 3);
	assert_float_equal(c->strata[0].objects, 7.5, 0);
	assert_int_equal(c->strata[2].sampled, 1);
}

static void test_flush(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 10; i++)
		build_alloc(&f->b, 1, 7, 40, 2);
	build_alloc(&f->b, 1, 8, 48, 2);
	build_unused(&f->b, 2, WIRE_UNUSED_TRAPS);
	feed(f, 1);
	assert_int_equal(model_flush_counts(f->m, collect, &f->b), 0);
	const struct file_count *count = (const void *)builder_next(&f->b, NULL);
	assert_int_equal(count->rec.type, FILE_COUNT);
	assert_int_equal(count->context, 1);
	assert_int_equal(count->array_length, 7);
	assert_int_equal(count->size, 40);
	assert_int_equal(count->count, 10);
	assert_float_equal(count->weight, 20, 0);
	assert_float_equal(count->squares, 40, 0);
	count = (const void *)builder_next(&f->b, &count->rec);
	assert_int_equal(count->array_length, 8);
	const struct file_tally *tally = (const void *)builder_next(&f->b, &count->rec);
	assert_int_equal(tally->rec.type, FILE_TALLY);
	assert_int_equal(tally->context, 2);
	assert_int_equal(tally->unused[WIRE_UNUSED_TRAPS], 1);
	assert_null(builder_next(&f->b, &tally->rec));

	f->b.len = 0;
	assert_int_equal(model_flush_counts(f->m, collect, &f->b), 0);
	assert_int_equal(f->b.len, 0);
	build_alloc(&f->b, 1, 8, 48, 3);
	feed(f, 1);
	assert_int_equal(model_flush_counts(f->m, collect, &f->b), 0);
	count = (const void *)builder_next(&f->b, NULL);
	assert_int_equal(count->array_length, 8);
	assert_int_equal(count->count, 1); /* only what is new */
	assert_float_equal(count->weight, 3, 0);
	assert_null(builder_next(&f->b, &count->rec));
}

static void test_count_records(void **state)
{
	struct fixture *f = *state;

	build_count(&f->b, 1, 7, 40, 10, 20);
	assert_int_equal(feed_one(f, 1), MODEL_KEEP);
	build_count(&f->b, 1, 7, 40, 5, 10);
	assert_int_equal(feed_one(f, 1), MODEL_KEEP);
	const struct model_context *c = context_of(f, 1, 1);
	assert_int_equal(c->sampled, 15);
	assert_float_equal(c->bytes, 1200, 0);
	assert_int_equal(c->nstrata, 1);
	assert_int_equal(c->strata[0].sampled, 15);
	assert_int_equal(model_flush_counts(f->m, collect, &f->b), 0);
	assert_int_equal(f->b.len, 0); /* they are in the file */
}

static int refuse(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg)
{
	int *left = arg;

	(void)jvm;
	(void)rec;
	(void)len;
	return --*left < 0 ? -1 : 0;
}

/* What could not be delivered is delivered the next time, and nothing twice. */
static void test_flush_that_fails(void **state)
{
	struct fixture *f = *state;
	uint64_t count = 0;
	int left = 3;

	for (uint32_t i = 0; i < 6; i++)
		build_alloc(&f->b, 1, i, 40, 1);
	feed(f, 1);
	assert_int_equal(model_flush_counts(f->m, refuse, &left), -1);
	assert_int_equal(model_flush_counts(f->m, collect, &f->b), 0);
	for (const struct wire_rec *r = builder_next(&f->b, NULL); r; r = builder_next(&f->b, r))
		count += ((const struct file_count *)r)->count;
	assert_int_equal(count, 3);
}

/*
 * Objects of one class that differ in size, such as those of java.lang.Class: the bytes are right.
 */
static void test_mixed_sizes(void **state)
{
	struct fixture *f = *state;

	build_alloc(&f->b, 1, 0, 100, 1);
	build_alloc(&f->b, 1, 0, 200, 3);
	feed(f, 1);
	const struct model_context *c = context_of(f, 1, 1);
	assert_int_equal(c->nstrata, 1);
	assert_int_equal(c->strata[0].size, 175);
	assert_float_equal(c->bytes, 700, 0);
	assert_int_equal(model_flush_counts(f->m, collect, &f->b), 0);
	assert_int_equal(((const struct file_count *)builder_next(&f->b, NULL))->size, 175);
}

static void test_too_many_sizes(void **state)
{
	enum { SIZES = 5000, OWN = 4096 };
	struct fixture *f = *state;

	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 0; i < SIZES; i++)
			build_alloc(&f->b, 1, SIZES - i, 16 + 8 * (SIZES - i), 1);
	feed(f, 1);
	const struct model_context *c = context_of(f, 1, 1);
	assert_int_equal(c->sampled, 2 * SIZES);
	assert_int_equal(c->nstrata, OWN + 1);
	assert_int_equal(c->strata[0].array_length, SIZES - OWN + 1);
	const struct model_stratum *rest = &c->strata[OWN];
	assert_int_equal(rest->array_length, MODEL_OTHER_SIZES);
	assert_int_equal(rest->sampled, 2 * (SIZES - OWN));
	assert_int_equal(rest->size, 16 + 8 * (SIZES - OWN + 1) / 2);
}

/* All contexts together have a bound, too; a context always gets the stratum that it needs. */
static void test_too_many_strata(void **state)
{
	enum { CONTEXTS = 300, SIZES = 4000, MOST = 1 << 20 };
	struct fixture *f = *state;
	struct wire_alloc a = { .rec = { .len = sizeof a, .type = WIRE_ALLOC }, .weight = 1 };
	size_t strata = 0;

	for (a.context = 1; a.context <= CONTEXTS; a.context++)
		for (a.array_length = 0; a.array_length < SIZES; a.array_length++)
			assert_int_equal(model_feed(f->m, 1, &a.rec, sizeof a), MODEL_COUNTED);
	for (size_t i = 0; i < CONTEXTS; i++) {
		const struct model_context *c = model_context(f->m, i);
		assert_int_equal(c->sampled, SIZES);
		assert_true(c->nstrata > 0);
		strata += c->nstrata;
	}
	assert_in_range(strata, MOST, MOST + 2 * CONTEXTS);
	const struct model_context *last = model_context(f->m, CONTEXTS - 1);
	assert_int_equal(last->nstrata, 2);
	assert_int_equal(last->strata[1].array_length, MODEL_OTHER_SIZES);
	assert_int_equal(last->strata[1].sampled, SIZES - 1);
}

/* ---- thinning -------------------------------------------------------------------------- */

static void test_thinning(void **state)
{
	enum { N = 100000, CAP = 8192 };
	struct fixture *f = *state;
	uint64_t dropped = 0;

	for (uint32_t i = 0; i < N; i++) {
		build_snapshot(&f->b,
			       &(struct wire_snapshot){ .context = 1,
							.content = i,
							.weight = 1,
							.ticket = (uint32_t)build_random(i) },
			       NULL, 0);
		dropped += feed_one(f, 1) == MODEL_DROPPED;
	}
	const struct model_context *c = context_of(f, 1, 1);
	assert_int_equal(c->snapshots_seen, N);
	assert_in_range(c->nsnapshots, CAP / 3, CAP);
	assert_in_range(dropped, N / 2, N - CAP);

	/* kept is exactly what has a ticket below a power of two, in order */
	uint64_t threshold = 1;
	for (size_t i = 0; i < c->nsnapshots; i++)
		while (c->snapshots[i]->ticket >= threshold)
			threshold *= 2;
	size_t n = 0;
	for (uint32_t i = 0; i < N; i++) {
		if ((uint32_t)build_random(i) >= threshold)
			continue;
		assert_true(n < c->nsnapshots);
		assert_int_equal(c->snapshots[n++]->content, i);
	}
	assert_int_equal(n, c->nsnapshots);
}

/* Equal tickets are not random; the rule still ends and keeps its bound. */
static void test_equal_tickets(void **state)
{
	struct fixture *f = *state;

	for (uint32_t i = 0; i < 20000; i++) {
		build_snapshot(&f->b, &(struct wire_snapshot){ .context = 1 }, NULL, 0);
		build_use(&f->b, &(struct wire_use){ .context = 1, .ticket = UINT32_MAX });
	}
	feed(f, 1);
	const struct model_context *c = context_of(f, 1, 1);
	assert_in_range(c->nsnapshots, 0, 8192);
	assert_in_range(c->nuses, 0, 8192);
	assert_int_equal(c->snapshots_seen, 20000);
	assert_int_equal(c->uses_seen, 20000);
}

/* Feeds `each` snapshots and uses to each of `contexts`; returns how many were kept in total. */
static size_t spread(struct fixture *f, uint32_t contexts, uint32_t each, size_t least, size_t most)
{
	struct wire_snapshot snapshot = { .rec = { .len = sizeof snapshot,
						   .type = WIRE_SNAPSHOT } };
	struct wire_use use = { .rec = { .len = sizeof use, .type = WIRE_USE } };
	size_t kept = 0;

	for (uint64_t i = 0; i < (uint64_t)contexts * each; i++) {
		snapshot.context = use.context = 1 + (uint32_t)(i % contexts);
		snapshot.ticket = (uint32_t)build_random(i);
		use.ticket = (uint32_t)(build_random(i) >> 32);
		assert_int_not_equal(model_feed(f->m, 1, &snapshot.rec, sizeof snapshot),
				     MODEL_BAD);
		assert_int_not_equal(model_feed(f->m, 1, &use.rec, sizeof use), MODEL_BAD);
	}
	for (size_t i = 0; i < model_ncontexts(f->m); i++) {
		const struct model_context *c = model_context(f->m, i);
		assert_in_range(c->nsnapshots, least, most);
		assert_in_range(c->nuses, least, most);
		kept += c->nsnapshots + c->nuses;
	}
	return kept;
}

/*
 * All contexts share one bound: with more contexts each has less, but none has nothing. The bound
 * is about what is kept, not about what arrived, so it does not sink over time.
 */
static void test_long_run(void **state)
{
	assert_in_range(spread(*state, 10, 60000, 7000, 8192), 140000, 1 << 18);
}

static void test_few_contexts(void **state)
{
	assert_in_range(spread(*state, 20, 14000, 4096 / 3, 4096), 1 << 16, 1 << 18);
}

static void test_many_contexts(void **state)
{
	assert_in_range(spread(*state, 200, 2500, 512 / 3, 512), 1 << 16, 1 << 18);
}

static void test_very_many_contexts(void **state)
{
	assert_in_range(spread(*state, 8000, 140, 64 / 4, 128), 1 << 18, 1 << 21);
}

/* What the writer writes brings the reader to the same state, at any time. */
static void test_reader_follows_writer(void **state)
{
	enum { CONTEXTS = 40, N = 600000 };
	struct fixture *f = *state;
	struct model *reader = model_new(analyses);
	size_t written = 0;

	assert_non_null(reader);
	build_sites(&f->b, CONTEXTS);
	for (const struct wire_rec *r = builder_next(&f->b, NULL); r; r = builder_next(&f->b, r))
		assert_int_equal(model_feed(reader, 1, r, r->len), MODEL_KEEP);
	feed(f, 1);
	for (uint64_t i = 0; i < N; i++) {
		build_event(&f->b, i, CONTEXTS);
		const struct wire_rec *r = builder_next(&f->b, NULL);
		enum model_fed fed = model_feed(f->m, 1, r, r->len);
		if (fed == MODEL_KEEP) {
			assert_int_equal(model_feed(reader, 1, r, r->len), MODEL_KEEP);
			written++;
		}
		assert_int_not_equal(fed, MODEL_BAD);
		f->b.len = 0;
		if (i % (N / 3) == N / 3 - 1) {
			assert_int_equal(model_flush_counts(f->m, collect, &f->b), 0);
			assert_int_equal(builder_feed(&f->b, reader, 1), 0);
			assert_same_model(f->m, reader);
		}
	}
	/* otherwise nothing was downsampled, and the test shows nothing */
	assert_true(written < N / 2);
	model_free(reader);
}

int unit_model_evidence(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_counts),
		TEST(test_fill),
		TEST(test_flush),
		TEST(test_count_records),
		TEST(test_flush_that_fails),
		TEST(test_mixed_sizes),
		TEST(test_too_many_sizes),
		TEST(test_too_many_strata),
		TEST(test_thinning),
		TEST(test_equal_tickets),
		TEST(test_long_run),
		TEST(test_few_contexts),
		TEST(test_many_contexts),
		TEST(test_very_many_contexts),
		TEST(test_reader_follows_writer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

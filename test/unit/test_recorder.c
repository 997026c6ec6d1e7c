/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorder.h: a file stays below its bound, and contains a uniform sample of everything that
 * arrived.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "datafile_fixture.h"
#include "record/recorder.h"
#include "same_model.h"

#define SECOND UINT64_C(1000000000)

enum { LONG = 30 /* frames of a stack */ };

/* A recorder for a file of `max_size` bytes, whose clock is set by the test. */
static struct recorder begin(struct fixture *f, uint64_t max_size)
{
	struct recorder r = { .model = model_new(analyses),
			      .writer = datafile_create(f->path),
			      .max_size = max_size };

	assert_non_null(r.model);
	assert_non_null(r.writer);
	return r;
}

/* Passes the builder's records to the recorder. */
static void take(struct recorder *r, uint32_t jvm, struct builder *b)
{
	for (const struct wire_rec *rec = builder_next(b, NULL); rec; rec = builder_next(b, rec))
		assert_int_not_equal(recorder_take(r, jvm, rec, rec->len), MODEL_BAD);
	b->len = 0;
}

static int feed_model(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		      void *arg)
{
	(void)time_ns;
	return model_feed(arg, jvm, rec, len) == MODEL_BAD ? -1 : 0;
}

/* Ends the recording, and returns the model that a reader gets. */
static struct model *end(struct fixture *f, struct recorder *r)
{
	struct model *reader = model_new(analyses);
	struct builder b = BUILDER_INIT;
	struct stat st;

	build_end(&b, 1, 0);
	assert_int_equal(recorder_put(r, 0, builder_next(&b, NULL)), 0);
	recorder_flush(r);
	assert_int_equal(r->failed, 0);
	assert_int_equal(datafile_close(r->writer), 0);
	assert_int_equal(stat(f->path, &st), 0);
	if (r->max_size)
		assert_true((uint64_t)st.st_size <= r->max_size);
	assert_non_null(reader);
	assert_int_equal(datafile_read(f->path, &f->header, &f->end_ns, feed_model, reader),
			 DATAFILE_OK);
	assert_true(model_ended(reader, NULL));
	builder_release(&b);
	return reader;
}

static void release(struct recorder *r, struct model *reader)
{
	model_free(reader);
	model_free(r->model);
	recorder_release(r);
}

/* ---- evidence -------------------------------------------------------------------------- */

/*
 * Adds snapshots, numbered from `from`, of objects of `contexts` contexts; their content is their
 * number.
 */
static void add_snapshots(struct recorder *r, uint32_t contexts, uint32_t from, uint32_t to)
{
	struct {
		struct wire_snapshot snapshot;
		uint32_t slot[2];
	} l = { .snapshot = { .rec = { .len = sizeof l, .type = WIRE_SNAPSHOT },
			      .weight = 1,
			      .nslots = 2 } };

	for (uint32_t n = from; n < to; n++) {
		l.snapshot.context = 1 + n % contexts;
		l.snapshot.content = build_random(n);
		l.snapshot.array_length = n; /* its number */
		l.snapshot.ticket = (uint32_t)build_random(UINT64_C(1) << 40 | n);
		l.slot[0] = (uint32_t)l.snapshot.content;
		l.slot[1] = n;
		assert_int_not_equal(recorder_take(r, 1, &l.snapshot.rec, sizeof l), MODEL_BAD);
	}
}

/*
 * Each context has all snapshots below some threshold, those of the beginning as well as those of
 * the end.
 */
static size_t check_uniform(const struct model *m, uint32_t contexts, uint32_t snapshots)
{
	size_t kept = 0;

	for (size_t i = 0; i < model_ncontexts(m); i++) {
		const struct model_context *c = model_context(m, i);
		uint64_t threshold = 1;
		size_t n = 0;
		for (size_t k = 0; k < c->nsnapshots; k++)
			while (c->snapshots[k]->ticket >= threshold)
				threshold *= 2;
		for (uint32_t k = c->id - 1; k < snapshots && c->nsnapshots; k += contexts) {
			if ((uint32_t)build_random(UINT64_C(1) << 40 | k) >= threshold)
				continue;
			assert_true(n < c->nsnapshots);
			assert_int_equal(c->snapshots[n++]->array_length, k);
		}
		assert_int_equal(n, c->nsnapshots);
		assert_int_equal(c->snapshots_seen, snapshots / contexts);
		kept += n;
	}
	return kept;
}

/* A million snapshots have 72 MB; of the two files, the larger contains more. */
static void test_bounded(void **state)
{
	enum { SNAPSHOTS = 1000000, CONTEXTS = 1000 };
	struct fixture *f = *state;
	size_t kept[2];

	for (int i = 0; i < 2; i++) {
		struct recorder r = begin(f, i ? 8 << 20 : 2 << 20);
		struct builder b = BUILDER_INIT;
		build_sites(&b, CONTEXTS);
		take(&r, 1, &b);
		for (uint32_t n = 0; n < SNAPSHOTS; n += SNAPSHOTS / 10) {
			add_snapshots(&r, CONTEXTS, n, n + SNAPSHOTS / 10);
			r.now_ns += SECOND;
			if (recorder_flush_due(&r, false))
				recorder_flush(&r);
		}
		assert_true(model_halvings(r.model) > 0);
		assert_false(r.closed);
		struct model *reader = end(f, &r);
		assert_same_model(r.model, reader);
		kept[i] = check_uniform(reader, CONTEXTS, SNAPSHOTS);
		builder_release(&b);
		release(&r, reader);
	}
	assert_true(kept[0] > 2000);
	assert_true(kept[1] > 2 * kept[0]);
}

/* A recording ten times as long has nearly as much evidence in a file of the same size. */
static void test_long_run(void **state)
{
	enum { SNAPSHOTS = 200000, CONTEXTS = 100 };
	struct fixture *f = *state;
	size_t kept[2];

	for (uint32_t i = 0; i < 2; i++) {
		uint32_t snapshots = i ? 10 * SNAPSHOTS : SNAPSHOTS;
		struct recorder r = begin(f, 2 << 20);
		struct builder b = BUILDER_INIT;
		build_sites(&b, CONTEXTS);
		take(&r, 1, &b);
		add_snapshots(&r, CONTEXTS, 0, snapshots);
		struct model *reader = end(f, &r);
		kept[i] = check_uniform(reader, CONTEXTS, snapshots);
		builder_release(&b);
		release(&r, reader);
	}
	assert_true(kept[1] > kept[0] / 5);
}

static void test_no_bound(void **state)
{
	struct fixture *f = *state;
	struct recorder r = begin(f, 0);
	struct builder b = BUILDER_INIT;

	build_sites(&b, 100);
	take(&r, 1, &b);
	add_snapshots(&r, 100, 0, 100000);
	assert_int_equal(model_halvings(r.model), 0);
	struct model *reader = end(f, &r);
	assert_int_equal(check_uniform(reader, 100, 100000), 100000);
	builder_release(&b);
	release(&r, reader);
}

/* ---- contexts -------------------------------------------------------------------------- */

/* A context with its own, incompressible stack, and its events. */
static void add_context(struct builder *b, uint32_t id)
{
	struct wire_frame frames[LONG];

	for (uint32_t i = 0; i < LONG; i++)
		frames[i] = (struct wire_frame){ .method = build_random(id * 64ull + i) | 1 };
	build_stack(b, id, 0, frames, LONG);
	build_context(b, id, 1, id);
	build_alloc(b, id, 0, 24, 2);
	build_snapshot(b, &(struct wire_snapshot){ .context = id, .weight = 1, .ticket = id }, NULL,
		       0);
	build_unused(b, id, WIRE_UNUSED_TIME);
}

/* Events of contexts without room count for id 0; no sum is lost. */
static void test_too_many_contexts(void **state)
{
	enum { CONTEXTS = 20000 };
	struct fixture *f = *state;
	struct recorder r = begin(f, 4 << 20);
	struct builder b = BUILDER_INIT;
	uint64_t unused = 0;

	build_class(&b, 1, "Lcom/acme/Point;", NULL, 0);
	for (uint32_t id = 1; id <= CONTEXTS; id++) {
		add_context(&b, id);
		take(&r, 1, &b);
	}
	assert_true(r.closed);
	size_t contexts = model_ncontexts(r.model);
	assert_in_range(contexts, CONTEXTS / 10, CONTEXTS / 2);
	struct model *reader = end(f, &r);
	assert_same_model(r.model, reader);
	assert_int_equal(model_sampled(reader, false), CONTEXTS);
	const struct model_context *last = model_context(reader, contexts - 1);
	for (size_t i = 0; i < contexts; i++) {
		unused += model_context(reader, i)->unused[WIRE_UNUSED_TIME];
		if (model_context(reader, i)->id == 0)
			last = model_context(reader, i);
	}
	assert_int_equal(unused, CONTEXTS);
	assert_int_equal(last->id, 0);
	assert_int_equal(last->sampled, CONTEXTS - (contexts - 1));
	assert_int_equal(last->nsnapshots, 0);
	builder_release(&b);
	release(&r, reader);
}

/* ---- what comes again ------------------------------------------------------------------ */

/* Sums of many contexts are written seldom to a small file, and often to a large one. */
static void test_flushes(void **state)
{
	enum { CONTEXTS = 3000, SECONDS = 300 };
	struct fixture *f = *state;
	unsigned flushes[2] = { 0, 0 };

	for (int i = 0; i < 2; i++) {
		struct recorder r = begin(f, i ? 256 << 20 : 1 << 20);
		struct builder b = BUILDER_INIT;
		build_sites(&b, CONTEXTS);
		take(&r, 1, &b);
		for (int s = 0; s < SECONDS; s++) {
			for (uint32_t id = 1; id <= CONTEXTS; id++)
				build_alloc(&b, id, 0, 24, 1 + s);
			take(&r, 1, &b);
			r.now_ns += SECOND;
			if (!recorder_flush_due(&r, true))
				continue;
			recorder_flush(&r);
			flushes[i]++;
		}
		struct model *reader = end(f, &r);
		assert_same_model(r.model, reader);
		assert_int_equal(model_sampled(reader, false), SECONDS * CONTEXTS);
		builder_release(&b);
		release(&r, reader);
	}
	assert_in_range(flushes[0], 2, SECONDS / 4);
	assert_true(flushes[1] > 2 * flushes[0]);
}

/*
 * A view of 2000 objects every ten seconds: complete views are in the file, and the last is not
 * much older than the end.
 */
static void test_views(void **state)
{
	enum { OBJECTS = 2000, VIEWS = 1000 };
	struct fixture *f = *state;
	struct recorder r = begin(f, 8 << 20);
	struct builder b = BUILDER_INIT;

	build_sites(&b, 1);
	take(&r, 1, &b);
	for (uint32_t v = 0; v < VIEWS; v++) {
		for (uint32_t i = 0; i < OBJECTS; i++) {
			struct wire_snapshot *l = build_snapshot(
				&b,
				&(struct wire_snapshot){ .context = 1,
							 .content = build_random(i * 7ull + v),
							 .weight = 1 + v,
							 .ticket = i },
				NULL, 0);
			atomic_store(&l->rec.type, WIRE_ALIVE);
		}
		struct wire_view *view = build_record(&b, WIRE_VIEW, sizeof *view);
		view->objects = OBJECTS;
		take(&r, 1, &b);
		r.now_ns += 10 * SECOND;
	}
	struct model *reader = end(f, &r);
	assert_same_model(r.model, reader);
	const struct model_context *c = model_context(reader, 0);
	assert_int_equal(c->nalive, OBJECTS);
	assert_true(c->alive[0]->weight > 0.7 * VIEWS);
	builder_release(&b);
	release(&r, reader);
}

/* In a full file: of an analysis, windows and censuses are left out, lives are not. */
static void test_closed(void **state)
{
	struct fixture *f = *state;
	struct recorder r = begin(f, 8 << 20);
	struct builder b = BUILDER_INIT;

	build_sites(&b, 1);
	take(&r, 1, &b);
	r.closed = true;
	struct wire_life *l = build_record(&b, WIRE_LIFE, sizeof *l);
	*l = (struct wire_life){ .rec = l->rec, .context = 1, .size = 24, .weight = 1 };
	assert_int_not_equal(recorder_take(&r, 1, &l->rec, sizeof *l), MODEL_BAD);
	assert_int_not_equal(recorder_take(&r, 1, &l->rec, sizeof *l), MODEL_DROPPED);
	atomic_store(&l->rec.type, WIRE_LIVING);
	assert_int_equal(recorder_take(&r, 1, &l->rec, sizeof *l), MODEL_DROPPED);
	b.len = 0;
	struct wire_window *w = build_record(&b, WIRE_WINDOW, sizeof *w);
	assert_int_equal(recorder_take(&r, 1, &w->rec, sizeof *w), MODEL_DROPPED);
	r.closed = false;
	assert_int_not_equal(recorder_take(&r, 1, &w->rec, sizeof *w), MODEL_DROPPED);
	b.len = 0;
	struct model *reader = end(f, &r);
	builder_release(&b);
	release(&r, reader);
}

int unit_recorder(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_bounded),  TEST(test_long_run),
		TEST(test_no_bound), TEST(test_too_many_contexts),
		TEST(test_flushes),  TEST(test_views),
		TEST(test_closed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_threads.c - threads in a recording: names, sums per thread, and the part of a recording that
 * belongs to some threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "analyse/locality/access_store.h"
#include "analyse/waste/waste_store.h"
#include "model/model_parts.h"
#include "model_fixture.h"
#include "report/selection.h"

enum { SNAPSHOTS = 40000 /* more than a context keeps */ };

static int collect(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg)
{
	assert_int_equal(jvm, 1);
	memcpy(build_record(arg, rec->type, len), rec, len);
	return 0;
}

/* ---- names ------------------------------------------------------------------------------- */

static void test_names(void **state)
{
	struct fixture *f = *state;

	build_thread(&f->b, 1, "main");
	assert_int_equal(feed_one(f, 1), MODEL_KEEP);
	build_thread(&f->b, WIRE_THREADS - 1, "pool\x1b-1");
	assert_int_equal(feed_one(f, 1), MODEL_KEEP);
	build_thread(&f->b, 1, "other");
	assert_int_equal(feed_one(f, 1), MODEL_DROPPED);
	assert_string_equal(model_thread(f->m, 1, 1), "main");
	assert_string_equal(model_thread(f->m, 1, WIRE_THREADS - 1), "pool?-1");
	assert_null(model_thread(f->m, 1, 2));
	assert_null(model_thread(f->m, 2, 1));
	assert_null(model_thread(f->m, 0, 1));
}

static void test_bad_names(void **state)
{
	struct fixture *f = *state;
	char name[WIRE_THREAD_NAME + 2];

	build_thread(&f->b, 0, "main");
	assert_bad(f);
	build_thread(&f->b, WIRE_THREADS, "main");
	assert_bad(f);
	build_thread(&f->b, 1, "main")->name_len = 9;
	assert_bad(f);
	build_thread(&f->b, 1, "main")->name_len = UINT32_MAX;
	assert_bad(f);
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	build_thread(&f->b, 1, name);
	assert_bad(f);
	name[WIRE_THREAD_NAME] = '\0';
	build_thread(&f->b, 1, name);
	assert_int_equal(feed_one(f, 1), MODEL_KEEP);
}

/* ---- sums -------------------------------------------------------------------------------- */

static const struct file_count *next_count(const struct builder *b, const struct file_count *c)
{
	const struct wire_rec *rec = builder_next(b, c ? &c->rec : NULL);

	assert_non_null(rec);
	assert_int_equal(rec->type, FILE_COUNT);
	return (const struct file_count *)rec;
}

static void test_counts_apart(void **state)
{
	struct fixture *f = *state;

	for (uint16_t i = 0; i < 12; i++)
		build_alloc(&f->b, 1, 0, 24, 2)->rec.thread = i % 4 == 3 ? 5 : 2;
	feed(f, 1);
	assert_int_equal(context_of(f, 1, 1)->sampled, 12);
	assert_int_equal(model_flush_counts(f->m, collect, &f->b), 0);
	const struct file_count *c = next_count(&f->b, NULL);
	assert_int_equal(c->rec.thread, 2);
	assert_int_equal(c->count, 9);
	assert_float_equal(c->weight, 18, 0);
	assert_float_equal(c->squares, 36, 0);
	c = next_count(&f->b, c);
	assert_int_equal(c->rec.thread, 5);
	assert_int_equal(c->count, 3);
	assert_float_equal(c->weight, 6, 0);
	assert_null(builder_next(&f->b, &c->rec));

	/* only what is new, of any thread */
	f->b.len = 0;
	assert_int_equal(model_flush_counts(f->m, collect, &f->b), 0);
	assert_int_equal(f->b.len, 0);
	build_alloc(&f->b, 1, 0, 24, 3)->rec.thread = 7;
	feed(f, 1);
	assert_int_equal(model_flush_counts(f->m, collect, &f->b), 0);
	c = next_count(&f->b, NULL);
	assert_int_equal(c->rec.thread, 7);
	assert_int_equal(c->count, 1);
	assert_null(builder_next(&f->b, &c->rec));
}

/* Pairs, accesses and watches without a use, of threads 1 and 2. */
static void build_events(struct builder *b)
{
	for (uint16_t thread = 1; thread <= 2; thread++) {
		struct wire_waste *w = build_record(b, WIRE_WASTE, sizeof *w);
		w->rec.thread = thread;
		w->watched = w->trapped = 1;
		w->kind = WIRE_DEAD_STORE;
		w->bytes = (uint16_t)(4 * thread);
		struct wire_access *a = build_record(b, WIRE_ACCESS, sizeof *a);
		a->rec.thread = thread;
		a->context = a->stack = a->hit = 1;
		a->weight = 10 * thread;
		build_unused(b, 1, WIRE_UNUSED_TIME)->rec.thread = thread;
	}
}

static void test_events_apart(void **state)
{
	struct fixture *f = *state;
	unsigned seen[3] = { 0 };

	build_events(&f->b);
	feed(f, 1);
	assert_int_equal(model_waste(f->m, 0)->count, 2);
	assert_int_equal(model_access(f->m, 0)->sums.count, 2);
	assert_int_equal(model_flush_counts(f->m, collect, &f->b), 0);
	for (const struct wire_rec *r = builder_next(&f->b, NULL); r; r = builder_next(&f->b, r)) {
		assert_true(r->thread == 1 || r->thread == 2);
		seen[r->thread]++;
		if (r->type == FILE_WASTE)
			assert_int_equal(((const struct file_waste *)r)->bytes, 4 * r->thread);
		else if (r->type == FILE_ACCESS)
			assert_float_equal(((const struct file_access *)r)->sums.weight,
					   10 * r->thread, 0);
		else
			assert_int_equal(((const struct file_tally *)r)->unused[WIRE_UNUSED_TIME],
					 1);
	}
	assert_int_equal(seen[1], 3);
	assert_int_equal(seen[2], 3);
}

/* Sums per thread have a bound; beyond it only the thread is lost. */
static void test_bound(void **state)
{
	const uint32_t array_lengths = MODEL_MAX_APART / (WIRE_THREADS - 2) + 100;
	struct fixture *f = *state;
	uint64_t records = 0, count = 0, unknown = 0;

	for (uint32_t array_length = 0; array_length < array_lengths; array_length++) {
		for (uint16_t thread = 1; thread < WIRE_THREADS; thread++)
			build_alloc(&f->b, 1, array_length, 24, 1)->rec.thread = thread;
		feed(f, 1);
	}
	assert_int_equal(model_flush_counts(f->m, collect, &f->b), 0);
	for (const struct wire_rec *r = builder_next(&f->b, NULL); r; r = builder_next(&f->b, r)) {
		const struct file_count *c = (const struct file_count *)r;
		records++;
		count += c->count;
		unknown += r->thread ? 0 : c->count;
	}
	assert_int_equal(count, (uint64_t)array_lengths * (WIRE_THREADS - 1));
	assert_true(records <= MODEL_MAX_APART + array_lengths);
	assert_true(unknown > 0 && unknown <= 101 * (WIRE_THREADS - 1));
}

/* ---- a part of a recording --------------------------------------------------------------- */

static void feed_part(struct fixture *f, struct selection *w, uint64_t time_ns)
{
	for (const struct wire_rec *r = builder_next(&f->b, NULL); r; r = builder_next(&f->b, r))
		assert_int_not_equal(selection_feed(w, f->m, 1, time_ns, r, r->len), MODEL_BAD);
	f->b.len = 0;
}

/*
 * For each of the threads 0 (unknown), 1 (alpha) and 2 (beta): its number plus one objects,
 * snapshots and uses.
 */
static void build_threads(struct builder *b)
{
	build_site(b, 1, "[B", "Lcom/acme/Shop;", "load", 10);
	build_thread(b, 1, "alpha");
	build_thread(b, 2, "beta");
	for (uint16_t thread = 0; thread <= 2; thread++) {
		for (uint32_t i = 0; i <= thread; i++) {
			build_snapshot(b, &(struct wire_snapshot){ .context = 1, .weight = 1 },
				       NULL, 0)
				->rec.thread = thread;
			build_use(b, &(struct wire_use){ .context = 1, .size = 1, .weight = 1 })
				->rec.thread = thread;
		}
		build_count(b, 1, 8, 24, thread + 1u, thread + 1)->rec.thread = thread;
		struct file_tally *t = build_record(b, FILE_TALLY, sizeof *t);
		t->rec.thread = thread;
		t->context = 1;
		t->snapshots = t->uses = t->unused[0] = 10 * (thread + 1u);
	}
	build_events(b);
}

static void assert_part(struct fixture *f, const char *glob, size_t matching, unsigned n,
			uint64_t wastes)
{
	struct selection w = { .to_ns = UINT64_MAX, .thread_glob = glob };

	build_threads(&f->b);
	feed_part(f, &w, 1);
	selection_end(&w, f->m);
	assert_int_equal(w.threads, glob ? 2 : 0);
	assert_int_equal(w.matching, matching);
	const struct model_context *c = model_context(f->m, 0);
	assert_int_equal(c->sampled, n);
	assert_float_equal(c->objects, n, 0);
	assert_int_equal(c->nsnapshots, n);
	assert_int_equal(c->nuses, n);
	assert_int_equal(c->snapshots_seen, 11 * n);
	assert_int_equal(c->uses_seen, 11 * n);
	assert_int_equal(c->unused[0], 10 * n + wastes);
	assert_int_equal(c->access_samples, wastes);
	assert_int_equal(model_nwastes(f->m) ? model_waste(f->m, 0)->count : 0, wastes);
	for (size_t i = 0; i < c->nsnapshots; i++)
		assert_int_equal(c->snapshots[i]->flags, 0);
	assert_string_equal(c->class->name, "byte[]");
	selection_release(&w);
	model_free(f->m);
	f->m = model_new(analyses);
}

static void test_part(void **state)
{
	struct fixture *f = *state;

	assert_part(f, NULL, 0, 6, 2);
	assert_part(f, "alpha", 1, 2, 1);
	assert_part(f, "beta", 1, 3, 1);
	assert_part(f, "*a", 2, 5, 2);
	assert_part(f, "gamma", 0, 0, 0);
}

/*
 * An older recording without thread names: nothing belongs to any thread, and all of it can be
 * read.
 */
static void test_old(void **state)
{
	struct fixture *f = *state;
	struct selection w = { .to_ns = UINT64_MAX, .thread_glob = "*" };

	for (int i = 0; i < 2; i++) {
		build_alloc(&f->b, 1, 0, 24, 1);
		build_snapshot(&f->b, &(struct wire_snapshot){ .context = 1, .weight = 1 }, NULL,
			       0);
		build_count(&f->b, 1, 0, 24, 4, 4);
		feed_part(f, &w, 1);
		selection_end(&w, f->m);
		assert_int_equal(w.threads, 0);
		assert_int_equal(context_of(f, 1, 1)->sampled, i ? 5 : 0);
		assert_int_equal(context_of(f, 1, 1)->nsnapshots, i ? 1 : 0);
		w.thread_glob = NULL;
	}
	selection_release(&w);
}

static void test_part_and_time(void **state)
{
	struct fixture *f = *state;
	struct selection w = { .from_ns = 10, .to_ns = 20, .thread_glob = "beta" };

	for (uint64_t time = 10; time <= 30; time += 10) {
		build_threads(&f->b);
		feed_part(f, &w, time);
	}
	selection_end(&w, f->m);
	const struct model_context *c = model_context(f->m, 0);
	assert_int_equal(c->sampled, 3);
	assert_int_equal(c->nsnapshots, 3);
	assert_int_equal(c->snapshots_seen, 33);
	assert_int_equal(c->nuses, 3);
	selection_release(&w);
}

/*
 * More snapshots than are kept: of a thread, those that the whole recording keeps. A reader that
 * left out other threads would keep too many of the early ones.
 */
static void test_thinned_alike(void **state)
{
	struct fixture *f = *state;
	size_t kept[2];

	for (int i = 0; i < 2; i++) {
		struct selection w = { .to_ns = UINT64_MAX, .thread_glob = i ? "alpha" : NULL };
		build_thread(&f->b, 1, "alpha");
		build_thread(&f->b, 2, "beta");
		for (uint32_t k = 0; k < SNAPSHOTS; k++)
			build_snapshot(
				&f->b,
				&(struct wire_snapshot){ .context = 1,
							 .weight = 1,
							 .content = k % 4 == 0,
							 .ticket = (uint32_t)build_random(k) },
				NULL, 0)
				->rec.thread = k % 4 == 0 ? 1 : 2;
		feed_part(f, &w, 1);
		selection_end(&w, f->m);
		const struct model_context *c = context_of(f, 1, 1);
		kept[i] = 0;
		for (size_t k = 0; k < c->nsnapshots; k++)
			kept[i] += c->snapshots[k]->content;
		if (i)
			assert_int_equal(c->nsnapshots, kept[i]);
		assert_int_equal(c->snapshots_seen, i ? SNAPSHOTS / 4 : SNAPSHOTS);
		assert_true(c->nsnapshots < SNAPSHOTS / 4);
		selection_release(&w);
		model_free(f->m);
		f->m = model_new(analyses);
	}
	assert_true(kept[0] > 100);
	assert_int_equal(kept[0], kept[1]);
}

int unit_threads(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_names),	 TEST(test_bad_names),	   TEST(test_counts_apart),
		TEST(test_events_apart), TEST(test_bound),	   TEST(test_part),
		TEST(test_old),		 TEST(test_part_and_time), TEST(test_thinned_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_selection.c - the part of a recording between two times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "builder.h"
#include "report/selection.h"

#define S 1000000000ull

enum { SNAPSHOTS = 40000 /* more than a context keeps */ };

/* Feeds the builder's records as a flush at `time_ns`. */
static void flush(struct selection *w, struct model *m, struct builder *b, uint64_t time_ns)
{
	for (const struct wire_rec *r = builder_next(b, NULL); r; r = builder_next(b, r))
		assert_int_not_equal(selection_feed(w, m, 1, time_ns, r, r->len), MODEL_BAD);
	builder_release(b);
}

static void add_snapshot(struct builder *b, uint32_t ticket, uint64_t content)
{
	build_snapshot(b,
		       &(struct wire_snapshot){
			       .context = 1, .weight = 1, .ticket = ticket, .content = content },
		       NULL, 0);
}

/* Second by second: a status, 10 objects, 3 snapshots, 2 uses, a watch without a use. */
static struct model *make(struct selection *w)
{
	struct builder b = BUILDER_INIT;
	struct model *m = model_new(analyses);

	assert_non_null(m);
	build_site(&b, 1, "[B", "Lcom/acme/Shop;", "load", 10);
	flush(w, m, &b, S / 2);
	for (uint32_t second = 1; second <= 5; second++) {
		for (uint32_t i = 0; i < 3; i++)
			add_snapshot(&b, i, second);
		for (uint32_t i = 0; i < 2; i++)
			build_use(&b, &(struct wire_use){
					      .context = 1, .size = 1, .weight = 1, .ticket = i });
		build_status(&b, &(struct file_status){ .sampled = second });
		build_count(&b, 1, 8, 24, 10, 10);
		struct file_tally *t = build_record(&b, FILE_TALLY, sizeof *t);
		t->context = 1;
		t->unused[0] = 1;
		flush(w, m, &b, second * S);
	}
	selection_end(w, m);
	return m;
}

static void parts_add_up(void **state)
{
	static const uint64_t ends[] = { 0, 2 * S, 3 * S, UINT64_MAX };
	double objects = 0;
	size_t snapshots = 0, seen = 0, unused = 0;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct selection w = { .from_ns = ends[i], .to_ns = ends[i + 1] };
		struct model *m = make(&w);
		const struct model_context *c = model_context(m, 0);
		size_t seconds = i == 1 ? 1 : 2;
		assert_float_equal(c->objects, 10.0 * (double)seconds, 1e-9);
		assert_int_equal(c->nsnapshots, 3 * seconds);
		assert_int_equal(c->nuses, 2 * seconds);
		assert_int_equal(c->uses_seen, 2 * seconds);
		for (size_t k = 0; k < c->nsnapshots; k++) {
			assert_true(c->snapshots[k]->content * S > ends[i]);
			assert_true(c->snapshots[k]->content * S <= ends[i + 1]);
			assert_int_equal(c->snapshots[k]->flags, 0);
		}
		/* definitions and counters are those of the whole recording */
		assert_string_equal(c->class->name, "byte[]");
		assert_int_equal(model_jvm(m, 1)->status.sampled, 5);
		objects += c->objects;
		snapshots += c->nsnapshots;
		seen += c->snapshots_seen;
		unused += c->unused[0];
		model_free(m);
	}
	assert_float_equal(objects, 50, 1e-9);
	assert_int_equal(snapshots, 15);
	assert_int_equal(seen, 15);
	assert_int_equal(unused, 5);
}

/* The selection begins and ends at flushes, and tells at which. */
static void from_flush_to_flush(void **state)
{
	struct selection w = { .from_ns = 2500000000, .to_ns = 4200000000 };
	struct model *m = make(&w);

	(void)state;
	assert_int_equal(w.begin_ns, 2 * S);
	assert_int_equal(w.end_ns, 4 * S);
	assert_float_equal(model_context(m, 0)->objects, 20, 1e-9);
	model_free(m);
}

static void beyond_the_end(void **state)
{
	struct selection w = { .from_ns = 60 * S, .to_ns = 70 * S };
	struct model *m = make(&w);
	const struct model_context *c = model_context(m, 0);

	(void)state;
	assert_int_equal(c->sampled + c->nsnapshots + c->nuses + c->snapshots_seen, 0);
	assert_int_equal(w.begin_ns, w.end_ns);
	model_free(m);
}

/*
 * More snapshots than are kept, with a sinking threshold: those in a selection have tickets below
 * one threshold, the last. A reader that left out earlier records would keep too many of the early
 * ones.
 */
static void evidence_is_thinned_alike(void **state)
{
	struct selection all = { .from_ns = 0, .to_ns = UINT64_MAX },
			 late = { .from_ns = S, .to_ns = 2 * S };
	struct selection *selections[] = { &all, &late };
	struct model *models[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct builder b = BUILDER_INIT;
		models[i] = model_new(analyses);
		assert_non_null(models[i]);
		build_site(&b, 1, "[B", "Lcom/acme/Shop;", "load", 10);
		for (uint64_t second = 1; second <= 2; second++) {
			for (uint32_t k = 0; k < SNAPSHOTS; k++)
				add_snapshot(&b, (uint32_t)build_random(second * SNAPSHOTS + k),
					     second);
			flush(selections[i], models[i], &b, second * S);
		}
		selection_end(selections[i], models[i]);
	}
	const struct model_context *a = model_context(models[0], 0),
				   *l = model_context(models[1], 0);
	size_t wanted = 0;
	for (size_t i = 0; i < a->nsnapshots; i++)
		wanted += a->snapshots[i]->content == 2;
	assert_true(a->nsnapshots < SNAPSHOTS);
	assert_true(wanted > 100);
	assert_int_equal(l->nsnapshots, wanted);
	assert_int_equal(l->snapshots_seen, SNAPSHOTS);
	model_free(models[0]);
	model_free(models[1]);
}

static void texts(void **state)
{
	static const char *const bad[] = { "",	    "5",     "5s",    "5s,4s", "5s,5s", "-1,2",
					   "0x1,2", "1,2,3", "1 s,2", "1q,2",  "a,b",	"nan," };
	struct selection w;

	(void)state;
	assert_true(selection_parse(&w, "10s,20s"));
	assert_int_equal(w.from_ns, 10 * S);
	assert_int_equal(w.to_ns, 20 * S);
	assert_true(selection_parse(&w, "1.5,2m"));
	assert_int_equal(w.from_ns, 3 * S / 2);
	assert_int_equal(w.to_ns, 120 * S);
	assert_true(selection_parse(&w, ",500ms"));
	assert_int_equal(w.from_ns, 0);
	assert_int_equal(w.to_ns, S / 2);
	assert_true(selection_parse(&w, "1h,"));
	assert_int_equal(w.from_ns, 3600 * S);
	assert_true(w.to_ns > 1000000 * S);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(selection_parse(&w, bad[i]));
}

int unit_selection(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_add_up),	  cmocka_unit_test(from_flush_to_flush),
		cmocka_unit_test(beyond_the_end), cmocka_unit_test(evidence_is_thinned_alike),
		cmocka_unit_test(texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

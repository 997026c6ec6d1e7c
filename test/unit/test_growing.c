/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_growing.c - rows of a model that grows are those that would be made of it at once, and only what has changed is touched.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "builder.h"
#include "live/growing.h"
#include "same_model.h"

enum { CONTEXTS = 60, METHODS = 12, CLASSES = 4, PIECES = 30, EVENTS = 400 };

static const struct rows_options how = { .replica = REPLICA_OPTIONS_INIT, .brief = true };

struct fixture {
	struct model *model;
	struct growing growing;
	struct builder b;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	assert_non_null(f);
	f->model = model_new();
	assert_int_equal(growing_begin(&f->growing, f->model, &how), 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	growing_release(&f->growing);
	model_free(f->model);
	builder_release(&f->b);
	free(f);
	return 0;
}

static void feed(struct fixture *f, uint32_t jvm)
{
	assert_int_equal(builder_feed(&f->b, f->model, jvm), 0);
}

static void add_method(struct builder *b, uint32_t id)
{
	const struct wire_line lines[] = { { .bci = 0, .line = (uint16_t)(10 * id) },
					   { .bci = 50, .line = (uint16_t)(10 * id + 1) } };
	char name[16];

	snprintf(name, sizeof name, "m%u", id);
	build_method(b, id, "Lcom/acme/Shop;", name, "Shop.java", lines, 2);
}

/* Two classes of each name, and positions in the bytecode that are of one line: contexts that read the same. */
static void add_context(struct builder *b, uint32_t id)
{
	static const int32_t bcis[] = { 0, 7, 50 };
	const struct wire_frame frames[] = { { .method = 1 + id % METHODS, .bci = bcis[id % 3] },
					     { .method = 1 + id / METHODS % 2 } };

	build_stack(b, id, 0, frames, 2);
	build_context(b, id, 1 + id % CLASSES, id);
}

static void add_classes(struct builder *b)
{
	const struct build_field x[] = { { "x", NULL, 'I', 12 } };

	for (uint32_t i = 1; i <= CLASSES; i++)
		build_class(b, i, i % 2 ? "Lcom/acme/Point;" : "Lcom/acme/Order;", x, 1);
}

/* ---- the same ------------------------------------------------------------------------------ */

static void same(double a, double b)
{
	if (!(a == b) && !(isnan(a) && isnan(b)))
		fail_msg("%.17g and %.17g differ", a, b);
}

static void same_interval(struct replica_interval a, struct replica_interval b)
{
	same(a.low, b.low);
	same(a.high, b.high);
}

static void same_replica(const struct replica *a, const struct replica *b)
{
	assert_int_equal(a->sampled, b->sampled);
	assert_int_equal(a->pairs, b->pairs);
	assert_int_equal(a->a, b->a);
	assert_int_equal(a->scanned, b->scanned);
	assert_int_equal(a->source, b->source);
	assert_int_equal(a->verdict, b->verdict);
	assert_int_equal(a->verdict_deep, b->verdict_deep);
	same(a->objects, b->objects);
	same(a->bytes, b->bytes);
	same(a->unused, b->unused);
	same(a->theta, b->theta);
	same(a->omega, b->omega);
	same(a->gamma, b->gamma);
	same(a->distinct, b->distinct);
	same(a->saved_bytes, b->saved_bytes);
	same(a->saved_deep_bytes, b->saved_deep_bytes);
	same(a->saved_end_bytes, b->saved_end_bytes);
	same_interval(a->theta_ci, b->theta_ci);
	same_interval(a->identical_ci, b->identical_ci);
	same_interval(a->largest_group_ci, b->largest_group_ci);
	same_interval(a->largest_deep_ci, b->largest_deep_ci);
}

static void same_row(const struct row *a, const struct row *b)
{
	assert_int_equal(a->jvm, b->jvm);
	assert_int_equal(a->pid, b->pid);
	assert_ptr_equal(a->class, b->class);
	assert_int_equal(a->stack_id, b->stack_id);
	assert_int_equal(a->common, b->common);
	assert_int_equal(a->watches, b->watches);
	assert_int_equal(a->uses, b->uses);
	assert_int_equal(a->ncontexts, b->ncontexts);
	for (size_t i = 0; i < a->ncontexts; i++)
		assert_ptr_equal(a->contexts[i], b->contexts[i]);
	same_replica(&a->replica, &b->replica);
}

/* Every row of the model, made at once, is there, and no other; `analysed`: with all of its figures. */
static void same_rows(const struct growing *g, bool analysed)
{
	struct rows rows;

	assert_int_equal(rows_make(&rows, g->model, &how), 0);
	assert_int_equal(g->rows.n, rows.n);
	for (size_t i = 0; i < rows.n; i++) {
		uint32_t at = g->row_of[rows.row[i].contexts[0]->number];
		assert_true(at > 0);
		const struct row *row = &g->rows.row[at - 1];
		if (analysed) {
			same_row(row, &rows.row[i]);
		} else {
			assert_int_equal(row->ncontexts, rows.row[i].ncontexts);
			same(row->replica.bytes, rows.row[i].replica.bytes);
			same(row->replica.objects, rows.row[i].replica.objects);
		}
	}
	if (analysed) {
		assert_int_equal(g->rows.pairs, rows.pairs);
		assert_int_equal(g->rows.seen, rows.seen);
	}
	rows_release(&rows);
}

/* ---- tests ------------------------------------------------------------------------------- */

/* Contexts, classes of one name, late events: after each piece the rows are those of all that came. */
static void test_pieces(void **state)
{
	struct fixture *f = *state;
	struct growing *g = &f->growing;
	uint32_t defined = 0;

	add_classes(&f->b);
	for (uint32_t i = 1; i <= METHODS; i++)
		add_method(&f->b, i);
	for (uint32_t piece = 0; piece < PIECES; piece++) {
		for (uint32_t i = 0; i < 3 && defined < CONTEXTS; i++)
			add_context(&f->b, ++defined);
		for (uint32_t i = 0; i < EVENTS; i++)
			build_event(&f->b, piece * EVENTS + i, defined);
		feed(f, 1);
		assert_int_equal(growing_take(g), 0);
		same_rows(g, false);
		assert_int_equal(growing_analyse(g, UINT64_MAX), 0);
		assert_int_equal(g->due.n, 0);
		same_rows(g, true);
	}
	assert_in_range(g->rows.n, 10, CONTEXTS - 1); /* some read the same */
	assert_int_equal(growing_all(g), 0);
	same_rows(g, true);
}

/* Only rows of which something came are others, and those of two JVMs are not one. */
static void test_changed(void **state)
{
	struct fixture *f = *state;
	struct growing *g = &f->growing;

	for (uint32_t jvm = 1; jvm <= 2; jvm++) {
		build_site(&f->b, 1, "Lcom/acme/Point;", "Lcom/acme/Main;", "run", 1);
		build_site(&f->b, 2, "Lcom/acme/Point;", "Lcom/acme/Main;", "run", 2);
		build_alloc(&f->b, 1, 0, 24, 10);
		build_alloc(&f->b, 2, 0, 24, 10);
		feed(f, jvm);
	}
	assert_int_equal(growing_take(g), 0);
	assert_int_equal(g->rows.n, 4);
	assert_int_equal(g->changed.n, 4);
	assert_int_equal(growing_analyse(g, UINT64_MAX), 0);
	assert_int_equal(growing_take(g), 0);
	assert_int_equal(g->changed.n, 0);
	assert_int_equal(g->due.n, 0);
	build_alloc(&f->b, 2, 0, 24, 5);
	feed(f, 2);
	assert_int_equal(growing_take(g), 0);
	assert_int_equal(g->changed.n, 1);
	const struct row *row = &g->rows.row[g->changed.item[0]];
	assert_int_equal(row->jvm, 2);
	assert_int_equal(row->contexts[0]->id, 2);
	assert_float_equal(row->replica.objects, 15, 0);
	assert_int_equal(g->due.n, 1);
}

/* A row whose turn has not come has its amounts, and nothing that is not known. */
static void test_not_analysed(void **state)
{
	struct fixture *f = *state;
	struct growing *g = &f->growing;

	build_site(&f->b, 1, "Lcom/acme/Point;", "Lcom/acme/Main;", "run", 1);
	build_alloc(&f->b, 1, 0, 24, 1000);
	for (uint32_t i = 0; i < 100; i++)
		build_look(&f->b, &(struct wire_look){ .context = 1, .content = 7, .weight = 10 },
			   NULL, 0);
	feed(f, 1);
	assert_int_equal(growing_take(g), 0);
	assert_int_equal(growing_analyse(g, 0), 0);
	const struct replica *x = &g->rows.row[0].replica;
	assert_float_equal(x->bytes, 24000, 0);
	assert_int_equal(x->pairs, 0);
	assert_int_equal(x->verdict, VERDICT_UNKNOWN);
	assert_true(isnan(x->theta) && isnan(x->theta_ci.low) && isnan(x->saved_bytes) &&
		    isnan(x->largest_group_ci.low) && isnan(replica_saved(x)));
	assert_string_equal(row_class(&g->rows.row[0]), "com.acme.Point");
	assert_int_equal(growing_analyse(g, 1), 0);
	assert_true(g->rows.row[0].replica.pairs > 0);
	assert_true(replica_saved(&g->rows.row[0].replica) > 0);
}

/* Of many rows the one of which most has come since is the first to be analysed. */
static void test_most_first(void **state)
{
	struct fixture *f = *state;
	struct growing *g = &f->growing;
	enum { N = 200, LARGE = 177 };

	for (uint32_t id = 1; id <= N; id++) {
		build_site(&f->b, id, "Lcom/acme/Point;", "Lcom/acme/Main;", "run", (int)id);
		build_alloc(&f->b, id, 0, 24, id == LARGE ? 1e6 : 1);
	}
	feed(f, 1);
	assert_int_equal(growing_take(g), 0);
	assert_int_equal(growing_analyse(g, 1), 0);
	assert_in_range(g->due.n, N - 20, N - 1);
	assert_false(
		numset_has(&g->due, g->row_of[model_context(f->model, LARGE - 1)->number] - 1));
	for (int i = 0; g->due.n > 0 && i < N; i++) {
		size_t left = g->due.n;
		assert_int_equal(growing_take(g), 0);
		assert_int_equal(growing_analyse(g, 1), 0);
		assert_in_range(g->due.n, 0, left - 1);
	}
	assert_int_equal(g->due.n, 0);
}

/*
 * Names of methods come behind the stacks that have them. Until they are there nobody can tell which contexts read the
 * same; but what never gets a name is shown in the end.
 */
static void test_late_names(void **state)
{
	struct fixture *f = *state;
	struct growing *g = &f->growing;

	add_classes(&f->b);
	add_context(&f->b, 12); /* methods 1 and 2 */
	add_context(&f->b, 13); /* 2 and 2 */
	build_alloc(&f->b, 12, 0, 24, 1);
	build_alloc(&f->b, 13, 0, 24, 1);
	feed(f, 1);
	assert_int_equal(growing_take(g), 0);
	assert_int_equal(g->rows.n, 0);
	add_method(&f->b, 2);
	build_alloc(&f->b, 12, 0, 24, 1);
	feed(f, 1);
	assert_int_equal(growing_take(g), 0);
	assert_int_equal(g->rows.n, 1);
	assert_int_equal(g->rows.row[0].contexts[0]->id, 13);
	for (int i = 0; i < GROWING_PATIENCE; i++)
		assert_int_equal(growing_take(g), 0);
	assert_int_equal(g->rows.n, 2);
	assert_float_equal(g->rows.row[1].replica.objects, 2, 0);
	/* it has a name by now, and so have others like it */
	add_method(&f->b, 1);
	feed(f, 1);
	assert_int_equal(growing_all(g), 0);
	same_rows(g, true);
}

int unit_growing(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_pieces, setup, teardown),
		cmocka_unit_test_setup_teardown(test_changed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_not_analysed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_most_first, setup, teardown),
		cmocka_unit_test_setup_teardown(test_late_names, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_columns.c - sort keys: which exist, what counts, and where rows without a value go. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/columns.h"

enum { ROWS = 6 };

static const struct style style = { .utf8 = true };
static const struct cell_context ctx = { .style = &style, .min_pairs = 30, .confidence = 0.95 };

struct fixture {
	struct row row[ROWS];
	struct model_context context[ROWS];
	struct model_context *pointer[ROWS];
	struct rows rows;
};

/* Rows that differ only in their contexts' ids (1, 2, ...); nothing is measured. */
static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	assert_non_null(f);
	for (size_t i = 0; i < ROWS; i++) {
		struct replica *x = &f->row[i].replica;
		f->context[i].jvm = f->row[i].row.jvm = 1;
		f->context[i].id = (uint32_t)i + 1;
		f->pointer[i] = &f->context[i];
		f->row[i].contexts = &f->pointer[i];
		f->row[i].ncontexts = 1;
		x->theta = x->alpha = x->omega = x->gamma = x->identical = NAN;
		x->theta_ci.low = x->theta_ci.high = NAN;
		x->own.largest = x->own.distinct = x->own.saved_bytes = NAN;
		x->deep.largest = x->deep.saved_bytes = NAN;
		x->identical_ci = x->own.largest_ci = x->theta_ci;
		x->deep.largest_ci = x->theta_ci;
	}
	f->rows = (struct rows){
		.table = { .rows = f->row, .n = ROWS, .all = ROWS, .size = sizeof(struct row) }
	};
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

/* Sorts by the key and checks the order of the ids. */
static void assert_order(struct fixture *f, const char *key, const uint32_t ids[ROWS])
{
	const struct column *c = column_find(key);

	assert_non_null(c);
	columns_sort(&f->rows, c, &ctx);
	for (size_t i = 0; i < ROWS; i++)
		assert_int_equal(f->row[i].contexts[0]->id, ids[i]);
}

static void test_keys(void **state)
{
	static const char *const keys[] = { "saved", "theta",	  "omega", "alpha",
					    "gamma", "identical", "group", "deep",
					    "pairs", "objects",	  "bytes", "avoidable" };
	char *names, *help;
	size_t len;
	FILE *out;

	(void)state;
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		assert_non_null(column_find(keys[i]));
	assert_null(column_find("verdict")); /* a column, but not a key */
	assert_null(column_find("thet"));
	assert_null(column_find(""));

	out = open_memstream(&names, &len);
	columns_put_keys(out, false);
	fclose(out);
	out = open_memstream(&help, &len);
	columns_put_keys(out, true);
	fclose(out);
	assert_string_equal(names,
			    "saved, likely, avoidable, live, bytes, objects, theta, alpha, omega, "
			    "gamma, identical, group, deep, "
			    "pairs, accesses");
	assert_non_null(strstr(help, "\n- saved: lower bound of the bytes"));
	free(names);
	free(help);
}

/* What all who loop over the tables need of each figure. */
static void test_figures(void **state)
{
	(void)state;
	for (const struct figure *f = row_figures; f->name; f++) {
		assert_true(!figure_has_range(f) || figure_has_value(f));
		assert_true(!figure_has_range(f) || f->range_name || !(f->flags & FIGURE_JSON));
		for (const struct figure *g = f + 1; g->name; g++)
			if (f->flags & g->flags & (FIGURE_JSON | FIGURE_LINES))
				assert_string_not_equal(f->name, g->name);
	}
}

/* --sort shows what it sorts by. */
static bool has_column(const struct figure *f)
{
	for (const struct column *c = columns; c->figure; c++)
		if (c->figure == f)
			return column_is_shown(c);
	return false;
}

static void test_table(void **state)
{
	(void)state;
	for (const struct figure *f = row_figures; f->name; f++)
		assert_true(!(f->flags & FIGURE_KEY) || has_column(f));
	for (const struct column *c = columns; c->figure; c++) {
		assert_true(figure_has_value(c->figure) || c->print);
		assert_non_null(c->figure->help);
		/* a column that is hidden and not a key would never be seen */
		for (int i = 0; i < COLUMN_TABLES; i++)
			assert_true(column_is_key(c) || c->in[i].show != COLUMN_AS_KEY);
		for (const struct column *d = c + 1; d->figure; d++)
			assert_string_not_equal(column_name(c), column_name(d));
	}
}

static void test_saved(void **state)
{
	struct fixture *f = *state;

	f->row[1].replica.own.saved_bytes = 10;
	f->row[3].replica.own.saved_bytes = 0;
	f->row[4].replica.own.saved_bytes = 20;
	assert_order(f, "saved", (const uint32_t[]){ 5, 2, 4, 1, 3, 6 });
}

/* A single lucky pair has a share of 1, but its interval begins at 0.2. */
static void test_lower_end(void **state)
{
	struct fixture *f = *state;
	static const double share[] = { 1, 0.5, 0.9 }, low[] = { 0.2, 0.45, 0.89 };

	for (size_t i = 0; i < 3; i++) {
		struct replica *x = &f->row[i].replica;
		x->theta = x->identical = x->own.largest = share[i];
		x->theta_ci = (struct replica_interval){ low[i], 1 };
		x->identical_ci = x->own.largest_ci = x->theta_ci;
	}
	assert_order(f, "theta", (const uint32_t[]){ 3, 2, 1, 4, 5, 6 });
	columns_sort(&f->rows, column_find("objects"), &ctx);
	assert_order(f, "identical", (const uint32_t[]){ 3, 2, 1, 4, 5, 6 });
	columns_sort(&f->rows, column_find("objects"), &ctx);
	assert_order(f, "group", (const uint32_t[]){ 3, 2, 1, 4, 5, 6 });
}

/* Shares without an interval count from min_pairs on. */
static void test_few_pairs_last(void **state)
{
	struct fixture *f = *state;
	static const char *const keys[] = { "alpha", "omega", "gamma" };

	for (size_t i = 0; i < 3; i++) {
		struct replica *x = &f->row[i].replica;
		x->pairs = i == 0 ? 29 : 30;
		x->alpha = x->omega = x->gamma = 0.9 - 0.1 * (double)i;
	}
	for (size_t i = 0; i < 3; i++)
		assert_order(f, keys[i], (const uint32_t[]){ 2, 3, 1, 4, 5, 6 });
}

/* Ties: by bytes saved, then by bytes, then in the original order. */
static void test_ties(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < ROWS; i++)
		f->row[i].replica.pairs = 7;
	f->row[5].replica.own.saved_bytes = 1;
	f->row[3].replica.bytes = 2;
	f->row[2].replica.bytes = 1;
	assert_order(f, "pairs", (const uint32_t[]){ 6, 4, 3, 1, 2, 5 });
	assert_order(f, "pairs", (const uint32_t[]){ 6, 4, 3, 1, 2, 5 });
}

/* The text of a cell. */
static char *cell(const char *name, const struct row *row, const struct cell_context *how)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	column_put_cell(out, column_named(name), row, how);
	fclose(out);
	return text;
}

static void assert_cell(const char *name, const struct row *row, const char *text)
{
	char *got = cell(name, row, &ctx);

	assert_string_equal(got, text);
	free(got);
}

static void test_cells(void **state)
{
	struct fixture *f = *state;
	struct replica *x = &f->row[0].replica;

	assert_cell("theta", &f->row[0], "    –          ");
	assert_cell("saved", &f->row[0], "–");
	x->pairs = 29;
	x->theta = x->alpha = 1;
	x->theta_ci = (struct replica_interval){ 0.8823, 1 };
	assert_cell("theta", &f->row[0], "    –          ");
	assert_cell("alpha", &f->row[0], "–");
	assert_cell("verdict", &f->row[0], "unknown");
	x->own.decision.missing = 17;
	assert_cell("verdict", &f->row[0], "unknown (17 more snapshots)");
	x->own.decision.missing = 1;
	assert_cell("verdict", &f->row[0], "unknown (1 more snapshot)");
	f->row[0].held = VERDICT_REPLICA;
	assert_cell("verdict", &f->row[0], "(replica)");
	f->row[0].held = VERDICT_UNKNOWN;
	x->own.decision.missing = 0;
	x->pairs = 30;
	assert_cell("theta", &f->row[0], "100.0 [ 88–100]");
	assert_cell("alpha", &f->row[0], "100.0");
	assert_cell("verdict", &f->row[0], "unknown");
	x->theta = 0.99999; /* not 1 */
	x->theta_ci = (struct replica_interval){ 0.991, 0.999 };
	assert_cell("theta", &f->row[0], ">99.9 [ 99–100]");
	/* the interval is rounded outwards: it may promise less, never more */
	x->theta_ci = (struct replica_interval){ 0.019, 0.0501 };
	assert_cell("theta", &f->row[0], ">99.9 [  1–  6]");
}

/* Objects that are alike only by deep content are marked. */
static void test_deep_cells(void **state)
{
	struct fixture *f = *state;
	struct replica *x = &f->row[0].replica;

	x->pairs = 30;
	x->own.verdict = VERDICT_DISTINCT;
	x->deep.verdict = VERDICT_REPLICA;
	x->own.saved_bytes = 0;
	x->deep.saved_bytes = 2048;
	assert_cell("verdict", &f->row[0], "replica (deep)");
	assert_cell("saved", &f->row[0], "deep 2.0 kB");
	assert_cell("deep", &f->row[0], "    –          ");
	x->deep.largest = 0.5;
	x->deep.largest_ci = (struct replica_interval){ 0.4, 0.6 };
	x->deep.scanned = 30;
	assert_cell("deep", &f->row[0], " 50.0 [ 40– 60]");
	x->own.saved_bytes = 4096;
	x->own.verdict = x->deep.verdict = VERDICT_FEW_VALUES;
	assert_cell("verdict", &f->row[0], "few-values");
	x->own.verdict = VERDICT_SOME_EQUAL;
	x->deep.verdict = VERDICT_UNKNOWN;
	assert_cell("verdict", &f->row[0], "some-equal");
	assert_int_equal(column_named("verdict")->ink(&f->row[0]), INK_YELLOW);
	x->own.verdict = VERDICT_CHANGING;
	assert_cell("verdict", &f->row[0], "changing");
	assert_int_equal(column_named("verdict")->ink(&f->row[0]), INK_GREEN);
	assert_cell("saved", &f->row[0], "4.0 kB");
	x->own.saved_bytes = x->deep.saved_bytes = 0;
	assert_cell("saved", &f->row[0], "0 B");
}

/* By the larger of the two bounds. */
static void test_saved_order(void **state)
{
	struct fixture *f = *state;

	f->row[0].replica.own.saved_bytes = 5;
	f->row[1].replica.own.saved_bytes = 3;
	f->row[1].replica.deep.saved_bytes = 9;
	f->row[2].replica.deep.saved_bytes = 7;
	f->row[2].replica.own.saved_bytes = 6;
	columns_sort(&f->rows, column_find("saved"), &ctx);
	assert_int_equal(f->row[0].contexts[0]->id, 2);
	assert_int_equal(f->row[1].contexts[0]->id, 3);
	assert_int_equal(f->row[2].contexts[0]->id, 1);
}

static void test_brief(void **state)
{
	struct fixture *f = *state;
	struct cell_context summary = ctx;

	summary.summary = true;
	char *text = cell("verdict", &f->row[0], &summary);
	assert_string_equal(text, "unknown");
	free(text);
}

static void test_site(void **state)
{
	struct fixture *f = *state;
	struct model_frame frames[] = {
		{ .class_name = "java.util.HashMap", .method = "put", .line = 7 },
		{ .class_name = "sun.misc.X", .method = "y" },
		{ .class_name = "com.acme.Foo$Bar",
		  .method = "run",
		  .file = "Foo.java",
		  .line = 3 },
	};
	struct row *row = &f->row[0];

	assert_cell("site", row, "(unknown)");
	row->row.stack[0] = (struct callstack){ frames, 3, 0 };
	row->line = 2;
	/* by class: there is no common frame */
	assert_cell("site", row, "HashMap.put:7 ← Foo$Bar.run:3");
	row->ncontexts = 4;
	assert_cell("site", row, "HashMap.put:7 ← Foo$Bar.run:3 +3 more");
	row->common = 1; /* by site: the callers differ */
	assert_cell("site", row, "HashMap.put:7");
	row->common = 3;
	assert_cell("site", row, "HashMap.put:7 ← Foo$Bar.run:3");
	row->row.stack[0].frames += 2;
	row->row.stack[0].n = row->common = 1;
	row->line = 0;
	assert_cell("site", row, "Foo$Bar.run:3");
}

int unit_columns(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_table),
		cmocka_unit_test_setup_teardown(test_saved, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lower_end, setup, teardown),
		cmocka_unit_test_setup_teardown(test_few_pairs_last, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ties, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cells, setup, teardown),
		cmocka_unit_test_setup_teardown(test_deep_cells, setup, teardown),
		cmocka_unit_test_setup_teardown(test_saved_order, setup, teardown),
		cmocka_unit_test_setup_teardown(test_brief, setup, teardown),
		cmocka_unit_test_setup_teardown(test_site, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

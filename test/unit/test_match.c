/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_match.c - finds the context of one recording that corresponds to one of another: moved
 * lines, edited methods, changed callers, and places that only look alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "builder.h"
#include "compare/linemap.h"
#include "compare/match.h"
#include "stats/estimate.h"

enum { MOST = 64 };

/* A recording under construction: methods with line tables, contexts with frames. */
struct side {
	struct builder b;
	struct model *model;
	struct rows rows;
	uint32_t methods, contexts;
};

static void side_init(struct side *s)
{
	memset(s, 0, sizeof *s);
	s->model = model_new(analyses);
	assert_non_null(s->model);
	build_class(&s->b, 1, "Lcom/acme/Point;", NULL, 0);
	build_class(&s->b, 2, "Lcom/acme/Other;", NULL, 0);
}

static void side_free(struct side *s)
{
	rows_release(&s->rows);
	model_free(s->model);
	builder_release(&s->b);
}

/*
 * A method of a class, "pkg.Class.name"; `table` is bci, line, bci, line, ..., -1. Returns its id.
 */
static uint64_t method(struct side *s, const char *class, const char *name, const int *table)
{
	struct wire_line lines[MOST];
	uint32_t n = 0;

	for (; table[2 * n] >= 0; n++)
		lines[n] = (struct wire_line){ (uint16_t)table[2 * n], (uint16_t)table[2 * n + 1] };
	build_method(&s->b, ++s->methods, class, name, "C.java", lines, n);
	return s->methods;
}

/* A context of class 1 or 2 at a bci of a method, called from another method (0: none). */
static void context(struct side *s, uint32_t class, uint64_t inner, int bci, uint64_t outer,
		    int outer_bci)
{
	const struct wire_frame frames[] = { { .method = inner, .bci = bci },
					     { .method = outer, .bci = outer_bci } };
	uint32_t id = ++s->contexts;

	build_stack(&s->b, id, 0, frames, outer ? 2 : 1);
	build_context(&s->b, id, class, id);
	build_count(&s->b, id, 0, 16, 10, 100);
}

static void finish(struct side *s, enum rows_grouping grouping)
{
	const struct rows_options options = { .grouping = grouping,
					      .replica = REPLICA_OPTIONS_INIT };

	assert_int_equal(builder_feed(&s->b, s->model, 1), 0);
	rows_make(&s->rows, s->model, &options);
	assert_int_equal(s->rows.table.n, s->contexts);
}

/* For each context, gets the number of its match (from 0) or -1, and how it was found. */
static void match(struct side *from, struct side *to, struct match *matches)
{
	finish(from, ROWS_BY_CONTEXT);
	finish(to, ROWS_BY_CONTEXT);
	match_rows(matches, &from->rows, &to->rows);
}

static void assert_match(const struct match *m, int row, enum match_how how)
{
	assert_int_equal(m->row, row < 0 ? MATCH_NO_ROW : (size_t)row);
	assert_int_equal(m->how, how);
}

#define INNER "Lcom/acme/Inner;"
#define OUTER "Lcom/acme/Outer;"

/* ---- aligning ------------------------------------------------------------------------------ */

static double distance(size_t i, size_t k, void *arg)
{
	const int(*values)[8] = arg;
	int d = abs(values[0][i] - values[1][k]);

	return d > 50 ? ALIGN_NEVER : d;
}

static void test_align(void **state)
{
	int values[2][8] = { { 10, 12, 100, 14 }, { 11, 13, 15 } };
	int32_t at[8];

	(void)state;
	align(4, 3, distance, values, at);
	assert_int_equal(at[0], 0);
	assert_int_equal(at[1], 1);
	/* a forbidden pair is not formed, and does not prevent others */
	assert_int_equal(at[2], -1);
	assert_int_equal(at[3], 2);

	align(0, 3, distance, values, at);
	align(1, 0, distance, values, at);
	assert_int_equal(at[0], -1);
}

/* The number of pairs comes first, then the cost. */
static void test_align_order(void **state)
{
	int values[2][8] = { { 10, 12 }, { 12, 14, 40 } };
	int32_t at[8];

	(void)state;
	align(2, 3, distance, values, at);
	assert_int_equal(at[0], 0);
	assert_int_equal(at[1], 1);
}

/* ---- line tables --------------------------------------------------------------------------- */

static void assert_aligned(const int *from, const int *to, const int *want)
{
	struct wire_line a[MOST] = { 0 }, b[MOST] = { 0 };
	uint32_t na = 0, nb = 0;
	int32_t at[MOST];

	for (; from[na] >= 0; na++)
		a[na] = (struct wire_line){ (uint16_t)from[na], (uint16_t)(10 + na) };
	for (; to[nb] >= 0; nb++)
		b[nb] = (struct wire_line){ (uint16_t)to[nb], (uint16_t)(10 + nb) };
	linemap_align(a, na, b, nb, at);
	for (uint32_t i = 0; i < na; i++)
		assert_int_equal(at[i], want[i]);
}

static void test_tables(void **state)
{
	(void)state;
	/* an entry of 7 bytes inserted */
	assert_aligned((int[]){ 0, 5, 14, 17, -1 }, (int[]){ 0, 5, 12, 21, 24, -1 },
		       (int[]){ 0, 2, 3, 4 });
	/* the same removed */
	assert_aligned((int[]){ 0, 5, 12, 21, 24, -1 }, (int[]){ 0, 5, 14, 17, -1 },
		       (int[]){ 0, -1, 1, 2, 3 });
	/* one edited: the others fix its place */
	assert_aligned((int[]){ 0, 5, 14, 17, -1 }, (int[]){ 0, 5, 30, 33, -1 },
		       (int[]){ 0, 1, 2, 3 });
	/* one replaced by two: no match */
	assert_aligned((int[]){ 0, 5, 14, 17, -1 }, (int[]){ 0, 5, 7, 30, 33, -1 },
		       (int[]){ 0, -1, 3, 4 });
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* A whole file moved down: its lines now have the numbers of other places. */
static void test_moved(void **state)
{
	const int old[] = { 0, 10, 8, 12, 20, 14, -1 }, new[] = { 0, 12, 8, 14, 20, 16, -1 };
	const int caller[] = { 0, 50, 9, 51, -1 }, lower[] = { 0, 52, 9, 53, -1 };
	struct side from, to;
	struct match m[4];

	(void)state;
	side_init(&from);
	side_init(&to);
	uint64_t inner = method(&from, INNER, "make", old);
	uint64_t outer = method(&from, OUTER, "run", caller);
	context(&from, 1, inner, 1, outer, 1);
	context(&from, 1, inner, 9, outer, 1);
	context(&from, 1, inner, 21, outer, 10);
	context(&from, 2, inner, 9, outer, 1);
	outer = method(&to, OUTER, "run", lower);
	inner = method(&to, INNER, "make", new);
	context(&to, 2, inner, 9, outer, 1);
	context(&to, 1, inner, 21, outer, 10);
	context(&to, 1, inner, 9, outer, 1);
	context(&to, 1, inner, 1, outer, 1);
	match(&from, &to, m);
	assert_match(&m[0], 3, MATCH_LINES);
	assert_match(&m[1], 2, MATCH_LINES);
	assert_match(&m[2], 1, MATCH_LINES);
	assert_match(&m[3], 0, MATCH_LINES);
	side_free(&from);
	side_free(&to);
}

/* A statement inserted between two allocations: line 12 now is another place. */
static void test_edited(void **state)
{
	const int old[] = { 0, 10, 8, 12, 20, 14, 26, 15, -1 };
	const int new[] = { 0, 10, 8, 11, 13, 12, 21, 14, 33, 16, 39, 17, -1 };
	struct side from, to;
	struct match m[3];

	(void)state;
	side_init(&from);
	side_init(&to);
	uint64_t id = method(&from, INNER, "make", old);
	context(&from, 1, id, 1, 0, 0);	 /* line 10 */
	context(&from, 1, id, 9, 0, 0);	 /* 12 */
	context(&from, 1, id, 21, 0, 0); /* 14 */
	id = method(&to, INNER, "make", new);
	context(&to, 1, id, 1, 0, 0);  /* 10 */
	context(&to, 1, id, 14, 0, 0); /* 12: inserted */
	context(&to, 1, id, 22, 0, 0); /* 14: was 12 */
	context(&to, 1, id, 34, 0, 0); /* 16: was 14 */
	match(&from, &to, m);
	assert_match(&m[0], 0, MATCH_LINES);
	assert_match(&m[1], 2, MATCH_LINES);
	assert_match(&m[2], 3, MATCH_LINES);
	side_free(&from);
	side_free(&to);
}

/* The line itself was split into several: only methods and order remain. */
static void test_methods(void **state)
{
	const int old[] = { 0, 10, 5, 11, 13, 12, -1 };
	const int new[] = { 0, 10, 9, 11, 13, 12, 30, 13, 33, 14, -1 };
	struct side from, to;
	struct match m[2];

	(void)state;
	side_init(&from);
	side_init(&to);
	uint64_t id = method(&from, INNER, "make", old);
	context(&from, 1, id, 1, 0, 0); /* 10 */
	context(&from, 1, id, 6, 0, 0); /* 11 */
	id = method(&to, INNER, "make", new);
	context(&to, 1, id, 14, 0, 0); /* 12 */
	context(&to, 1, id, 1, 0, 0);  /* 10 */
	match(&from, &to, m);
	assert_match(&m[0], 1, MATCH_METHODS);
	assert_match(&m[1], 0, MATCH_METHODS);
	side_free(&from);
	side_free(&to);
}

/* In a method that was not edited, another line is another place. */
static void test_other_line(void **state)
{
	const int table[] = { 0, 10, 5, 11, 14, 12, -1 };
	struct side from, to;
	struct match m[1];

	(void)state;
	side_init(&from);
	side_init(&to);
	context(&from, 1, method(&from, INNER, "make", table), 1, 0, 0);
	context(&to, 1, method(&to, INNER, "make", table), 6, 0, 0);
	match(&from, &to, m);
	assert_match(&m[0], -1, MATCH_NONE);
	side_free(&from);
	side_free(&to);
}

/* The caller was renamed; of two candidates, the one with more common frames. */
static void test_site(void **state)
{
	const int table[] = { 0, 10, 5, 11, -1 };
	struct side from, to;
	struct match m[2];

	(void)state;
	side_init(&from);
	side_init(&to);
	uint64_t inner = method(&from, INNER, "make", table);
	context(&from, 1, inner, 1, method(&from, OUTER, "run", table), 1);
	context(&from, 1, inner, 1, method(&from, OUTER, "stay", table), 1);
	inner = method(&to, INNER, "make", table);
	context(&to, 1, inner, 1, method(&to, OUTER, "stay", table), 1);
	context(&to, 1, inner, 6, method(&to, OUTER, "walk", table), 1);
	context(&to, 1, inner, 1, method(&to, OUTER, "walk", table), 1);
	match(&from, &to, m);
	/* not row 1, which is on another line of the site itself */
	assert_match(&m[0], 2, MATCH_SITE);
	assert_match(&m[1], 0, MATCH_LINES);
	side_free(&from);
	side_free(&to);
}

/* Overloads have the same name; their tables distinguish them, even if both have moved. */
static void test_overloads(void **state)
{
	const int one[] = { 0, 10, 5, 11, -1 }, two[] = { 0, 20, 7, 21, -1 };
	const int one_moved[] = { 0, 20, 5, 21, -1 }, two_moved[] = { 0, 30, 7, 31, -1 };
	struct side from, to;
	struct match m[2];

	(void)state;
	side_init(&from);
	side_init(&to);
	context(&from, 1, method(&from, INNER, "make", one), 1, 0, 0);	 /* line 10 */
	context(&from, 1, method(&from, INNER, "make", two), 1, 0, 0);	 /* 20 */
	context(&to, 1, method(&to, INNER, "make", one_moved), 1, 0, 0); /* 20 */
	context(&to, 1, method(&to, INNER, "make", two_moved), 1, 0, 0); /* 30 */
	match(&from, &to, m);
	assert_match(&m[0], 0, MATCH_LINES);
	assert_match(&m[1], 1, MATCH_LINES);
	side_free(&from);
	side_free(&to);
}

/* Classes compiled without lines, and rows that consist of a class only. */
static void test_no_lines(void **state)
{
	struct side from, to;
	struct match m[2];

	(void)state;
	side_init(&from);
	side_init(&to);
	context(&from, 2, method(&from, INNER, "make", (int[]){ -1 }), 1, 0, 0);
	context(&from, 1, method(&from, INNER, "other", (int[]){ -1 }), 1, 0, 0);
	context(&to, 1, method(&to, INNER, "other", (int[]){ -1 }), 7, 0, 0);
	match(&from, &to, m);
	assert_match(&m[0], -1, MATCH_NONE);
	assert_match(&m[1], 0, MATCH_LINES);
	rows_release(&from.rows);
	rows_release(&to.rows);
	finish(&from, ROWS_BY_CLASS);
	finish(&to, ROWS_BY_CLASS);
	match_rows(m, &from.rows, &to.rows);
	assert_match(&m[0], -1, MATCH_NONE);
	assert_match(&m[1], 0, MATCH_LINES);
	side_free(&from);
	side_free(&to);
}

/* ---- random edits -------------------------------------------------------------------------- */

enum { METHODS = 40, ENTRIES = 12, ROUNDS = 20 };

/*
 * A method of random statements on both sides, some of them new on the second. Returns the number
 * kept.
 */
static void random_method(struct side *from, struct side *to, uint64_t *seed, int index,
			  size_t *truth, size_t *n)
{
	int old[2 * MOST], new[2 * MOST], bci = 0, there = 0, line = 100 * index, k = 0;
	int places[ENTRIES], new_places[ENTRIES];
	char name[16];

	int shift = line + (int)(build_random((*seed)++) % 50);
	bool edited = build_random((*seed)++) % 2;
	for (int i = 0; i < ENTRIES; i++) {
		int bytes = 3 + (int)(build_random((*seed)++) % 20);
		if (edited && build_random((*seed)++) % 5 == 0) {
			new[2 * k] = there;
			new[2 * k++ + 1] = ++shift;
			there += 3 + (int)(build_random((*seed)++) % 20);
		}
		old[2 * i] = places[i] = bci;
		old[2 * i + 1] = ++line;
		new[2 * k] = new_places[i] = there;
		new[2 * k++ + 1] = ++shift;
		bci += bytes;
		there += bytes;
	}
	old[2 * ENTRIES] = new[2 * k] = -1;
	snprintf(name, sizeof name, "m%d", index);
	uint64_t a = method(from, INNER, name, old), b = method(to, INNER, name, new);
	for (int i = 0; i < ENTRIES; i += 1 + (int)(build_random((*seed)++) % 4)) {
		bool gone = build_random((*seed)++) % 6 == 0;
		context(from, 1, a, places[i], 0, 0);
		truth[(*n)++] = gone ? MATCH_NO_ROW : to->contexts;
		if (!gone)
			context(to, 1, b, new_places[i], 0, 0);
	}
}

/* Lines that were matched are right; few are not matched. */
static void test_random(void **state)
{
	size_t all = 0, right = 0, wrong = 0;
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		size_t truth[METHODS * ENTRIES], n = 0;
		struct match m[METHODS * ENTRIES];
		struct side from, to;
		side_init(&from);
		side_init(&to);
		for (int i = 0; i < METHODS; i++)
			random_method(&from, &to, &seed, i, truth, &n);
		match(&from, &to, m);
		for (size_t i = 0; i < n; i++) {
			all++;
			right += m[i].row == truth[i];
			wrong += m[i].row != truth[i] && m[i].row != MATCH_NO_ROW;
		}
		side_free(&from);
		side_free(&to);
	}
	print_message("%zu contexts: %zu right, %zu taken for others\n", all, right, wrong);
	assert_true(all > 3000);
	assert_true((double)right > 0.98 * (double)all);
	assert_true((double)wrong < 0.01 * (double)all);
}

int unit_match(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_align),	   cmocka_unit_test(test_align_order),
		cmocka_unit_test(test_tables),	   cmocka_unit_test(test_moved),
		cmocka_unit_test(test_edited),	   cmocka_unit_test(test_methods),
		cmocka_unit_test(test_other_line), cmocka_unit_test(test_site),
		cmocka_unit_test(test_overloads),  cmocka_unit_test(test_no_lines),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_diff_fix.c - findings of two recordings: which are the same, and what has changed beyond
 * what the samples leave open.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "compare/condition.h"
#include "compare/diff.h"
#include "fix_fixture.h"

#define STORE "Lcom/acme/Shop; store 7"

/* Two recordings, and what differs. */
struct compared {
	struct fixture *from, *to;
	struct recording recorded[2];
	struct rows_options how;
	struct diff_options options;
	struct diff diff;
};

static int setup_two(void **state)
{
	struct compared *c = calloc(1, sizeof *c);
	void *from, *to;

	assert_non_null(c);
	setup(&from);
	setup(&to);
	c->from = from;
	c->to = to;
	c->recorded[0].duration_s = c->recorded[1].duration_s = 10;
	c->how = (struct rows_options){ .grouping = ROWS_BY_LINE, .replica = REPLICA_OPTIONS_INIT };
	c->options = (struct diff_options){ .replica = REPLICA_OPTIONS_INIT,
					    .by_line = true,
					    .threshold = 0.05 };
	c->options.replica.confidence = 0.99;
	*state = c;
	return 0;
}

static int teardown_two(void **state)
{
	struct compared *c = *state;
	void *from = c->from, *to = c->to;

	diff_release(&c->diff);
	teardown(&from);
	teardown(&to);
	free(c);
	return 0;
}

static struct diff_side side_of(struct compared *c, struct fixture *f, struct recording *r)
{
	assert_int_equal(builder_feed(&f->b, f->model, 1), 0);
	rows_make(&f->lines, f->model, &c->how);
	r->model = f->model;
	return (struct diff_side){ &f->lines, r, NULL };
}

static const struct diff_fix *compare(struct compared *c)
{
	const struct diff_side from = side_of(c, c->from, &c->recorded[0]);
	const struct diff_side to = side_of(c, c->to, &c->recorded[1]);

	diff_make(&c->diff, &from, &to, &c->options);
	return c->diff.fix;
}

static void assert_state(const struct diff_fix *f, enum diff_state state)
{
	assert_string_equal(diff_fix_state_name(f->state), diff_fix_state_name(state));
}

/* A line that has moved is the same finding; of several processes and lines, bytes add up. */
static void test_more(void **state)
{
	struct compared *c = *state;

	ALLOCATE(c->from, "[I", 1000, HELPERS, FORMAT, OWN);
	ALLOCATE(c->to, "[I", 2000, HELPERS, FORMAT, "Lcom/acme/Shop; load 80");
	ALLOCATE(c->to, "[B", 1000, HELPERS, FORMAT, "Lcom/acme/Shop; load 81");
	const struct diff_fix *f = compare(c);
	assert_int_equal(c->diff.nfixes, 1);
	assert_state(f, DIFF_WORSE);
	assert_float_equal(f->avoidable.from, 1000 * SIZE, 1e-6);
	assert_float_equal(f->avoidable.to, 3000 * SIZE, 1e-6);
	assert_true(f->avoidable.range.low > 1000 * SIZE && f->avoidable.range.low < 2000 * SIZE);
	assert_true(f->avoidable.range.high > 2000 * SIZE);
	assert_int_equal(c->diff.avoidable.verdict, ESTIMATE_UP);
	assert_int_equal(c->diff.fix_states[DIFF_WORSE], 1);
}

static size_t held(const struct compared *c, const char *text)
{
	struct conditions conditions = { .n = 0 };
	char error[CONDITION_ERROR];

	assert_int_equal(conditions_parse(&conditions, analyses, text, CONDITION_OF_DIFF, error),
			 0);
	return condition_of_diff(&conditions.item[0], &c->diff, 1).n;
}

static void test_new_and_gone(void **state)
{
	struct compared *c = *state;

	ALLOCATE(c->from, "[I", 1000, HELPERS, FORMAT, OWN);
	ALLOCATE(c->from, "Ljava/util/ArrayList$Itr;", 500, "Ljava/util/ArrayList; iterator 1",
		 STORE);
	ALLOCATE(c->to, "[I", 1030, HELPERS, FORMAT, OWN);
	ALLOCATE(c->to, "[I", 2000, HELPERS, FORMAT, STORE);
	const struct diff_fix *f = compare(c);
	assert_int_equal(c->diff.nfixes, 3);
	assert_state(&f[0], DIFF_NEW);
	assert_float_equal(f[0].avoidable.from, 0, 0);
	assert_float_equal(f[0].avoidable.to, 2000 * SIZE, 1e-6);
	assert_null(f[0].from);
	assert_state(&f[1], DIFF_GONE);
	assert_string_equal(fix_name(f[1].from), "iterator");
	/* 100 samples on each side: 3 % is noise */
	assert_state(&f[2], DIFF_SAME);
	/* what a build may ask for */
	assert_int_equal(held(c, "avoidable>+10kB"), 1);
	assert_int_equal(held(c, "avoidable>+1MB"), 0);
	assert_int_equal(held(c, "avoidable<-10%"), 1);
	assert_int_equal(held(c, "avoidable>10kB"), 2);
	assert_int_equal(held(c, "total.avoidable>+10%"), 1);
	assert_int_equal(held(c, "total.avoidable<-10%"), 0);
}

/* Few samples on both sides tell nothing; nor does a finding that one side hardly saw. */
static void test_few(void **state)
{
	struct compared *c = *state;

	c->from->samples = c->to->samples = 6;
	ALLOCATE(c->from, "[I", 100, HELPERS, FORMAT, OWN);
	ALLOCATE(c->to, "[I", 900, HELPERS, FORMAT, OWN);
	ALLOCATE(c->to, "[I", 900, HELPERS, FORMAT, STORE);
	c->from->samples = 4;
	c->to->samples = 16;
	ALLOCATE(c->from, "[I", 1000, HELPERS, FORMAT, "Lcom/acme/Shop; find 9");
	ALLOCATE(c->to, "[I", 1000, HELPERS, FORMAT, "Lcom/acme/Shop; find 9");
	compare(c);
	assert_int_equal(c->diff.nfixes, 3);
	assert_int_equal(c->diff.fix_states[DIFF_FEW], 2);
	assert_int_equal(c->diff.fix_states[DIFF_SAME], 1);
}

/* Objects that were equal when they were looked at twice. */
static void look_alike(struct fixture *f, uint32_t context, unsigned contents)
{
	for (uint32_t i = 0; i < 60; i++)
		look(f, context, contents ? i % contents : 1000 + i, WIRE_TWICE);
}

/*
 * What is known of objects decides which rule they have. That a side knows less of them does not
 * make the finding new; that they have other contents does.
 */
static void test_other_rule(void **state)
{
	struct compared *c = *state;
	uint32_t known = ALLOCATE(c->from, "Lcom/acme/Point;", 1000, OWN);

	look_alike(c->from, known, 1);
	ALLOCATE(c->to, "Lcom/acme/Point;", 1000, OWN);
	known = ALLOCATE(c->from, "Lcom/acme/Point;", 1000, STORE);
	look_alike(c->from, known, 1);
	known = ALLOCATE(c->to, "Lcom/acme/Point;", 1000, STORE);
	look_alike(c->to, known, 0);
	const struct diff_fix *f = compare(c);
	assert_int_equal(c->diff.nfixes, 2);
	for (int i = 0; i < 2; i++) {
		bool store = strcmp(fix_first(f[i].from)->line.method, "store") == 0;
		assert_true(f[i].avoidable.from > 500 * SIZE);
		assert_null(f[i].to);
		assert_state(&f[i], store ? DIFF_GONE : DIFF_FEW);
	}
}

/* What is not known of many findings adds up: the sum of them all has not changed either. */
static void test_not_known(void **state)
{
	static const char *const methods[] = {
		"Lcom/acme/Shop; a 1", "Lcom/acme/Shop; b 2", "Lcom/acme/Shop; c 3",
		"Lcom/acme/Shop; d 4", "Lcom/acme/Shop; e 5", "Lcom/acme/Shop; f 6",
		"Lcom/acme/Shop; g 7", "Lcom/acme/Shop; h 8",
	};
	enum { METHODS = sizeof methods / sizeof methods[0] };
	struct compared *c = *state;

	for (size_t i = 0; i < METHODS; i++) {
		ALLOCATE(c->from, "Lcom/acme/Point;", 1000, methods[i]);
		look_alike(c->to, ALLOCATE(c->to, "Lcom/acme/Point;", 1000, methods[i]), 1);
	}
	compare(c);
	assert_int_equal(c->diff.fix_states[DIFF_FEW], METHODS);
	assert_true(c->diff.avoidable.to > 500 * METHODS * SIZE);
	assert_int_not_equal(c->diff.avoidable.verdict, ESTIMATE_UP);
	assert_true(c->diff.avoidable.range.low <= 0);
}

static void test_other_verdict(void **state)
{
	struct compared *c = *state;
	uint32_t known = ALLOCATE(c->from, "Lcom/acme/Point;", 1000, OWN);

	look_alike(c->from, known, 1);
	known = ALLOCATE(c->to, "Lcom/acme/Point;", 1000, OWN);
	look_alike(c->to, known, 3);
	const struct diff_fix *f = compare(c);
	assert_int_equal(c->diff.nfixes, 1);
	assert_string_not_equal(fix_name(f->from), fix_name(f->to));
	assert_state(f, DIFF_SAME);
}

/* Twenty times as much in twenty times the time is the same; so is the same work in half of it. */
static void test_lengths(void **state)
{
	struct compared *c = *state;

	c->recorded[1].duration_s = 200;
	c->from->samples = c->to->samples = 1000;
	ALLOCATE(c->from, "[I", 1000, HELPERS, FORMAT, OWN);
	ALLOCATE(c->to, "[I", 20000, HELPERS, FORMAT, OWN);
	const struct diff_fix *f = compare(c);
	assert_true(c->diff.per_second && c->diff.lengths_differ);
	assert_state(f, DIFF_SAME);
	assert_float_equal(f->avoidable.to, 100 * SIZE, 1e-6);
	diff_release(&c->diff);
	c->options.time = DIFF_SUMS;
	rows_release(&c->from->lines);
	rows_release(&c->to->lines);
	assert_state(compare(c), DIFF_WORSE);
	diff_release(&c->diff);
	c->options.time = DIFF_BY_LENGTH;
	c->recorded[1].duration_s = 0.4;
	ALLOCATE(c->from, "[I", 19000, HELPERS, FORMAT, OWN);
	rows_release(&c->from->lines);
	rows_release(&c->to->lines);
	assert_state(compare(c), DIFF_SAME);
	assert_true(!c->diff.per_second && c->diff.lengths_differ);
}

int unit_diff_fix(void)
{
#define TWO(name) cmocka_unit_test_setup_teardown(name, setup_two, teardown_two)
	const struct CMUnitTest tests[] = {
		TWO(test_more),	      TWO(test_new_and_gone),  TWO(test_few),
		TWO(test_other_rule), TWO(test_other_verdict), TWO(test_not_known),
		TWO(test_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* quota.h: how many samples of a line the agent is asked for, and by what it knows the line. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "builder.h"
#include "record/quota.h"

enum { LIST = 1, MAIN = 2, OWN = 3 /* methods, and the classes that have them */ };

struct fixture {
	struct model *model;
	struct wire_controls *controls;
	struct quota *quota;
	struct builder b;
};

static int begin(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	f->model = model_new(analyses);
	f->controls = calloc(1, sizeof *f->controls);
	f->quota = quota_new(f->model, 1, f->controls, QUOTA);
	*state = f;
	return f->quota ? 0 : -1;
}

static int end(void **state)
{
	struct fixture *f = *state;

	quota_free(f->quota);
	model_free(f->model);
	free(f->controls);
	builder_release(&f->b);
	free(f);
	return 0;
}

/* Hands over what was built, and has the agent told. */
static void take(struct fixture *f)
{
	const struct wire_rec *rec = builder_next(&f->b, NULL);

	for (; rec; rec = builder_next(&f->b, rec)) {
		assert_int_not_equal(model_feed(f->model, 1, rec, rec->len), MODEL_BAD);
		quota_take(f->quota, rec);
	}
	f->b.len = 0;
	quota_tell(f->quota);
}

/* A context whose stack is java.util.List's method, called at `bci` of Main's. */
static void context(struct fixture *f, uint32_t id, int32_t bci)
{
	const struct wire_frame frames[] = { { .method = LIST, .bci = 3 },
					     { .method = MAIN, .bci = bci } };

	build_stack(&f->b, id, 0, frames, 2);
	build_context(&f->b, id, 1, id);
}

static void methods(struct fixture *f)
{
	const struct wire_line lines[] = { { 0, 10 }, { 8, 11 } };

	build_method(&f->b, LIST, "Ljava/util/List;", "grow", "List.java", lines, 1)->flags =
		WIRE_METHOD_LOADER | WIRE_METHOD_PLATFORM;
	build_method(&f->b, MAIN, "Lcom/acme/Main;", "run", "Main.java", lines, 2)->flags =
		WIRE_METHOD_LOADER;
}

#define SIZE   32
#define WEIGHT 1000
#define EACH   (SIZE * WEIGHT) /* bytes that a sample stands for */

static void allocations(struct fixture *f, uint32_t id, unsigned n, uint16_t type)
{
	for (unsigned i = 0; i < n; i++) {
		struct wire_alloc *a = build_alloc(&f->b, id, 0, SIZE, WEIGHT);
		atomic_store(&a->rec.type, type);
	}
}

static double each_told(const struct fixture *f, uint32_t context)
{
	return (double)f->controls->each[f->controls->line_of_context[context]];
}

/* The exponent of one more sample of a context, which stands for as many bytes as those before. */
static unsigned told(const struct fixture *f, uint32_t context)
{
	return wire_control_exponent(each_told(f, context), EACH, EACH, 0);
}

static void test_exponents(void **state)
{
	struct fixture *f = *state;

	build_class(&f->b, 1, "Lcom/acme/Point;", NULL, 0);
	methods(f);
	context(f, 1, 2);
	context(f, 2, 9);
	allocations(f, 1, 2 * QUOTA - 1, WIRE_ALLOC);
	take(f);
	assert_int_equal(told(f, 1), 0);
	allocations(f, 1, 1, WIRE_ALLOC);
	take(f);
	assert_int_equal(told(f, 1), 1);
	/* those that were only counted count as well */
	allocations(f, 1, 6 * QUOTA, WIRE_ALLOC_COUNTED);
	allocations(f, 2, 1, WIRE_ALLOC);
	take(f);
	assert_int_equal(told(f, 1), 3);
	assert_int_equal(told(f, 2), 0);
	assert_int_not_equal(f->controls->line_of_context[1], f->controls->line_of_context[2]);
}

static unsigned uses_told(const struct fixture *f)
{
	return f->controls->uses[f->controls->line_of_context[1]];
}

/* A line of class 1. */
static void line_of(struct fixture *f, const char *signature)
{
	build_class(&f->b, 1, signature, NULL, 0);
	methods(f);
	context(f, 1, 2);
	allocations(f, 1, 1, WIRE_ALLOC);
	take(f);
	assert_int_equal(uses_told(f), WIRE_CONTROL_USES_UNKNOWN);
}

/* The exponent of a sample of context 1 that stands for so many times what a usual one does. */
static unsigned told_large(const struct fixture *f, unsigned times)
{
	return wire_control_exponent(each_told(f, 1), (double)EACH * times, EACH, 0);
}

#define LARGE 64 /* times as many bytes as a usual sample stands for */

static void large(struct fixture *f, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		build_alloc(&f->b, 1, 0, (uint64_t)EACH * LARGE, 1);
}

/* A line of large objects: they are thinned as those of any other line. */
static void test_large(void **state)
{
	struct fixture *f = *state;

	line_of(f, "[B");
	large(f, 8 * QUOTA);
	take(f);
	assert_int_equal(told_large(f, LARGE), 3);
	/* a small one would not count */
	assert_int_equal(told(f, 1), 9);
}

/*
 * A few large objects among many small ones: all large ones are kept, and the small ones leave them
 * room: QUOTA are kept in all, each of as many bytes.
 */
static void test_few_large(void **state)
{
	struct fixture *f = *state;

	line_of(f, "[B");
	large(f, QUOTA / 2);
	for (unsigned i = 0; i < 8; i++) {
		allocations(f, 1, 2 * QUOTA, WIRE_ALLOC);
		take(f);
	}
	assert_int_equal(told_large(f, LARGE), 0);
	/* 16 QUOTA + 1 of them are to be QUOTA / 2 */
	assert_int_equal(told(f, 1), 5);
	/* and where the large ones alone are more than enough, the others have none of the room */
	large(f, 2 * QUOTA);
	take(f);
	assert_int_equal(told_large(f, LARGE), 1);
}

static void test_wanted(void **state)
{
	(void)state;
	assert_int_equal(quota_wanted(0), QUOTA);
	assert_int_equal(quota_wanted(QUOTA_BUDGET), QUOTA);
	assert_int_equal(quota_wanted(4 * QUOTA_BUDGET), 4 * QUOTA);
	assert_int_equal(quota_wanted(100), QUOTA_MOST);
	assert_int_equal(quota_wanted(NAN), QUOTA);
}

/* What a sample is to stand for, with what it stands for by itself, and in a burst. */
static void test_exponent(void **state)
{
	(void)state;
	assert_int_equal(wire_control_exponent(0, 1000, 1000, 0), 0);
	assert_int_equal(wire_control_exponent(1999, 1000, 1000, 0), 0);
	assert_int_equal(wire_control_exponent(2000, 1000, 1000, 0), 1);
	assert_int_equal(wire_control_exponent(64000, 1000, 1000, 0), 6);
	assert_int_equal(wire_control_exponent(64000, 33000, 1000, 0), 0);
	assert_int_equal(wire_control_exponent(64000, 1000000, 1000, 0), 0);
	/* each step of a burst halves what is kept of usual ones, then of large ones */
	assert_int_equal(wire_control_exponent(0, 1000, 1000, 3), 3);
	assert_int_equal(wire_control_exponent(8000, 1000, 1000, 3), 6);
	assert_int_equal(wire_control_exponent(0, 16000, 1000, 3), 0);
	assert_int_equal(wire_control_exponent(0, 4000, 1000, 3), 2);
	/* whatever is told */
	assert_int_equal(wire_control_exponent(NAN, 1000, 1000, 2), 2);
	assert_int_equal(wire_control_exponent(-1, 1000, 1000, 2), 2);
	assert_int_equal(wire_control_exponent(INFINITY, 1000, 1000, 7), WIRE_CONTROL_MOST);
	assert_int_equal(wire_control_exponent(1e30, 1000, 0, 0), WIRE_CONTROL_MOST);
}

/* Contexts of one line are one, whatever their callers. */
static void test_lines(void **state)
{
	struct fixture *f = *state;
	const struct wire_frame deeper[] = { { .method = MAIN, .bci = 1 },
					     { .method = LIST, .bci = 7 } };

	build_class(&f->b, 1, "Lcom/acme/Point;", NULL, 0);
	build_class(&f->b, 2, "Lcom/acme/Line;", NULL, 0);
	methods(f);
	context(f, 1, 2);
	build_stack(&f->b, 2, 0, deeper, 2);
	build_context(&f->b, 2, 1, 2);
	build_context(&f->b, 3, 2, 2);
	for (uint32_t id = 1; id <= 3; id++)
		allocations(f, id, 1, WIRE_ALLOC);
	take(f);
	assert_int_not_equal(f->controls->line_of_context[1], 0);
	assert_int_equal(f->controls->line_of_context[1], f->controls->line_of_context[2]);
	/* of another class */
	assert_int_not_equal(f->controls->line_of_context[1], f->controls->line_of_context[3]);
}

/* A stack that is met for the first time leads to the line, by what the agent is told. */
static void test_keys(void **state)
{
	struct fixture *f = *state;
	uint32_t key = wire_control_key(1, MAIN, 2), list = wire_control_method(LIST),
		 main = wire_control_method(MAIN);

	build_class(&f->b, 1, "Lcom/acme/Point;", NULL, 0);
	context(f, 1, 2);
	allocations(f, 1, 4 * QUOTA, WIRE_ALLOC);
	take(f);
	/* whose methods they are is not known yet */
	assert_int_equal(f->controls->line_of_context[1], 0);
	methods(f);
	take(f);
	uint32_t line = f->controls->line_of_context[1];
	assert_int_not_equal(line, 0);
	assert_int_equal(f->controls->line_of_key[key % WIRE_CONTROL_KEYS],
			 (key & 0xffff0000u) | line);
	assert_true(f->controls->transparent[list / 64] >> list % 64 & 1);
	assert_false(f->controls->transparent[main / 64] >> main % 64 & 1);
	/* and what came before counts */
	assert_int_equal(told(f, 1), 2);
}

/*
 * With code of the reader's own, a stack without it has its usual line; but a new one through that
 * line may have such code behind it, and is read whole. Methods that come later count, too.
 */
static void test_own(void **state)
{
	struct fixture *f = *state;
	const struct wire_frame frames[] = { { .method = LIST, .bci = 3 },
					     { .method = MAIN, .bci = 2 },
					     { .method = OWN, .bci = 0 } };
	const struct wire_line line = { 0, 30 };
	uint32_t key = wire_control_key(1, MAIN, 2), own = wire_control_key(1, OWN, 0),
		 main = wire_control_method(MAIN);

	atomic_store(&build_command(&f->b, (const char *const[]){ "org.own.*", NULL })->rec.type,
		     FILE_OWN);
	const struct wire_rec *rec = builder_next(&f->b, NULL);
	assert_int_equal(model_feed(f->model, 0, rec, rec->len), MODEL_KEEP);
	assert_int_equal(model_feed(f->model, 0, rec, rec->len), MODEL_DROPPED);
	f->b.len = 0;

	build_class(&f->b, 1, "Lcom/acme/Point;", NULL, 0);
	methods(f);
	context(f, 1, 2);
	allocations(f, 1, 1, WIRE_ALLOC);
	take(f);
	assert_int_not_equal(f->controls->line_of_context[1], 0);
	assert_int_equal(f->controls->line_of_key[key % WIRE_CONTROL_KEYS], 0);
	assert_false(f->controls->transparent[main / 64] >> main % 64 & 1);

	build_method(&f->b, OWN, "Lorg/own/Top;", "top", "Top.java", &line, 1)->flags =
		WIRE_METHOD_LOADER;
	build_stack(&f->b, 2, 0, frames, 3);
	build_context(&f->b, 2, 1, 2);
	allocations(f, 2, 1, WIRE_ALLOC);
	take(f);
	assert_int_not_equal(f->controls->line_of_context[1], f->controls->line_of_context[2]);
	assert_int_not_equal(f->controls->line_of_key[own % WIRE_CONTROL_KEYS], 0);
	assert_true(f->controls->transparent[main / 64] >> main % 64 & 1);
}

/* A snapshot of an object of context 1, whose content is `content`. */
static void snapshot(struct fixture *f, uint64_t content, uint32_t epoch, uint16_t flags)
{
	struct wire_snapshot s = { .context = 1,
				   .content = content,
				   .epoch = epoch,
				   .flags = flags,
				   .array_length = 4,
				   .weight = 1 };

	build_snapshot(&f->b, &s, NULL, 0);
}

/* Uses are wanted where contents repeat at the end, until there are enough. */
static void test_uses(void **state)
{
	struct fixture *f = *state;

	line_of(f, "[I");
	for (unsigned i = 0; i < 7; i++)
		snapshot(f, 5, i, 0);
	take(f);
	assert_int_equal(uses_told(f), WIRE_CONTROL_USES_UNKNOWN);
	snapshot(f, 5, 7, 0);
	take(f);
	assert_int_equal(uses_told(f), WIRE_CONTROL_USES_WANTED);
	for (unsigned i = 0; i < WANTED_USES; i++)
		build_use(&f->b, &(struct wire_use){ .context = 1, .array_length = 4 });
	take(f);
	assert_int_equal(uses_told(f), WIRE_CONTROL_USES_FEW);
}

/* Uses decide nothing where contents differ, addresses of other epochs included. */
static void test_uses_of_different(void **state)
{
	struct fixture *f = *state;

	line_of(f, "[I");
	for (unsigned i = 0; i < 64; i++)
		snapshot(f, i, 1, 0);
	take(f);
	assert_int_equal(uses_told(f), WIRE_CONTROL_USES_FEW);
	for (unsigned i = 0; i < 64; i++)
		snapshot(f, 5, i, WIRE_REFS);
	take(f);
	assert_int_equal(uses_told(f), WIRE_CONTROL_USES_FEW);
	for (unsigned i = 0; i < 64; i++)
		snapshot(f, 5, 1, WIRE_REFS);
	take(f);
	assert_int_equal(uses_told(f), WIRE_CONTROL_USES_WANTED);
}

/* Nor where objects cannot change. */
static void test_uses_of_immutable(void **state)
{
	struct fixture *f = *state;

	line_of(f, "Lcom/acme/Nothing;");
	for (unsigned i = 0; i < 64; i++)
		snapshot(f, 5, 1, 0);
	take(f);
	assert_int_equal(uses_told(f), WIRE_CONTROL_USES_FEW);
}

/* Ids are an untrusted process's. */
static void test_nonsense(void **state)
{
	struct fixture *f = *state;

	allocations(f, UINT32_MAX, 1, WIRE_ALLOC);
	allocations(f, WIRE_CONTROL_CONTEXTS, 1, WIRE_ALLOC);
	allocations(f, 0, 1, WIRE_ALLOC);
	allocations(f, 7, 1000, WIRE_ALLOC); /* which nobody defines */
	for (int i = 0; i < 100; i++)
		take(f);
	assert_int_equal(f->controls->line_of_context[7], 0);
	for (uint32_t i = 0; i < WIRE_CONTROL_LINES; i++)
		assert_true(f->controls->each[i] == 0);
}

int unit_quota(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_exponents, begin, end),
		cmocka_unit_test_setup_teardown(test_large, begin, end),
		cmocka_unit_test_setup_teardown(test_few_large, begin, end),
		cmocka_unit_test(test_exponent),
		cmocka_unit_test(test_wanted),
		cmocka_unit_test_setup_teardown(test_lines, begin, end),
		cmocka_unit_test_setup_teardown(test_keys, begin, end),
		cmocka_unit_test_setup_teardown(test_own, begin, end),
		cmocka_unit_test_setup_teardown(test_uses, begin, end),
		cmocka_unit_test_setup_teardown(test_uses_of_different, begin, end),
		cmocka_unit_test_setup_teardown(test_uses_of_immutable, begin, end),
		cmocka_unit_test_setup_teardown(test_nonsense, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_callers.c - stacks of which a part is missing, and the callers of a line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "builder.h"
#include "fix/callers.h"
#include "report_fixture.h"

static int setup_report(void **state)
{
	struct report_fixture *f = malloc(sizeof *f);

	assert_non_null(f);
	report_fixture_init(f);
	*state = f;
	return 0;
}

static int teardown_report(void **state)
{
	report_fixture_release(*state);
	free(*state);
	return 0;
}

/* Each reason why frames are missing has its own words. */
static void test_stack_missing(void **state)
{
	static const struct {
		unsigned flags;
		const char *words;
	} reasons[] = {
		{ WIRE_STACK_CUT, "… cut here: deeper than 'ojx record --max-stack'\n" },
		{ WIRE_STACK_CUT | WIRE_STACK_COUNTED,
		  "… only counted: its callers were not read\n" },
		{ WIRE_STACK_CUT | WIRE_STACK_SHORT,
		  "… cut here: the program has very many stacks\n" },
	};
	struct report_fixture *f = *state;
	const struct style style = { .utf8 = true };

	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
		rows_at(&f->rows, 1)->row.stack[0].flags = reasons[i].flags;
		char *text = report_fixture_text(f, &style);
		for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++)
			assert_int_equal(strstr(text, reasons[k].words) != NULL, i == k);
		free(text);
	}
}

/* ---- the callers of a line ------------------------------------------------------------------- */

enum { LINE = 1, FIRST, SECOND, JDK, COUNTED, START, SIZE = 16, RUNS = 200, SAMPLES = 400 };
static const struct analysis *const none[] = { NULL };

static void define(struct builder *b)
{
	static const char *const class[] = { "Lcom/acme/Line;", "Lcom/acme/A;", "Lcom/acme/B;",
					     "Ljava/util/List;" };
	const struct wire_line line = { .bci = 0, .line = 7 };

	for (uint64_t i = LINE; i <= JDK; i++)
		build_method(b, i, class[i - 1], "call", "X.java", &line, 1);
	/* the method calls itself, and the platform is between */
	build_stack(b, FIRST, 0,
		    (const struct wire_frame[]){ { .method = LINE },
						 { .method = LINE, .bci = 5 },
						 { .method = 0, .bci = 1 },
						 { .method = JDK },
						 { .method = FIRST } },
		    5);
	build_stack(b, SECOND, 0,
		    (const struct wire_frame[]){
			    { .method = JDK }, { .method = LINE }, { .method = SECOND } },
		    3);
	build_stack(b, COUNTED, WIRE_STACK_CUT | WIRE_STACK_COUNTED,
		    &(struct wire_frame){ .method = LINE }, 1);
	build_stack(b, START, 0, &(struct wire_frame){ .method = LINE }, 1);
	build_class(b, 1, "[B", NULL, 0);
	for (uint32_t i = FIRST; i <= START; i++)
		if (i != JDK)
			build_context(b, i, 1, i);
}

static void stands_for(struct builder *b, uint32_t context, double bytes)
{
	struct wire_callers *w = build_record(b, WIRE_CALLERS, sizeof *w);

	w->context = context;
	w->bytes = bytes;
}

static struct callers estimate(struct builder *b)
{
	struct model *m = model_new(none);
	struct model_context *contexts[8];
	struct callers callers;

	assert_int_equal(builder_feed(b, m, 1), 0);
	for (size_t i = 0; i < model_ncontexts(m); i++)
		contexts[i] = model_context(m, i);
	callers_estimate(&callers, m, contexts, model_ncontexts(m), 1.96);
	builder_release(b);
	/* names belong to the model */
	for (size_t i = 0; i < callers.n; i++)
		callers.caller[i].frame.line =
			callers.caller[i].frame.method
				? callers.caller[i].frame.class_name[9] - 'A' + 1
				: 0;
	model_free(m);
	return callers;
}

static void test_read(void **state)
{
	(void)state;
	struct builder b = { 0 };

	define(&b);
	build_count(&b, FIRST, 0, SIZE, 75, 750);
	build_count(&b, SECOND, 0, SIZE, 20, 200);
	build_count(&b, START, 0, SIZE, 5, 50);
	struct callers c = estimate(&b);
	assert_int_equal(c.n, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(c.caller[i].frame.line, (i + 1) % 3);
	assert_float_equal(c.caller[0].share, 0.75, 1e-9);
	assert_float_equal(c.caller[1].share, 0.2, 1e-9);
	assert_float_equal(c.effective, 100, 1e-6);
	/* Clopper and Pearson's of 75 of 100 */
	assert_float_equal(c.caller[0].range.low, 0.6534, 1e-3);
	assert_float_equal(c.caller[0].range.high, 0.8312, 1e-3);
	assert_int_equal(c.samples, 100);
	assert_true(c.counted == 0 && c.others == 0);
}

/* Both parts count by their bytes; what nothing stands for may be of any caller. */
static void test_counted(void **state)
{
	(void)state;
	struct builder b = { 0 };

	define(&b);
	build_count(&b, FIRST, 0, SIZE, 50, 50);
	build_count(&b, SECOND, 0, SIZE, 50, 50);
	build_count(&b, COUNTED, 0, SIZE, 300, 300);
	for (int i = 0; i < 40; i++)
		stands_for(&b, i % 4 ? FIRST : SECOND, SIZE);
	struct callers c = estimate(&b);
	assert_float_equal(c.counted, 0.75, 1e-9);
	assert_float_equal(c.caller[0].share, 0.25 * 0.5 + 0.75 * 0.75, 1e-9);
	assert_true(c.caller[0].range.low > 0.5 && c.caller[0].range.high < 0.85);

	define(&b);
	build_count(&b, FIRST, 0, SIZE, 50, 50);
	build_count(&b, COUNTED, 0, SIZE, 50, 50);
	c = estimate(&b);
	assert_float_equal(c.caller[0].share, 1, 1e-9);
	assert_true(c.caller[0].range.low < 0.5);
}

/* As the agent draws: one caller's stack is known and stays whole, the other's is new each time. */
static void draw(struct builder *b, uint64_t run, double share)
{
	uint64_t known = 0, kept = 0, counted = 0;

	define(b);
	for (uint64_t i = 0; i < SAMPLES; i++) {
		uint64_t random = build_random(run * SAMPLES + i);
		if ((double)(random >> 32) / 0x1p32 < share)
			known++;
		else if (random & 7)
			counted++;
		else
			kept++;
	}
	build_count(b, FIRST, 0, SIZE, known, (double)known);
	build_count(b, SECOND, 0, SIZE, kept, (double)kept);
	build_count(b, COUNTED, 0, SIZE, counted, (double)counted);
	for (uint64_t i = 0; i < kept; i++)
		stands_for(b, SECOND, 7 * SIZE);
}

static void test_truth(void **state)
{
	(void)state;
	int held = 0;
	double sum = 0;

	for (uint64_t run = 0; run < RUNS; run++) {
		struct builder b = { 0 };
		draw(&b, run, 0.6);
		struct callers c = estimate(&b);
		const struct caller *first = &c.caller[c.caller[0].frame.line == 1 ? 0 : 1];
		held += first->range.low <= 0.6 && 0.6 <= first->range.high;
		sum += first->share;
	}
	assert_true(held >= RUNS * 94 / 100);
	assert_float_equal(sum / RUNS, 0.6, 0.01);
}

int unit_callers(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_stack_missing, setup_report, teardown_report),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_counted),
		cmocka_unit_test(test_truth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

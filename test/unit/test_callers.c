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

/* The callers, to release; *direct receives those of the line. */
static struct callers estimate(struct builder *b, const struct caller **direct)
{
	struct model *m = model_new(none);
	struct model_context *contexts[8];
	struct callers callers;
	size_t n;

	assert_int_equal(builder_feed(b, m, 1), 0);
	for (size_t i = 0; i < model_ncontexts(m); i++)
		contexts[i] = model_context(m, i);
	callers_estimate(&callers, m, contexts, model_ncontexts(m), SIZE_MAX, 1.96);
	builder_release(b);
	*direct = callers_direct(&callers, &n);
	/* names belong to the model */
	for (size_t i = 1; i < callers.n; i++)
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
	const struct caller *direct;
	struct callers c = estimate(&b, &direct);
	assert_int_equal(c.n, 4);
	assert_int_equal(c.caller[0].n, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(direct[i].frame.line, (i + 1) % 3);
	assert_float_equal(direct[0].share, 0.75, 1e-9);
	assert_float_equal(direct[1].share, 0.2, 1e-9);
	assert_float_equal(c.effective, 100, 1e-6);
	/* Clopper and Pearson's of 75 of 100 */
	assert_float_equal(direct[0].range.low, 0.6534, 1e-3);
	assert_float_equal(direct[0].range.high, 0.8312, 1e-3);
	assert_int_equal(c.samples, 100);
	assert_true(c.counted == 0);
	callers_release(&c);
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
	const struct caller *direct;
	struct callers c = estimate(&b, &direct);
	assert_float_equal(c.counted, 0.75, 1e-9);
	assert_float_equal(direct[0].share, 0.25 * 0.5 + 0.75 * 0.75, 1e-9);
	assert_true(direct[0].range.low > 0.5 && direct[0].range.high < 0.85);
	callers_release(&c);

	define(&b);
	build_count(&b, FIRST, 0, SIZE, 50, 50);
	build_count(&b, COUNTED, 0, SIZE, 50, 50);
	c = estimate(&b, &direct);
	assert_float_equal(direct[0].share, 1, 1e-9);
	assert_true(direct[0].range.low < 0.5);
	callers_release(&c);
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
		const struct caller *direct;
		struct callers c = estimate(&b, &direct);
		const struct caller *first = &direct[direct[0].frame.line == 1 ? 0 : 1];
		held += first->range.low <= 0.6 && 0.6 <= first->range.high;
		sum += first->share;
		callers_release(&c);
	}
	assert_true(held >= RUNS * 94 / 100);
	assert_float_equal(sum / RUNS, 0.6, 0.01);
}

enum { TREE = 10, A = FIRST, B = SECOND, STACKS = 3 };

/* A line that is called by A, which B calls; by A alone; and by B, A, itself and both again. */
static void define_tree(struct builder *b)
{
	static const struct wire_frame stacks[STACKS][6] = {
		{ { .method = LINE }, { .method = A }, { .method = JDK }, { .method = B } },
		{ { .method = LINE }, { .method = A }, { .method = A, .bci = 1 } },
		{ { .method = LINE },
		  { .method = B },
		  { .method = A },
		  { .method = B },
		  { .method = LINE },
		  { .method = A } },
	};
	static const uint16_t lengths[STACKS] = { 4, 3, 6 };

	define(b);
	for (uint32_t i = 0; i < STACKS; i++) {
		build_stack(b, TREE + i, 0, stacks[i], lengths[i]);
		build_context(b, TREE + i, 1, TREE + i);
		build_count(b, TREE + i, 0, SIZE, 10 * (i + 1), 10 * (i + 1));
	}
}

/* Callers of callers are a tree, in which each method of a stack is once. */
static void test_tree(void **state)
{
	(void)state;
	struct builder b = { 0 };
	const struct caller *direct;

	define_tree(&b);
	struct callers c = estimate(&b, &direct);
	assert_int_equal(c.n, 5);
	assert_int_equal(c.caller[0].n, 2);
	assert_int_equal(direct[0].frame.line, A - LINE);
	assert_int_equal(direct[0].samples, 30);
	assert_float_equal(direct[0].share, 0.5, 1e-9);
	assert_int_equal(direct[0].n, 1);
	assert_float_equal(c.caller[direct[0].first].share, 10. / 60, 1e-9);
	assert_int_equal(direct[1].n, 1);
	assert_int_equal(c.caller[direct[1].first].frame.line, A - LINE);
	assert_float_equal(c.caller[direct[1].first].share, 0.5, 1e-9);
	callers_release(&c);
}

/* ---- their text ------------------------------------------------------------------------------ */

/* Checks what is written of the only line: its tree (or NULL), and a sentence of its callers. */
static void assert_told(struct builder *b, size_t frames, const char *tree, const char *sentence)
{
	const struct rows_options o = { .grouping = ROWS_BY_LINE, .replica = REPLICA_OPTIONS_INIT };
	const struct style style = { .utf8 = true };
	struct model *m = model_new(none);
	struct recording recording = { .model = m };
	const struct report report = { .recording = &recording,
				       .grouping = ROWS_BY_LINE,
				       .confidence = 0.95,
				       .stack_frames = frames };
	struct rows rows;
	struct callers callers;
	struct memtext text;

	assert_int_equal(builder_feed(b, m, 1), 0);
	builder_release(b);
	rows_make(&rows, m, &o);
	assert_int_equal(rows.table.n, 1);
	const struct row *row = rows_at(&rows, 0);
	render_callers(memtext_begin(&text), &report, &style, row);
	memtext_end(&text);
	if (tree)
		assert_string_equal(text.text, tree);
	free(text.text);
	callers_estimate(&callers, m, row->contexts, row->ncontexts, SIZE_MAX, 1.96);
	callers_put(memtext_begin(&text), &style, &callers);
	memtext_end(&text);
	assert_string_equal(text.text, sentence);
	free(text.text);
	callers_release(&callers);
	rows_release(&rows);
	model_free(m);
}

#define CALLER(class) "com.acme." class ".call (X.java:7)\n"

/* What stands for all of a caller is below it; where calls fork, there are shares. */
static void test_text(void **state)
{
	(void)state;
	struct builder b = { 0 };

	define_tree(&b);
	assert_told(
		&b, 16,
		"\n    called by\n"
		"            50.0 %  " CALLER("A") "                16.7 %  " CALLER(
			"B") "            50.0 %  " CALLER("B") "                    " CALLER("A"),
		"A.call:7 (50.0 %) and B.call:7 (50.0 %)");

	define(&b);
	build_count(&b, FIRST, 0, SIZE, 3, 30);
	assert_told(&b, 16, "\n    called by\n            3 of 3  " CALLER("A"),
		    "A.call:7 (3 of 3)");
}

/* Of constructors that call each other a sentence names the last one, and few that call seldom. */
static void test_sentence(void **state)
{
	(void)state;
	enum { CLASS = 20 };
	struct builder b = { 0 };

	define(&b);
	for (uint64_t i = 1; i <= 3; i++) {
		char name[] = "Lcom/acme/C0;";
		name[strlen(name) - 2] = (char)('0' + i);
		build_method(&b, CLASS + i, name, "<init>", "X.java",
			     &(struct wire_line){ .bci = 0, .line = 7 }, 1);
	}
	const struct wire_frame stack[] = { { .method = LINE },
					    { .method = CLASS + 1 },
					    { .method = CLASS + 2 },
					    { .method = CLASS + 3 },
					    { .method = A } };
	build_stack(&b, CLASS, 0, stack, 5);
	build_context(&b, CLASS, 1, CLASS);
	build_count(&b, CLASS, 0, SIZE, 994, 994);
	build_count(&b, SECOND, 0, SIZE, 6, 6);
	assert_told(&b, 16, NULL, "C3.<init>:7 ← A.call:7 (99.4 %)");

	define(&b);
	build_count(&b, FIRST, 0, SIZE, 600, 600);
	build_count(&b, SECOND, 0, SIZE, 395, 395);
	build_count(&b, START, 0, SIZE, 5, 5);
	assert_told(&b, 16, NULL, "A.call:7 (60.0 %), B.call:7 (39.5 %) and 1 other");
}

/* The middle of a long chain is counted. */
static void test_long_chain(void **state)
{
	(void)state;
	enum { CHAIN = 6, CLASS = 20 };
	struct wire_frame stack[CHAIN + 1] = { { .method = LINE } };
	struct builder b = { 0 };
	char name[] = "Lcom/acme/C0;";

	define(&b);
	for (uint64_t i = 1; i <= CHAIN; i++) {
		name[strlen(name) - 2] = (char)('0' + i);
		build_method(&b, CLASS + i, name, "call", "X.java",
			     &(struct wire_line){ .bci = 0, .line = 7 }, 1);
		stack[i] = (struct wire_frame){ .method = CLASS + i };
	}
	build_stack(&b, CLASS, 0, stack, CHAIN + 1);
	build_context(&b, CLASS, 1, CLASS);
	build_count(&b, CLASS, 0, SIZE, 100, 100);
	assert_told(
		&b, 4,
		"\n    called by\n           100.0 %  " CALLER("C1") "                    " CALLER(
			"C2") "                    … 2 more frames\n                    " CALLER("C5") "                    " CALLER("C6"),
		"C1.call:7 ← C2.call:7 ← C3.call:7 (100.0 %)");
}

int unit_callers(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_stack_missing, setup_report, teardown_report),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_counted),
		cmocka_unit_test(test_truth),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_long_chain),
		cmocka_unit_test(test_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

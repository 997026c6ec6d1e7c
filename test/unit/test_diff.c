/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_diff.c - change and chance: intervals of sampled amounts, the verdict on two estimates, and
 * comparisons of whole recordings, sampled here from known truths.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "analyse/waste/waste.h"
#include "analyse/waste/waste_analysis.h"
#include "builder.h"
#include "compare/diff.h"

/* ---- noise --------------------------------------------------------------------------------- */

#define Z95 1.959964

static void test_amount(void **state)
{
	(void)state;
	/* 100 samples of weight 10: 1000 +- 196 */
	struct estimate e = estimate_amount(1000, 100 * 100, 0, Z95);
	assert_float_equal(e.range.low, 10 * (100 + 1.92 - Z95 * sqrt(100.96)), 0.1);
	assert_float_equal(e.range.high, 10 * (100 + 1.92 + Z95 * sqrt(100.96)), 0.1);
	/* an exact count */
	e = estimate_amount(1000, 0, 0, Z95);
	assert_float_equal(e.range.low, 1000, 0);
	assert_float_equal(e.range.high, 1000, 0);
	/* no sample; one would have stood for 50 */
	e = estimate_amount(0, 0, 50, Z95);
	assert_float_equal(e.range.low, 0, 0);
	assert_float_equal(e.range.high, 50 * Z95 * Z95, 0.1);
}

static void test_judge(void **state)
{
	const struct estimate from = { 100, { 90, 110 } }, near = { 112, { 100, 124 } };
	const struct estimate far = { 130, { 120, 140 } }, none = { NAN, { NAN, NAN } };
	const struct estimate exact = { 100, { 100, 100 } }, more = { 104, { 104, 104 } };

	(void)state;
	assert_int_equal(estimate_judge(&from, &near, 0, 0), ESTIMATE_SAME);
	assert_int_equal(estimate_judge(&from, &far, 0, 0), ESTIMATE_UP);
	assert_int_equal(estimate_judge(&far, &from, 0, 0), ESTIMATE_DOWN);
	assert_int_equal(estimate_judge(&from, &far, 0.2, 0), ESTIMATE_SAME);
	assert_int_equal(estimate_judge(&from, &far, 0, 20), ESTIMATE_SAME);
	assert_int_equal(estimate_judge(&from, &none, 0, 0), ESTIMATE_UNKNOWN);
	assert_int_equal(estimate_judge(&none, &from, 0, 0), ESTIMATE_UNKNOWN);
	assert_int_equal(estimate_judge(&exact, &more, 0, 0), ESTIMATE_UP);
	assert_int_equal(estimate_judge(&exact, &more, 0.05, 0), ESTIMATE_SAME);
	assert_int_equal(estimate_judge(&more, &exact, 0.03, 0), ESTIMATE_DOWN);
}

static void test_level(void **state)
{
	(void)state;
	assert_float_equal(estimate_level(0.99, 1), 0.99, 0);
	assert_float_equal(estimate_level(0.99, 0), 0.99, 0);
	assert_float_equal(estimate_level(0.99, 10), 0.999, 1e-12);
}

/* ---- recordings ---------------------------------------------------------------------------- */

static uint64_t stream; /* of random numbers */

static double uniform(void)
{
	return (double)(build_random(stream++) >> 11) / 9007199254740992.0;
}

/* The objects of a context. */
struct planted {
	const char *class;
	int objects, size;
	int contents; /* 0: all distinct */
	/* each object has its own address; these contents are what the addresses lead to */
	bool deep;
};

struct recorded {
	struct model *model;
	struct rows rows;
	struct recording recording;
};

/* Draws samples of `n` objects at probability p. */
static void draw(struct builder *b, uint32_t id, const struct planted *p, int n, double rate)
{
	double squares = 0;
	uint64_t count = 0;

	for (int i = 0; i < n; i++) {
		if (uniform() >= rate)
			continue;
		uint64_t content = p->contents ? build_random((uint64_t)(uniform() * p->contents))
					       : build_random(stream);
		struct wire_snapshot snapshot = { .context = id,
						  .content = content,
						  .weight = 1 / rate };
		uint32_t slot = (uint32_t)content;
		snapshot.ticket = (uint32_t)build_random(stream++);
		if (p->deep) {
			snapshot.flags = WIRE_REFS | WIRE_DEEP;
			snapshot.deep = content;
			snapshot.content = build_random(stream++);
			snapshot.nodes = 2;
			slot = (uint32_t)snapshot.content;
		}
		build_snapshot(b, &snapshot, &slot, 1);
		squares += 1 / (rate * rate);
		count++;
	}
	if (count > 0)
		build_count(b, id, 0, (uint64_t)p->size, count, (double)count / rate)->squares =
			squares;
}

/*
 * A recording whose rate drops: the last nine tenths of the objects are sampled at a fifth of the
 * rate.
 */
static void record(struct recorded *r, const struct planted *planted, size_t n, double rate,
		   double seconds)
{
	const struct build_field field[] = { { "x", NULL, 'I', 12 } };
	const struct file_header header = { .start_unix_ns = 1 };
	const struct rows_options options = { .replica = REPLICA_OPTIONS_INIT };
	struct builder b = BUILDER_INIT;

	r->model = model_new(analyses);
	for (uint32_t i = 0; i < n; i++) {
		const struct planted *p = &planted[i];
		struct wire_line line = { 0, 7 };
		struct wire_frame frame = { .method = i + 1 };
		build_class(&b, i + 1, p->class, field, 1);
		build_method(&b, i + 1, p->class, "make", "C.java", &line, 1);
		build_stack(&b, i + 1, 0, &frame, 1);
		build_context(&b, i + 1, i + 1, i + 1);
		draw(&b, i + 1, p, p->objects / 10, rate);
		draw(&b, i + 1, p, p->objects - p->objects / 10, rate / 5);
	}
	assert_int_equal(builder_feed(&b, r->model, 1), 0);
	builder_release(&b);
	rows_make(&r->rows, r->model, &options);
	recording_collect(&r->recording, r->model, &header, (uint64_t)(seconds * 1e9));
	r->recording.pairs = r->rows.pairs;
}

static void forget(struct recorded *r)
{
	rows_release(&r->rows);
	model_free(r->model);
}

static struct diff_options usual(void)
{
	struct diff_options options = { .replica = REPLICA_OPTIONS_INIT, .threshold = 0.05 };

	options.replica.confidence = 0.99;
	return options;
}

static void compare(struct diff *d, struct recorded *from, struct recorded *to,
		    const struct diff_options *options)
{
	const struct diff_side a = { &from->rows, &from->recording, NULL };
	const struct diff_side b = { &to->rows, &to->recording, NULL };

	diff_make(d, &a, &b, options);
}

static const struct diff_row *find(const struct diff *d, const char *class)
{
	for (size_t i = 0; i < d->n; i++)
		if (strcmp(row_class(diff_shown(&d->row[i])), class) == 0)
			return &d->row[i];
	fail_msg("no row of %s", class);
	return NULL;
}

static void assert_state(const struct diff *d, const char *class, enum diff_state state)
{
	assert_string_equal(diff_state_name(find(d, class)->state), diff_state_name(state));
}

static void test_changes(void **state)
{
	const struct planted old[] = {
		{ "LSame;", 20000, 24, 1, false },  { "LMore;", 20000, 24, 1, false },
		{ "LLess;", 20000, 24, 1, false },  { "LGone;", 20000, 24, 1, false },
		{ "LAlike;", 20000, 24, 0, false }, { "LRare;", 200, 24, 1, false },
		{ "LVanish;", 200, 24, 1, false },
	};
	const struct planted new[] = {
		{ "LFresh;", 20000, 24, 1, false },    { "LSame;", 20000, 24, 1, false },
		{ "LMore;", 40000, 24, 1, false },     { "LLess;", 8000, 24, 1, false },
		{ "LAlike;", 20000, 24, 1, false },    { "LRare;", 200, 24, 1, false },
		{ "LDistinct;", 20000, 24, 0, false },
	};
	const struct diff_options options = usual();
	struct recorded from, to;
	struct diff d;

	(void)state;
	stream = 1;
	record(&from, old, 7, 0.05, 1);
	record(&to, new, 7, 0.05, 1);
	compare(&d, &from, &to, &options);
	assert_int_equal(d.n, 9);
	assert_state(&d, "Same", DIFF_SAME);
	assert_state(&d, "More", DIFF_WORSE);
	assert_state(&d, "Less", DIFF_BETTER);
	assert_state(&d, "Gone", DIFF_GONE);
	assert_state(&d, "Alike", DIFF_WORSE);
	assert_state(&d, "Rare", DIFF_FEW);
	assert_state(&d, "Vanish", DIFF_FEW);
	assert_state(&d, "Fresh", DIFF_NEW);
	assert_state(&d, "Distinct", DIFF_NEW);
	assert_int_equal(d.states[DIFF_WORSE], 2);
	assert_int_equal(d.states[DIFF_NEW], 2);
	assert_true(find(&d, "Fresh")->new_replica);
	assert_true(find(&d, "Alike")->new_replica);
	assert_false(find(&d, "Distinct")->new_replica);
	assert_false(find(&d, "More")->new_replica);
	assert_false(find(&d, "Gone")->new_replica);

	const struct diff_row *alike = find(&d, "Alike");
	assert_int_equal(alike->change[DIFF_BYTES].verdict, ESTIMATE_SAME);
	assert_int_equal(alike->change[DIFF_IDENTICAL].verdict, ESTIMATE_UP);
	assert_int_equal(alike->change[DIFF_SAVED].verdict, ESTIMATE_UP);
	const struct diff_change *more = &find(&d, "More")->change[DIFF_OBJECTS];
	assert_true(more->range.low < 20000 && more->range.high > 20000);
	/* sorted by the change in bytes saved */
	for (size_t i = 1; i < d.n; i++)
		assert_true(fabs(d.row[i - 1].change[DIFF_SAVED].to -
				 d.row[i - 1].change[DIFF_SAVED].from) >=
				    fabs(d.row[i].change[DIFF_SAVED].to -
					 d.row[i].change[DIFF_SAVED].from) ||
			    isnan(d.row[i - 1].change[DIFF_SAVED].to) ||
			    isnan(d.row[i].change[DIFF_SAVED].to));
	diff_release(&d);
	forget(&from);
	forget(&to);
}

/*
 * Objects such as strings: all contents differ, and merging by deep content saves more than before.
 */
static void test_deep(void **state)
{
	const struct planted old[] = { { "LSame;", 20000, 24, 1, true },
				       { "LMore;", 20000, 24, 1, true },
				       { "LAlike;", 20000, 24, 0, true },
				       { "LApart;", 20000, 24, 1, true } };
	const struct planted new[] = { { "LSame;", 20000, 24, 1, true },
				       { "LMore;", 40000, 24, 1, true },
				       { "LAlike;", 20000, 24, 1, true },
				       { "LApart;", 20000, 24, 0, true } };
	const struct diff_options options = usual();
	struct recorded from, to;
	struct diff d;

	(void)state;
	stream = 5;
	record(&from, old, 4, 0.05, 1);
	record(&to, new, 4, 0.05, 1);
	compare(&d, &from, &to, &options);
	assert_state(&d, "Same", DIFF_SAME);
	assert_state(&d, "More", DIFF_WORSE);
	assert_state(&d, "Alike", DIFF_WORSE);
	assert_state(&d, "Apart", DIFF_BETTER);
	const struct diff_row *alike = find(&d, "Alike");
	assert_true(alike->deep);
	assert_int_equal(alike->change[DIFF_SAVED].verdict, ESTIMATE_UP);
	assert_true(alike->change[DIFF_SAVED].from == 0);
	assert_true(alike->change[DIFF_SAVED].to > 0.8 * 20000 * 24);
	assert_true(alike->new_replica);
	assert_false(find(&d, "More")->new_replica);
	assert_false(find(&d, "Apart")->new_replica);
	/* 60 of 80 thousand objects of 24 bytes, known only by deep content */
	assert_true(d.total[DIFF_SAVED].from > 0.8 * 60000 * 24);
	assert_true(d.total[DIFF_SAVED].to > 0.8 * 80000 * 24);
	diff_release(&d);
	forget(&from);
	forget(&to);
}

/* Shares of wasteful accesses change if they differ by more than chance and threshold. */
static void test_waste(void **state)
{
	const struct planted planted[] = { { "LA;", 20000, 24, 1, false } };
	const struct diff_options options = usual();
	struct waste_sum old[WASTE_KINDS] = { 0 }, new[WASTE_KINDS] = { 0 };
	struct finding olds[WASTE_KINDS], news[WASTE_KINDS];
	const struct findings before = { olds, WASTE_KINDS }, after = { news, WASTE_KINDS };
	struct recorded from, to;
	struct diff d;

	(void)state;
	stream = 1;
	record(&from, planted, 1, 0.05, 1);
	record(&to, planted, 1, 0.05, 1);
	for (int k = 0; k < WASTE_KINDS; k++) {
		old[k] = (struct waste_sum){ .bytes = 400, .fraction = 0.3, .effective = 100 };
		new[k] = old[k];
	}
	new[0].fraction = 0.6;
	new[1].fraction = 0.35;
	new[2].fraction = NAN; /* not asked for */
	for (int k = 0; k < WASTE_KINDS; k++) {
		olds[k] = (struct finding){ .analysis = &waste_analysis,
					    .kind = waste_analysis.kinds[k],
					    .seen = true,
					    .own = &old[k] };
		news[k] = olds[k];
		news[k].own = &new[k];
	}
	const struct diff_side a = { &from.rows, &from.recording, &before };
	const struct diff_side b = { &to.rows, &to.recording, &after };
	diff_make(&d, &a, &b, &options);
	assert_int_equal(d.found[0].change.verdict, ESTIMATE_UP);
	assert_int_equal(d.found[1].change.verdict, ESTIMATE_SAME);
	assert_int_equal(d.found[2].change.verdict, ESTIMATE_UNKNOWN);
	assert_true(isnan(d.found[2].change.to) && d.found[2].change.from == 0.3);
	diff_release(&d);
	forget(&from);
	forget(&to);
}

/* Twice as much in twice the time is the same per second. */
static void test_per_second(void **state)
{
	const struct planted one[] = { { "LA;", 40000, 24, 1, false } };
	const struct planted two[] = { { "LA;", 80000, 24, 1, false } };
	struct diff_options options = usual();
	struct recorded from, to;
	struct diff d;

	(void)state;
	stream = 1;
	record(&from, one, 1, 0.05, 10);
	record(&to, two, 1, 0.05, 20);
	options.time = DIFF_SUMS;
	compare(&d, &from, &to, &options);
	assert_state(&d, "A", DIFF_WORSE);
	assert_int_equal(d.total[DIFF_BYTES].verdict, ESTIMATE_UP);
	diff_release(&d);
	options.time = DIFF_PER_SECOND;
	compare(&d, &from, &to, &options);
	assert_state(&d, "A", DIFF_SAME);
	assert_int_equal(d.total[DIFF_BYTES].verdict, ESTIMATE_SAME);
	assert_float_equal(d.row[0].change[DIFF_OBJECTS].to, 4000, 1000);
	diff_release(&d);
	forget(&from);
	forget(&to);
}

/* Another sampling rate is not a change of the program; nor is a change below the threshold. */
static void test_rates(void **state)
{
	const struct planted same[] = { { "LA;", 40000, 24, 1, false },
					{ "LB;", 40000, 24, 30, false },
					{ "LC;", 40000, 24, 0, false } };
	const struct planted more[] = { { "LA;", 60000, 24, 1, false },
					{ "LB;", 40000, 24, 30, false },
					{ "LC;", 40000, 24, 0, false } };
	struct diff_options options = usual();
	struct recorded from, sparse, to;
	struct diff d;

	(void)state;
	stream = 1;
	record(&from, same, 3, 0.1, 1);
	record(&sparse, same, 3, 0.01, 1);
	record(&to, more, 3, 0.1, 1);
	compare(&d, &from, &sparse, &options);
	assert_int_equal(d.states[DIFF_SAME], 3);
	diff_release(&d);
	compare(&d, &from, &to, &options);
	assert_state(&d, "A", DIFF_WORSE);
	assert_state(&d, "B", DIFF_SAME);
	diff_release(&d);
	options.threshold = 0.6;
	compare(&d, &from, &to, &options);
	assert_state(&d, "A", DIFF_SAME);
	diff_release(&d);
	forget(&from);
	forget(&sparse);
	forget(&to);
}

/* A recording compared with itself, and with an empty one. */
static void test_itself(void **state)
{
	const struct planted planted[] = { { "LA;", 40000, 24, 1, false },
					   { "LB;", 4000, 24, 30, false } };
	const struct diff_options options = usual();
	struct recorded one, none;
	struct diff d;

	(void)state;
	stream = 1;
	record(&one, planted, 2, 0.1, 1);
	record(&none, planted, 0, 0.1, 1);
	compare(&d, &one, &one, &options);
	assert_int_equal(d.states[DIFF_SAME], 2);
	diff_release(&d);
	compare(&d, &none, &one, &options);
	assert_int_equal(d.states[DIFF_NEW], 2);
	diff_release(&d);
	compare(&d, &none, &none, &options);
	assert_int_equal(d.n, 0);
	diff_release(&d);
	forget(&one);
	forget(&none);
}

enum { CONTEXTS = 30, RECORDINGS = 16 };

/*
 * Among recordings of one program, compared pairwise, few show a change: one in a hundred is
 * promised.
 */
static void test_false_alarms(void **state)
{
	const struct diff_options options = { .replica = REPLICA_OPTIONS_INIT };
	struct diff_options strict = options;
	static char classes[CONTEXTS][8];
	struct planted planted[CONTEXTS];
	struct recorded r[RECORDINGS];
	size_t pairs = 0, alarms = 0, at_most = 0;

	(void)state;
	stream = 77;
	strict.replica.confidence = 0.99;
	for (int i = 0; i < CONTEXTS; i++) {
		snprintf(classes[i], sizeof classes[i], "LC%d;", i);
		planted[i] = (struct planted){ classes[i], 200 * (i + 1), 16 + 8 * (i % 5),
					       (int[]){ 0, 1, 2, 10, 100 }[i % 5], false };
	}
	for (int i = 0; i < RECORDINGS; i++)
		record(&r[i], planted, CONTEXTS, 0.2, 1);
	for (int i = 0; i < RECORDINGS; i++)
		for (int k = i + 1; k < RECORDINGS; k++) {
			struct diff d;
			compare(&d, &r[i], &r[k], &strict);
			pairs++;
			alarms += d.states[DIFF_SAME] + d.states[DIFF_FEW] != d.n;
			at_most += d.states[DIFF_SAME];
			diff_release(&d);
		}
	print_message("%zu pairs, %zu contexts: %zu false alarms\n", pairs, at_most, alarms);
	assert_true(at_most > 20 * pairs); /* there was something to compare */
	assert_true(alarms <= pairs / 25);
	for (int i = 0; i < RECORDINGS; i++)
		forget(&r[i]);
}

int unit_diff(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_amount),	   cmocka_unit_test(test_judge),
		cmocka_unit_test(test_level),	   cmocka_unit_test(test_changes),
		cmocka_unit_test(test_per_second), cmocka_unit_test(test_rates),
		cmocka_unit_test(test_deep),	   cmocka_unit_test(test_waste),
		cmocka_unit_test(test_itself),	   cmocka_unit_test(test_false_alarms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of accesses: reading, storing, merging; shares and their intervals; data of processors
 * and nodes; the report.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "analyse/locality/access_store.h"
#include "analyse/locality/locality.h"
#include "model_fixture.h"
#include "render/render_findings.h"
#include "render/render_json_rows.h"
#include "report/columns.h"

#define LEVEL 0.95

/* Sites 1 and 2 allocate; stacks 11 and 12 access. */
static void add_sites(struct fixture *f)
{
	build_site(&f->b, 1, "[I", "Lcom/acme/Hot;", "make", 10);
	build_site(&f->b, 2, "[J", "Lcom/acme/Cold;", "make", 20);
	build_site(&f->b, 11, "[B", "Lcom/acme/Sum;", "sum", 30);
	build_site(&f->b, 12, "[B", "Lcom/acme/Find;", "find", 40);
	feed(f, 1);
}

static struct wire_access *add_access(struct fixture *f, uint32_t context, uint32_t stack,
				      double weight, uint32_t hit)
{
	struct wire_access *a = build_record(&f->b, WIRE_ACCESS, sizeof *a);

	a->context = context;
	a->stack = stack;
	a->weight = weight;
	a->hit = hit;
	a->flags = WIRE_ACCESS_TIME | WIRE_ACCESS_LOAD;
	a->cpu_node = a->page_node = WIRE_NO_NODE;
	return a;
}

/*
 * 60 samples of one object; one each of 20 objects that stand for two; 10 of objects that are not
 * followed, of class 1.
 */
static void add_samples(struct fixture *f)
{
	for (uint32_t i = 0; i < 60; i++)
		add_access(f, 1, i < 45 ? 11 : 12, 1, i + 1);
	for (uint32_t i = 0; i < 20; i++)
		add_access(f, 2, 11, 2, 1)->flags ^= WIRE_ACCESS_LOAD | WIRE_ACCESS_STORE;
	for (uint32_t i = 0; i < 10; i++)
		add_access(f, 0, 12, 0, 0)->class_id = 1;
	feed(f, 1);
}

static void test_shares(void **state)
{
	struct fixture *f = *state;
	struct locality all[LOCALITY_METRICS];
	const struct locality *l = &all[LOCALITY_TIME];

	add_sites(f);
	build_alloc(&f->b, 1, 100, 416, 3.5);
	add_samples(f);
	for (int i = 0; i < 5; i++)
		add_access(f, 0, 11, 0, 0)->flags |= WIRE_ACCESS_UNPLACED;
	add_access(f, 1, 11, 1, 61)->flags = WIRE_ACCESS_FAULT;
	feed(f, 1);
	locality_compute(all, f->m, LEVEL);
	assert_int_equal(l->samples, 90);
	assert_int_equal(l->unplaced, 5);
	assert_int_equal(l->nobjects, 2);
	assert_string_equal(l->objects[0].row.class_name, "int[]");
	assert_float_equal(l->objects[0].row.share, 60 / 90.0, 1e-12);
	assert_float_equal(l->objects[0].objects, 3.5, 1e-12);
	assert_float_equal(l->objects[0].bytes, 416 * 3.5, 1e-9);
	assert_int_equal(l->objects[0].sums.objects, 1);
	/* Wilson at 2/3 of 90 */
	assert_float_equal(l->objects[0].row.range.low, 0.5641, 1e-3);
	assert_float_equal(l->objects[0].row.range.high, 0.7553, 1e-3);
	assert_int_equal(l->objects[0].row.npaths, 2);
	assert_float_equal(l->objects[0].row.paths[0].share, 0.75, 1e-12);
	assert_string_equal(l->objects[0].row.paths[0].stack.frames[0].method, "sum");
	/* each stands for two */
	assert_float_equal(l->objects[1].row.share, 40 / 90.0, 1e-12);
	assert_int_equal(l->objects[1].stores, 20);
	assert_int_equal(l->objects[1].loads, 0);
	assert_float_equal(l->followed, 1, 0);
	assert_int_equal(l->nothers, 1);
	assert_string_equal(l->others[0].row.class_name, "int[]");
	assert_float_equal(l->others[0].row.share, 10 / 90.0, 1e-12);
	assert_true(isnan(l->others[0].objects));
	assert_int_equal(all[LOCALITY_FAULT].samples, 1);
	assert_int_equal(all[LOCALITY_ACCESS].samples, 0);
	locality_release(all);
}

static int collect(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct builder *to = arg;

	assert_int_equal(jvm, 1);
	memcpy(build_record(to, 1, len), rec, len);
	return 0;
}

/* Adds a sample that stands for `times`, and advances its counter. */
static void add_times(struct fixture *f, uint32_t context, double weight, uint32_t *hits,
		      uint32_t times)
{
	add_access(f, context, 11, weight, *hits + 1)->left_out = times - 1;
	*hits += times;
}

/* If the rate was lowered to a tenth on the way, later samples count ten times. */
static void test_lowered_rate(void **state)
{
	struct fixture *f = *state;
	struct locality all[LOCALITY_METRICS];
	const struct locality *l = &all[LOCALITY_TIME];
	struct builder file = BUILDER_INIT;
	uint32_t hits[2] = { 0, 0 };

	add_sites(f);
	for (int i = 0; i < 100; i++)
		add_times(f, 1, 1, &hits[0], 1);
	for (int i = 0; i < 10; i++)
		add_times(f, 1, 1, &hits[0], 10);
	for (int i = 0; i < 20; i++)
		add_times(f, 2, 1, &hits[1], 10);
	for (int i = 0; i < 10; i++) {
		struct wire_access *a = add_access(f, 0, 12, 0, 0);
		a->class_id = 1;
		a->left_out = 9;
	}
	feed(f, 1);
	locality_compute(all, f->m, LEVEL);
	assert_int_equal(l->samples, 140);
	assert_float_equal(l->times, 500, 0);
	assert_float_equal(l->squares, 100 + 40 * 100, 0);
	assert_int_equal(l->nobjects, 2);
	for (int i = 0; i < 2;
	     i++) /* 200 of 500, of one object each: nothing was drawn but the samples */
		assert_float_equal(l->objects[i].row.share, 0.4, 1e-12);
	assert_float_equal(l->others[0].row.share, 0.2, 1e-12);
	assert_int_equal(l->others[0].sums.count, 10);
	/* Wilson of what 200 in so uneven samples tell: the variances are 1100 and 2000 */
	assert_float_equal(l->objects[0].row.range.low, 0.2856, 1e-2);
	assert_true(l->objects[1].row.range.high - l->objects[1].row.range.low >
		    l->objects[0].row.range.high - l->objects[0].row.range.low);
	assert_float_equal(l->objects[0].effective, 200.0 * 200 / 1100, 1e-9);
	locality_release(all);
	assert_int_equal(model_flush_counts(f->m, collect, &file), 0);
	struct model *copy = model_new(analyses);
	assert_int_equal(builder_feed(&file, copy, 1), 0);
	locality_compute(all, copy, LEVEL);
	assert_float_equal(l->times, 500, 0);
	assert_float_equal(l->squares, 100 + 40 * 100, 0);
	locality_release(all);
	model_free(copy);
	builder_release(&file);
}

/*
 * Estimates from samples the share of a context of `n` objects, of which one in four is followed;
 * the true share is 0.4. The second context is followed completely. In the second half one sample
 * in `times` is taken.
 */
static bool trial_holds(uint64_t seed, int n, int samples, uint32_t times)
{
	struct fixture f = { .m = model_new(analyses) };
	struct locality all[LOCALITY_METRICS];
	uint32_t hits[64] = { 0 }, other = 0;
	bool followed[64], holds;

	for (int i = 0; i < n; i++)
		followed[i] = build_random(++seed * 64 + 63) % 4 == 0;
	build_site(&f.b, 1, "[I", "LA;", "a", 1);
	build_site(&f.b, 2, "[I", "LB;", "b", 1);
	for (int i = 0; i < samples; i++) {
		uint64_t random = build_random(++seed * 64 + 63);
		uint32_t object = (uint32_t)(random >> 32) % (uint32_t)n;
		uint32_t now = i >= samples / 2 ? times : 1;
		if (now > 1 && build_random(++seed * 64 + 63) % now != 0)
			continue;
		if (random % 1000 >= 400)
			add_times(&f, 2, 1, &other, now);
		else if (followed[object])
			add_times(&f, 1, 4, &hits[object], now);
		else
			add_access(&f, 0, 11, 0, 0)->left_out = now - 1;
	}
	feed(&f, 1);
	locality_compute(all, f.m, LEVEL);
	const struct locality *l = &all[LOCALITY_TIME];
	holds = false;
	for (size_t i = 0; i < l->nobjects; i++)
		if (strcmp(l->objects[i].row.stack[0].frames[0].method, "a") == 0)
			holds = l->objects[i].row.range.low <= 0.4 &&
				l->objects[i].row.range.high >= 0.4;
	locality_release(all);
	model_free(f.m);
	builder_release(&f.b);
	return holds;
}

/*
 * The interval includes the sampling of objects: many accesses to few objects do not make it
 * narrow.
 */
static void test_interval(void **state)
{
	int held = 0, held_lowered = 0;

	(void)state;
	for (uint64_t i = 0; i < 200; i++) {
		held += trial_holds(i * 1000003, 40, i % 2 ? 200 : 2000, 1);
		held_lowered += trial_holds(i * 1000003, 40, i % 2 ? 400 : 4000, 10);
	}
	assert_in_range(held, 180, 200);
	assert_in_range(held_lowered, 180, 200);
}

/* Flushed records give another model the same sums, and only once. */
static void test_flush(void **state)
{
	struct fixture *f = *state;
	struct builder file = BUILDER_INIT;

	add_samples(f);
	assert_int_equal(model_flush_counts(f->m, collect, &file), 0);
	struct model *copy = model_new(analyses);
	assert_int_equal(builder_feed(&file, copy, 1), 0);
	assert_int_equal(model_naccesses(copy), model_naccesses(f->m));
	assert_int_equal(model_naccesses(copy), 4);
	for (size_t i = 0; i < 4; i++)
		assert_memory_equal(&model_access(copy, i)->sums, &model_access(f->m, i)->sums,
				    sizeof(struct file_access_sums));
	assert_int_equal(model_flush_counts(f->m, collect, &file), 0);
	assert_int_equal(file.len, 0);
	model_free(copy);
	builder_release(&file);
}

static void test_bad_records(void **state)
{
	struct fixture *f = *state;
	static const double bad[] = { 0.5, -1, 1e13, NAN, INFINITY };

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		add_access(f, 1, 1, bad[i], 1);
		assert_bad(f);
	}
	add_access(f, 1, 1, 1, 0);
	assert_bad(f);
	add_access(f, 1, 1, 1, 1)->left_out = WIRE_LEFT_OUT + 1;
	assert_bad(f);
	struct file_access *sum = build_record(&f->b, FILE_ACCESS, sizeof *sum);
	sum->context = 1;
	sum->sums.count = 2;
	sum->sums.level[FILE_L1] = sum->sums.level[FILE_L2] = 2;
	assert_bad(f);
	sum = build_record(&f->b, FILE_ACCESS, sizeof *sum);
	sum->sums.count = 2;
	sum->sums.weight = 2; /* of objects that are not followed */
	assert_bad(f);
	sum = build_record(&f->b, FILE_ACCESS, sizeof *sum);
	sum->sums.count = 2;
	sum->sums.left_out = sum->sums.squares =
		3 * WIRE_LEFT_OUT; /* more than two samples can stand for */
	assert_bad(f);
	assert_int_equal(model_naccesses(f->m), 0);
}

/* The kernel's encoding: number at bit 33, remote at 37, set of levels at 5, TLB at 26. */
static void test_data_source(void **state)
{
	static const struct {
		uint64_t source;
		bool known;
		enum file_level level;
	} cases[] = {
		{ 1ull << 33 | 1 << 5, true, FILE_L1 }, /* the number takes precedence */
		{ 12ull << 33, true, FILE_FILL },
		{ 2ull << 33, true, FILE_L2 },
		{ 3ull << 33, true, FILE_L3 },
		{ 3ull << 33 | 1ull << 37, true, FILE_REMOTE },
		{ 13ull << 33, true, FILE_MEMORY },
		{ 13ull << 33 | 1ull << 37, true, FILE_REMOTE },
		{ 9ull << 33, true, FILE_REMOTE },
		{ 10ull << 33, true, FILE_OTHER },
		{ 15ull << 33 | (0x2ull | 0x20) << 5, true, FILE_L2 }, /* no number, but bits */
		{ (0x2ull | 0x100) << 5, true, FILE_REMOTE },
		{ (0x2ull | 0x80) << 5, true, FILE_MEMORY },
		{ 0x1ull << 5, false, FILE_OTHER },
		{ 0, false, FILE_OTHER },
	};
	bool walk;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		enum file_level level = FILE_OTHER;
		assert_int_equal(datasrc_level(cases[i].source, &level), cases[i].known);
		assert_int_equal(level, cases[i].level);
	}
	assert_true(datasrc_walk((0x2ull | 0x8) << 26, &walk) && !walk);
	assert_true(datasrc_walk((0x2ull | 0x20) << 26, &walk) && walk);
	assert_true(datasrc_walk((0x4ull | 0x10) << 26, &walk) && walk);
	assert_false(datasrc_walk(0x1ull << 26, &walk));
	assert_false(datasrc_walk(0, &walk));
}

/* Samples by a processor on a machine with two nodes, in a report. */
static void add_processor_samples(struct fixture *f)
{
	for (uint32_t i = 0; i < 40; i++) {
		struct wire_access *a = add_access(f, 1, 11, 1, i + 1);
		a->flags = WIRE_ACCESS_LOAD;
		a->data_src = i < 10 ? 13ull << 33 | (0x4ull | 0x10) << 26
				     : 1ull << 33 | (0x2ull | 0x8) << 26;
		a->latency = i < 10 ? 400 : 4;
		a->cpu_node = 0;
		a->page_node = i < 30;
	}
	feed(f, 1);
}

/* The text of a report of object locality, or its JSON; to be freed. */
static char *rendered(const struct fixture *f, bool json)
{
	const struct findings_options how = { .confidence = LEVEL };
	const struct recording recording = { .model = f->m };
	struct findings findings;
	const struct report report = {
		.recording = &recording, .findings = &findings, .details = true, .access_frames = 4
	};
	const struct style style = { .utf8 = false };
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	findings_compute(&findings, f->m, &how);
	if (json) {
		struct json_text t = { .out = out };
		render_json_findings(&t, &report);
		assert_int_equal(json_text_end(&t), 0);
	} else {
		render_findings(out, &report, &style);
	}
	fclose(out);
	findings_release(&findings);
	return text;
}

static void assert_says(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("'%s' is not in:\n%s", what, text);
}

static void test_processor(void **state)
{
	struct fixture *f = *state;
	struct locality all[LOCALITY_METRICS];

	add_sites(f);
	add_processor_samples(f);
	locality_compute(all, f->m, LEVEL);
	const struct file_access_sums *s = &all[LOCALITY_ACCESS].objects[0].sums;
	assert_int_equal(s->level[FILE_MEMORY], 10);
	assert_int_equal(s->level[FILE_L1], 30);
	assert_int_equal(s->walk, 10);
	assert_int_equal(s->tlb, 40);
	assert_int_equal(s->remote, 30);
	assert_int_equal(s->local, 10);
	char *text = rendered(f, false);
	assert_says(text, "shares of the sampled accesses to the heap, in 40 samples");
	assert_says(text, "75.0 % of 40 samples went to another node's memory");
	assert_says(text, "found in   L1 75.0 %, memory 25.0 %");
	assert_says(text, "103 cycles on average");
	assert_says(text, "25.0 % had to walk page tables");
	assert_says(text, "75.0 % remote");
	free(text);
	text = rendered(f, true);
	assert_says(text,
		    "\"metric\":\"access\",\"class\":\"int[]\",\"alloc_stack\":[{\"class\":"
		    "\"com.acme.Hot\",\"method\":\"make\",\"file\":\"Test.java\",\"line\":10}]");
	assert_says(text, "\"L1\":30,");
	assert_says(text,
		    "\"latency\":103,\"tlb_walks\":0.25,\"numa\":{\"local\":10,\"remote\":30}");
	free(text);
	locality_release(all);
}

/* A single sample of an object that stands for many tells nothing about its context. */
static void test_too_few(void **state)
{
	struct fixture *f = *state;
	struct locality all[LOCALITY_METRICS];
	const struct locality *l = &all[LOCALITY_TIME];

	add_sites(f);
	for (uint32_t i = 0; i < 20; i++)
		add_access(f, 1, 11, 1, i + 1);
	add_access(f, 2, 12, 500, 1);
	feed(f, 1);
	locality_compute(all, f->m, LEVEL);
	assert_string_equal(l->objects[0].row.class_name, "int[]");
	assert_string_equal(l->objects[1].row.class_name, "long[]");
	assert_float_equal(l->objects[1].effective, 1, 1e-9);
	assert_float_equal(l->objects[1].row.share, 1, 0);
	assert_float_equal(l->objects[1].row.range.low, 0, 0);
	char *text = rendered(f, false);
	assert_says(text, "1 context with too few samples to give a share");
	assert_null(strstr(text, "long[]"));
	free(text);
	locality_release(all);
}

/* Stacks that branch are shown as a tree. */
static void test_tree(void **state)
{
	struct fixture *f = *state;
	struct locality all[LOCALITY_METRICS];
	const struct wire_frame stacks[2][3] = {
		{ { .method = 11, .bci = 0 },
		  { .method = 1, .bci = 0 },
		  { .method = 2, .bci = 0 } },
		{ { .method = 12, .bci = 0 },
		  { .method = 1, .bci = 0 },
		  { .method = 2, .bci = 0 } },
	};

	add_sites(f);
	build_stack(&f->b, 21, 0, stacks[0], 3);
	build_stack(&f->b, 22, 0, stacks[1], 3);
	for (uint32_t i = 0; i < 40; i++)
		add_access(f, 1, i < 30 ? 21 : 22, 1, i + 1);
	feed(f, 1);
	locality_compute(all, f->m, LEVEL);
	char *text = rendered(f, false);
	assert_says(text, "       100.0 % com.acme.Hot.make (Test.java:10)\n"
			  "          75.0 % com.acme.Sum.sum (Test.java:30)\n"
			  "          25.0 % com.acme.Find.find (Test.java:40)\n");
	free(text);
	locality_release(all);
}

/* The column of a report's table. */
static void test_column(void **state)
{
	struct fixture *f = *state;
	const struct column *c = column_find("accesses");
	struct model_context *contexts[2];

	add_sites(f);
	add_samples(f);
	contexts[0] = model_context(f->m, 0);
	contexts[1] = model_context(f->m, 1);
	struct row row = { .contexts = contexts, .ncontexts = 2 };
	assert_non_null(c);
	assert_float_equal(figure_of(c->figure, &row), 60 + 40, 1e-9);
	contexts[0] = model_context(f->m, 2); /* nobody accessed its objects */
	row.ncontexts = 1;
	assert_true(isnan(figure_of(c->figure, &row)));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int unit_locality(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_shares),	 TEST(test_interval),	 TEST(test_flush),
		TEST(test_lowered_rate), TEST(test_bad_records), TEST(test_data_source),
		TEST(test_processor),	 TEST(test_tree),	 TEST(test_column),
		TEST(test_too_few),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

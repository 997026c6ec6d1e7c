/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of accesses: reading, storing, merging, judging; the list of events. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "analyse/waste/waste.h"
#include "analyse/waste/waste_analysis.h"
#include "model_fixture.h"
#include "report/filter.h"

#define LEVEL 0.95

/* Stack `id` of two frames: method 1 at `line` of Test.java, called by method 2. */
static void add_stack(struct fixture *f, uint32_t id, uint16_t bci)
{
	const struct wire_frame frames[] = { { .method = 1, .bci = bci }, { .method = 2 } };

	build_stack(&f->b, id, 0, frames, 2);
}

/* Bytecodes 0 and 1 are on line 10, 2 and 3 on line 11. */
static void add_methods(struct fixture *f)
{
	static const struct wire_line lines[] = { { 0, 10 }, { 2, 11 } };

	build_method(&f->b, 1, "Lcom/acme/Main;", "fill", "Test.java", lines, 2);
	build_method(&f->b, 2, "Lcom/acme/Main;", "main", "Test.java", lines, 2);
	for (uint32_t id = 1; id <= 4; id++)
		add_stack(f, id, (uint16_t)(id - 1));
	feed(f, 1);
}

static struct wire_waste *add_pair(struct fixture *f, uint8_t kind, uint32_t watched,
				   uint32_t trapped, uint16_t bytes, uint8_t wasted)
{
	struct wire_waste *w = build_record(&f->b, WIRE_WASTE, sizeof *w);

	w->kind = kind;
	w->watched = watched;
	w->trapped = trapped;
	w->bytes = bytes;
	w->wasted = wasted;
	w->drawn = 1;
	return w;
}

static void add_pairs(struct fixture *f, int n, uint8_t kind, uint32_t watched, uint32_t trapped,
		      uint8_t wasted)
{
	for (int i = 0; i < n; i++)
		add_pair(f, kind, watched, trapped, 8, wasted);
}

static void test_fraction(void **state)
{
	struct fixture *f = *state;
	struct waste_sum w[WASTE_KINDS];

	add_methods(f);
	add_pairs(f, 30, WIRE_DEAD_STORE, 1, 3, 1);
	add_pairs(f, 70, WIRE_DEAD_STORE, 1, 4, 0);
	add_pairs(f, 5, WIRE_SILENT_LOAD, 1, 1, 0);
	feed(f, 1);
	waste_compute(w, f->m, LEVEL);
	assert_int_equal(w[0].kind, WIRE_DEAD_STORE);
	assert_int_equal(w[0].count, 100);
	assert_int_equal(w[0].bytes, 800);
	assert_int_equal(w[0].wasted_bytes, 240);
	assert_float_equal(w[0].fraction, 0.3, 1e-12);
	/* Wilson for 0.3 of 100 */
	assert_float_equal(w[0].range.low, 0.2189, 1e-3);
	assert_float_equal(w[0].range.high, 0.3958, 1e-3);
	assert_int_equal(w[0].npairs, 1);
	assert_float_equal(w[0].pairs[0].row.share, 0.3, 1e-12);
	assert_true(isnan(w[1].fraction));
	assert_float_equal(w[2].fraction, 0, 0);
	assert_int_equal(w[2].npairs, 0);
	waste_release(w);
}

/*
 * If the clock's rate was lowered, a pair stands also for those left out, but the number of pairs
 * is counted separately.
 */
static void test_lowered_rate(void **state)
{
	struct fixture *f = *state;
	struct waste_sum w[WASTE_KINDS];

	add_methods(f);
	for (int i = 0; i < 20; i++)
		add_pair(f, WIRE_DEAD_STORE, 1, 3, 8, 1);
	for (int i = 0; i < 10; i++)
		add_pair(f, WIRE_DEAD_STORE, 1, 4, 8, 0)->left_out = 2;
	feed(f, 1);
	waste_compute(w, f->m, LEVEL);
	assert_int_equal(w[0].count, 30);
	assert_int_equal(w[0].bytes, 8 * 50);
	assert_int_equal(w[0].wasted_bytes, 8 * 20);
	assert_float_equal(w[0].fraction, 0.4, 1e-12);
	/* (20 + 10 * 3)^2 / (20 + 10 * 9) */
	assert_float_equal(w[0].effective, 2500.0 / 110, 1e-9);
	waste_release(w);
}

/* Stacks 1 and 2 are on the same line: a reader sees one place. */
static void test_merged_by_line(void **state)
{
	struct fixture *f = *state;
	struct waste_sum w[WASTE_KINDS];

	add_methods(f);
	add_pairs(f, 3, WIRE_SILENT_STORE, 1, 2, 1);
	add_pairs(f, 4, WIRE_SILENT_STORE, 2, 1, 1);
	add_pairs(f, 9, WIRE_SILENT_STORE, 3, 1, 1);
	feed(f, 1);
	waste_compute(w, f->m, LEVEL);
	assert_int_equal(w[1].npairs, 2);
	assert_int_equal(w[1].pairs[0].wasted_count, 9);
	assert_int_equal(w[1].pairs[0].row.stack[0].frames[0].line, 11);
	assert_int_equal(w[1].pairs[1].wasted_count, 7);
	assert_int_equal(w[1].pairs[1].row.stack[0].frames[0].line, 10);
	waste_release(w);
}

/*
 * A pair recorded before its code was decoded lacks the instruction. Later ones supply it: of the
 * same stacks, and of others that look the same.
 */
static void test_instruction_later(void **state)
{
	struct fixture *f = *state;
	struct waste_sum w[WASTE_KINDS];

	add_methods(f);
	add_pairs(f, 5, WIRE_SILENT_STORE, 1, 3, 1);
	struct wire_waste *later = add_pair(f, WIRE_SILENT_STORE, 1, 3, 8, 1);
	later->insn_len[0] = 3;
	memcpy(later->insn[0], "\x89\x48\x08", 3);
	later = add_pair(f, WIRE_SILENT_STORE, 2, 3, 8, 1);
	later->insn_len[1] = 3;
	memcpy(later->insn[1], "\x89\x48\x10", 3);
	feed(f, 1);
	waste_compute(w, f->m, LEVEL);
	assert_int_equal(w[1].npairs, 1);
	assert_int_equal(w[1].pairs[0].insn_len[0], 3);
	assert_memory_equal(w[1].pairs[0].insn[0], "\x89\x48\x08", 3);
	assert_int_equal(w[1].pairs[0].insn_len[1], 3);
	assert_memory_equal(w[1].pairs[0].insn[1], "\x89\x48\x10", 3);
	waste_release(w);
}

/*
 * Pairs of headers count in the share, have a line of their own, and are left out unless requested.
 */
static void test_headers(void **state)
{
	static const struct filter all;
	struct fixture *f = *state;
	struct waste_sum w[WASTE_KINDS];

	add_methods(f);
	for (int i = 0; i < 60; i++)
		add_pair(f, WIRE_SILENT_LOAD, 1, 3, 4, 1)->part = WIRE_PART_CLASS;
	add_pair(f, WIRE_SILENT_LOAD, 1, 3, 4, 1)->part = WIRE_PART_LENGTH;
	for (int i = 0; i < 39; i++)
		add_pair(f, WIRE_SILENT_LOAD, 1, 3, 4, i < 13);
	feed(f, 1);
	waste_compute(w, f->m, LEVEL);
	assert_float_equal(w[2].fraction, 0.74, 1e-12);
	assert_int_equal(w[2].in_part[WIRE_PART_CLASS], 60);
	assert_int_equal(w[2].in_part[WIRE_PART_LENGTH], 1);
	assert_int_equal(w[2].in_part[WIRE_PART_MARK], 0);
	assert_int_equal(w[2].content.count, 39);
	assert_float_equal(w[2].content.fraction, 1.0 / 3, 1e-12);
	assert_true(w[2].content.range.low > 0.2 && w[2].content.range.high < 0.5);
	assert_true(isnan(w[0].content.fraction));
	assert_int_equal(w[2].npairs, 3);
	assert_int_equal(w[2].pairs[0].part, WIRE_PART_CLASS);
	assert_float_equal(w[2].pairs[0].row.share, 0.6, 1e-12);
	waste_release(w);
	struct findings all_of;
	const struct findings_options how = { .confidence = LEVEL };
	findings_compute(&all_of, f->m, &how);
	const struct finding_table *t = &all_of.item[2].table[0];
	const struct findings_filter widest = { .filter = &all, .limit = SIZE_MAX, .minor = true };
	const void *rows = t->rows; /* an analysis may refer to them */
	findings_narrow(&all_of, &widest);
	assert_ptr_equal(t->rows, rows);
	assert_int_equal(t->n, 3);
	findings_narrow(&all_of, &(struct findings_filter){ .filter = &all, .limit = 1 });
	assert_int_equal(t->n, 1);
	assert_false(finding_row(t, 0)->minor);
	assert_float_equal(finding_row(t, 0)->share, 0.13, 1e-12);
	assert_int_equal(t->left.minor, 2);
	assert_int_equal(t->left.beyond, 0);
	findings_release(&all_of);
}

/* Wide accesses count by their bytes, and fewer of them tell less. */
static void test_weights(void **state)
{
	struct fixture *f = *state;
	struct waste_sum w[WASTE_KINDS];

	add_methods(f);
	add_pair(f, WIRE_DEAD_STORE, 1, 1, 32, 1);
	for (int i = 0; i < 32; i++)
		add_pair(f, WIRE_DEAD_STORE, 1, 1, 1, 0);
	feed(f, 1);
	waste_compute(w, f->m, LEVEL);
	assert_float_equal(w[0].fraction, 0.5, 1e-12);
	/* Kish: 64^2 / (32^2 + 32) = 3.9 observations */
	assert_true(w[0].range.low < 0.2 && w[0].range.high > 0.8);
	waste_release(w);
}

/* Adds pairs whose first access was not drawn: by the instruction `which`. */
static void add_as_it_came(struct fixture *f, int n, uint8_t which, int wasted)
{
	for (int i = 0; i < n; i++) {
		struct wire_waste *w = add_pair(f, WIRE_SILENT_STORE, 1, 1, 8, i < wasted);
		w->drawn = 0;
		w->insn_len[0] = 3;
		memcpy(w->insn[0], "\x89\x48", 2);
		w->insn[0][2] = which;
	}
}

/*
 * Interrupts fall on some instructions more often than on others. Two that differ leave the
 * fraction open; many do less; pairs that were drawn count one by one.
 */
static void test_as_it_came(void **state)
{
	struct fixture *f = *state;
	struct waste_sum w[WASTE_KINDS];

	add_methods(f);
	add_as_it_came(f, 300, 1, 300);
	add_as_it_came(f, 100, 2, 0);
	feed(f, 1);
	waste_compute(w, f->m, LEVEL);
	assert_float_equal(w[1].fraction, 0.75, 1e-12);
	/* (300 + 100)^2 / (300^2 + 100^2) */
	assert_float_equal(w[1].effective, 1.6, 1e-9);
	assert_true(w[1].range.low < 0.2 && w[1].range.high > 0.9);
	waste_release(w);

	add_pairs(f, 400, WIRE_SILENT_STORE, 1, 1, 1);
	feed(f, 1);
	waste_compute(w, f->m, LEVEL);
	/* 800^2 / (400 + 300^2 + 100^2) */
	assert_float_equal(w[1].effective, 640000.0 / 100400, 1e-9);
	waste_release(w);
}

/* Instructions that are alike: as if one of those that were seen might differ. */
static void test_alike_places(void **state)
{
	struct fixture *f = *state;
	struct waste_sum w[WASTE_KINDS];

	add_methods(f);
	for (uint8_t i = 0; i < 10; i++)
		add_as_it_came(f, 100, i, 100);
	feed(f, 1);
	waste_compute(w, f->m, LEVEL);
	assert_float_equal(w[1].fraction, 1, 0);
	/* 1000^2 / (0.1 * 10 * 100^2 + 0.9 * 1000) */
	assert_float_equal(w[1].effective, 1e6 / 10900, 1e-6);
	waste_release(w);

	/* within each half of the pairs are wasted: they do not differ either */
	for (uint8_t i = 0; i < 10; i++)
		add_as_it_came(f, 100, i, 0);
	feed(f, 1);
	waste_compute(w, f->m, LEVEL);
	assert_float_equal(w[1].effective, 4e6 / (0.1 * 10 * 40000 + 0.9 * 2000), 1e-6);
	waste_release(w);
}

static int collect(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg)
{
	(void)jvm;
	memcpy(build_record(arg, rec->type, len), rec, len);
	return 0;
}

/* Flushed records give another model the same sums, and only once. */
static void test_flush(void **state)
{
	struct fixture *f = *state;
	struct builder file = BUILDER_INIT;

	add_pairs(f, 3, WIRE_SILENT_LOAD, 5, 6, 1);
	add_pairs(f, 2, WIRE_SILENT_LOAD, 5, 6, 0);
	memcpy(add_pair(f, WIRE_DEAD_STORE, 5, 6, 4, 0)->insn[1], "\x90", 1);
	add_pair(f, WIRE_DEAD_STORE, 5, 6, 4, 0)->part = WIRE_PART_MARK;
	feed(f, 1);
	assert_int_equal(model_flush_counts(f->m, collect, &file), 0);
	struct model *copy = model_new(analyses);
	assert_int_equal(builder_feed(&file, copy, 1), 0);
	assert_int_equal(model_nwastes(copy), 3);
	for (size_t i = 0; i < 3; i++)
		assert_memory_equal(model_waste(copy, i), model_waste(f->m, i),
				    sizeof(struct model_waste));
	assert_int_equal(model_waste(copy, 0)->wasted_bytes, 24);
	assert_int_equal(model_flush_counts(f->m, collect, &file), 0);
	assert_int_equal(file.len, 0);
	model_free(copy);
	builder_release(&file);
}

static void test_bad_records(void **state)
{
	struct fixture *f = *state;

	add_pair(f, 0, 1, 1, 4, 0);
	assert_bad(f);
	add_pair(f, 4, 1, 1, 4, 0);
	assert_bad(f);
	add_pair(f, WIRE_DEAD_STORE, 1, 1, 4, 2);
	assert_bad(f);
	add_pair(f, WIRE_DEAD_STORE, 1, 1, 4, 0)->insn_len[1] = 17;
	assert_bad(f);
	add_pair(f, WIRE_DEAD_STORE, 1, 1, 4, 0)->part = WASTE_PARTS;
	assert_bad(f);
	add_pair(f, WIRE_DEAD_STORE, 1, 1, 4, 0)->left_out = WIRE_LEFT_OUT + 1;
	assert_bad(f);
	struct file_waste *sum = build_record(&f->b, FILE_WASTE, sizeof *sum);
	sum->kind = WIRE_DEAD_STORE;
	sum->count = 1;
	sum->wasted_count = 2;
	assert_bad(f);
	assert_int_equal(model_nwastes(f->m), 0);
}

static void test_instruction(void **state)
{
	static const struct {
		const char *machine, *code;
		uint8_t len;
		const char *text;
	} rows[] = {
		{ "x86_64", "\x89\x48\x08", 3, "mov dword ptr [rax + 8], ecx" },
		{ "x86_64", "\x06", 1, "06" },
		/* AVX-512, and an instruction with a byte too many */
		{ "x86_64", "\x62\xf1\x7e\x48\x7f\x40\x01", 7, "64-byte store to [rax + 0x40]" },
		{ "x86_64", "\x89\x48\x08\x90", 4, "89 48 08 90" },
		{ "x86_64", "", 0, "?" },
		{ "aarch64", "\x83\x04\x40\xf9", 4, "ldr x3, [x4, #8]" },
		{ "aarch64", "\x89\x48\x08", 3, "084889" },
		/* one that this tool does not know */
		{ "riscv64", "\x83\x04\x40\xf9", 4, "83 04 40 f9" },
		{ "?", "\x06", 1, "06" },
	};
	char text[96];

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct waste_pair p = { .machine = rows[i].machine,
					.insn_len = { 0, rows[i].len } };
		memcpy(p.insn[1], rows[i].code, rows[i].len);
		waste_instruction(text, sizeof text, &p, 1);
		assert_string_equal(text, rows[i].text);
	}
}

static void test_events(void **state)
{
	struct analysis_needs needs;
	size_t len;

	(void)state;
	assert_null(analyses_parse(analyses, "replica", &needs, &len));
	assert_true(needs.objects && !needs.watches && needs.pairs == 0);
	assert_null(analyses_parse(analyses, "dead-store,silent-load", &needs, &len));
	assert_false(needs.objects);
	assert_int_equal(needs.pairs, 1u << WIRE_DEAD_STORE | 1u << WIRE_SILENT_LOAD);
	assert_int_equal(needs.flags, 0);
	assert_null(analyses_parse(analyses, "locality,dead-store,numa", &needs, &len));
	assert_false(needs.objects);
	assert_int_equal(needs.flags, WIRE_LOCALITY | WIRE_NUMA);
	static const char *const bad[] = {
		"", "dead", "replica,", "replica,,dead-store", "dead-stores", "replica, dead-store"
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_non_null(analyses_parse(analyses, bad[i], &needs, &len));
	const char *list = "replica,silent";
	assert_ptr_equal(analyses_parse(analyses, list, &needs, &len), list + 8);
	assert_int_equal(len, 6);
}

int unit_waste(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_fraction),
		TEST(test_merged_by_line),
		TEST(test_instruction_later),
		TEST(test_weights),
		TEST(test_as_it_came),
		TEST(test_alike_places),
		TEST(test_lowered_rate),
		TEST(test_headers),
		TEST(test_flush),
		TEST(test_bad_records),
		cmocka_unit_test(test_instruction),
		cmocka_unit_test(test_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_heap_sizes.c - what addresses and contents of dumps made in memory tell: sizes, erasure; and
 * how long tables must be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "dump.h"
#include "heapdump/heap_report.h"
#include "wire/wire_fill.h"

static uint64_t bytes_of(const struct heap_report *r, const char *class)
{
	for (size_t i = 0; i < r->merge.nclasses; i++)
		if (strcmp(r->merge.classes[i].name, class) == 0)
			return r->merge.classes[i].sum.bytes;
	return 0;
}

/* The stack of a virtual thread is in its chunk, which says how many words it has. */
static void stack_chunks(void **state)
{
	const struct dump_field fields[] = { { "size", HPROF_INT },
					     { "sp", HPROF_INT },
					     { NULL, 0 } };
	struct dump d;
	struct heap_report r;
	uint64_t at = 0x1000;

	(void)state;
	dump_begin(&d, "JAVA PROFILE 1.0.2", 8);
	dump_string(&d, "size");
	dump_string(&d, "sp");
	dump_name(&d, 0x10, "jdk/internal/vm/StackChunk");
	dump_open(&d, 0x1c);
	dump_class(&d, 0x10, 0, fields, NULL, 0);
	for (unsigned i = 0; i < 100; i++) {
		unsigned char body[8] = { 0 };
		dump_number(body, 33, 4);
		dump_instance(&d, at, 0x10, body, 8);
		/* a header of 12, 8 of fields, 28 that the VM adds; 33 words, 66 bits */
		at += 48 + 33 * 8 + 2 * 8;
	}
	dump_primitives(&d, at, HPROF_BYTE, NULL, 0, 1);
	dump_close(&d);
	dump_end(&d);
	assert_int_equal(heap_report_memory(&r, d.data, d.len, 0, true), 0);
	assert_int_equal(bytes_of(&r, "jdk.internal.vm.StackChunk"), at - 0x1000);
	assert_int_equal(r.merge.total.freed, 0);
	heap_report_release(&r);
	dump_release(&d);
}

/* Sizes of arrays whose addresses are `step` bytes apart, from `first` on. */
static uint64_t bytes_at(uint64_t first, uint64_t step, uint32_t elements, struct heap_layout *l)
{
	unsigned char body[256] = { 0 };
	struct dump d;
	struct heap_report r;

	dump_begin(&d, "JAVA PROFILE 1.0.2", 8);
	dump_open(&d, 0x1c);
	for (unsigned i = 0; i < 100; i++)
		dump_primitives(&d, first + i * step, HPROF_BYTE, body, elements, 1);
	dump_close(&d);
	dump_end(&d);
	assert_int_equal(heap_report_memory(&r, d.data, d.len, 0, true), 0);
	uint64_t bytes = bytes_of(&r, "byte[]");
	*l = r.heap.layout;
	heap_report_release(&r);
	dump_release(&d);
	return bytes;
}

static void alignment(void **state)
{
	struct heap_layout l;

	(void)state;
	/* 12 to 24 and 60 bytes: 72 to 88, at multiples of 32 96 */
	assert_int_equal(bytes_at(0x1020, 96, 60, &l), 100 * 96);
	assert_int_equal(l.alignment, 32);
	assert_int_equal(bytes_at(0x1000, 120, 100, &l), 100 * 120);
	assert_int_equal(l.alignment, 8);
	/* numbered in steps that are longer than any object */
	assert_int_equal(bytes_at(0x1000, 256, 8, &l), 100 * 24);
	assert_int_equal(l.alignment, 8);
	assert_false(l.guessed);
	/* numbers that are no addresses */
	assert_int_equal(bytes_at(1, 1, 100, &l), 100 * 120);
	assert_true(l.guessed);
}

/* A dump of arrays whose contents begin with `text`; of the last one, `odd` is the first byte. */
static void make_arrays(struct heap_report *r, const char *text, char odd)
{
	struct dump d;
	char body[64];

	dump_begin(&d, "JAVA PROFILE 1.0.2", 8);
	dump_open(&d, 0x1c);
	for (uint32_t i = 0; i < 40; i++) {
		for (size_t k = 0; k < sizeof body; k++)
			body[k] = text[k % 3];
		body[0] = i == 39 ? odd : body[0];
		dump_primitives(&d, 0x1000 + 128 * (uint64_t)i, HPROF_BYTE, body, 8 + i % 20, 1);
	}
	dump_close(&d);
	dump_end(&d);
	assert_int_equal(heap_report_memory(r, d.data, d.len, 0, true), 0);
	dump_release(&d);
}

static void erased(void **state)
{
	static const char *const texts[] = { "\0\0\0", "***", "abc" };
	char room[HEAP_NOTE];
	struct heap_report r;

	(void)state;
	for (int i = 0; i < 3; i++) {
		make_arrays(&r, texts[i], texts[i][0]);
		assert_true(r.heap.erased);
		assert_non_null(strstr(heap_report_note(&r, 0, room), "are erased"));
		assert_int_equal(r.merge.total.distinct, 40);
		assert_int_equal(r.findings.item[HEAP_WASTEFUL].table[0].all, 0);
		heap_report_release(&r);
		make_arrays(&r, texts[i], 'x');
		assert_false(r.heap.erased);
		assert_null(heap_report_note(&r, 0, room));
		/* arrays of zeroes wait for their contents, and are no copies */
		assert_int_equal(r.merge.total.distinct, i == 0 ? 40 : 21);
		heap_report_release(&r);
	}
}

/*
 * Tables as HashMap and IdentityHashMap make them: they grow if more than 3/4 of the places would
 * be used, or more than 2/3 of half of them.
 */
static void places(void **state)
{
	(void)state;
	for (int n = 0; n <= 5000; n++) {
		int hash = 1, identity = 8;
		while (4 * n > 3 * hash)
			hash *= 2;
		while (3 * n > identity)
			identity *= 2;
		assert_float_equal(wire_fill_places(WIRE_FILL_HASH, n), hash, 0);
		assert_float_equal(wire_fill_places(WIRE_FILL_IDENTITY, n), identity, 0);
		assert_float_equal(wire_fill_places(WIRE_FILL_LIST, n), n, 0);
	}
}

int unit_heap_sizes(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stack_chunks),
		cmocka_unit_test(alignment),
		cmocka_unit_test(erased),
		cmocka_unit_test(places),
	};
	return cmocka_run_group_tests_name("heap_sizes", tests, NULL, NULL);
}

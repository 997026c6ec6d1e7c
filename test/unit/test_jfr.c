/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jfr.c - the bytes of a recording of JDK Flight Recorder: numbers and texts, names of
 * classes, constants, and how the parts of a chunk fit together. test/t_export.sh has the JDK read
 * them.
 */
#define _GNU_SOURCE /* memmem */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "render/jfr/jfr_put.h"
#include "render/jfr/jfr_tables.h"
#include "render/renderers.h"
#include "report_fixture.h"

static void assert_bytes(const struct bytes *b, const void *want, size_t len)
{
	assert_int_equal(b->len, len);
	assert_memory_equal(b->data, want, len);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The ninth byte of a number has eight bits. */
static void test_numbers(void **state)
{
	static const struct {
		uint64_t value;
		const char *bytes;
		size_t len;
	} cases[] = {
		{ 0, "\x00", 1 },
		{ 127, "\x7f", 1 },
		{ 128, "\x80\x01", 2 },
		{ 0x3fff, "\xff\x7f", 2 },
		{ 0x4000, "\x80\x80\x01", 3 },
		{ (1ull << 56) - 1, "\xff\xff\xff\xff\xff\xff\xff\x7f", 8 },
		{ 1ull << 56, "\x80\x80\x80\x80\x80\x80\x80\x80\x01", 9 },
		{ UINT64_MAX, "\xff\xff\xff\xff\xff\xff\xff\xff\xff", 9 },
		{ 1ull << 63, "\x80\x80\x80\x80\x80\x80\x80\x80\x80", 9 },
	};
	struct bytes b = BYTES_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		bytes_clear(&b);
		jfr_put_number(&b, cases[i].value);
		assert_bytes(&b, cases[i].bytes, cases[i].len);
		assert_int_equal(jfr_number_length(cases[i].value), cases[i].len);
	}
	bytes_clear(&b);
	jfr_put_fixed(&b, 0x1234, 4);
	jfr_put_float(&b, 1);
	jfr_put_double(&b, -2);
	assert_bytes(&b, "\x00\x00\x12\x34\x3f\x80\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x00", 16);
	bytes_release(&b);
}

enum { LONG_TEXT = 1 << 20 };

static void test_texts(void **state)
{
	struct bytes b = BYTES_INIT;
	char *text = malloc(LONG_TEXT + 1);

	(void)state;
	assert_non_null(text);
	jfr_put_text(&b, "");
	assert_bytes(&b, "\x03\x00", 2);
	bytes_clear(&b);
	jfr_put_text(&b, "S\xc3\xb1\x1b\xff");
	assert_bytes(&b, "\x03\x09S\xc3\xb1\xef\xbf\xbd\xef\xbf\xbd", 11);
	bytes_clear(&b);
	jfr_put_pooled(&b, 0);
	jfr_put_pooled(&b, 200);
	assert_bytes(&b, "\x00\x02\xc8\x01", 4);
	memset(text, 'x', LONG_TEXT);
	text[LONG_TEXT] = '\0';
	bytes_clear(&b);
	jfr_put_text(&b, text);
	assert_int_equal(b.len, 1 + 3 + LONG_TEXT);
	assert_memory_equal(b.data, "\x03\x80\x80\x40xxx", 7);
	free(text);
	bytes_release(&b);
}

/* ---- constants ------------------------------------------------------------------------------- */

/* The first name in the pool of names is that of the class. */
static void assert_class(const char *java, const char *jvm)
{
	struct jfr_pools p = { .room = 0 };
	const struct bytes *names = &p.pool[JFR_POOL_SYMBOLS].constants;
	char want[256];

	assert_int_equal(jfr_pools_class(&p, java), 1);
	assert_int_equal(jfr_pools_class(&p, java), 1);
	int len = snprintf(want, sizeof want, "%c\x03%c%s", 1, (int)strlen(jvm), jvm);
	assert_true((size_t)len <= names->len);
	assert_memory_equal(names->data, want, (size_t)len);
	jfr_pools_release(&p);
}

static void test_classes(void **state)
{
	struct jfr_pools p = { .room = 0 };

	(void)state;
	assert_class("com.acme.Shop$Item", "com/acme/Shop$Item");
	assert_class("Shop", "Shop");
	assert_class("byte[]", "[B");
	assert_class("boolean[][]", "[[Z");
	assert_class("long[]", "[J");
	assert_class("com.acme.Shop[][]", "[[Lcom/acme/Shop;");
	assert_class("longer[]", "[Llonger;");
	assert_class("com.acme.Se\xc3\xb1or", "com/acme/Se\xc3\xb1or");
	/* these are no names, and a reader could stumble over them */
	assert_class("", "");
	assert_class("[]", "_]");
	assert_class("[I;", "_I_");
	assert_int_equal(jfr_pools_class(&p, NULL), 0);
	assert_int_equal(jfr_pools_text(&p, NULL), 0);
	jfr_pools_release(&p);
}

static void test_packages(void **state)
{
	struct jfr_pools p = { .room = 0 };

	(void)state;
	jfr_pools_class(&p, "com.acme.Shop");
	jfr_pools_class(&p, "com.acme.Item");
	jfr_pools_class(&p, "com.acme.Item[]");
	jfr_pools_class(&p, "Item");
	assert_int_equal(p.pool[JFR_POOL_PACKAGES].numbers.n, 1);
	assert_int_equal(p.pool[JFR_POOL_CLASSES].numbers.n, 4);
	jfr_pools_release(&p);
}

static void test_stacks(void **state)
{
	struct model_frame frames[] = {
		{ .class_name = "java.util.ArrayList", .method = "grow", .line = 10, .bci = 3 },
		{ .folded = 2 },
		{ .class_name = "com.acme.Shop", .method = "load", .line = 0, .bci = -1 },
		{ .class_name = NULL, .method = NULL, .line = 7, .bci = 0 },
	};
	const struct callstack stack = { .frames = frames, .n = 4 };
	struct jfr_pools p = { .room = 0 };
	const struct bytes *all = &p.pool[JFR_POOL_STACKS].constants;

	(void)state;
	assert_int_equal(jfr_pools_stack(&p, &stack, 0, 0, true), 0);
	assert_int_equal(jfr_pools_stack(&p, &stack, 4, 9, false), 0);
	assert_int_equal(all->len, 0);
	assert_int_equal(jfr_pools_stack(&p, &stack, 0, 9, true), 1);
	/* number, cut, frames; of each the method, line, index of bytecode, kind */
	assert_bytes(all,
		     "\x01\x01\x04"
		     "\x01\x0a\x03\x01"
		     "\x02\xff\xff\xff\xff\x0f\xff\xff\xff\xff\x0f\x01"
		     "\x03\xff\xff\xff\xff\x0f\xff\xff\xff\xff\x0f\x01"
		     "\x04\x07\x00\x01",
		     35);
	assert_int_equal(jfr_pools_stack(&p, &stack, 0, 4, true), 1);
	assert_int_equal(jfr_pools_stack(&p, &stack, 0, 4, false), 2);
	assert_int_equal(jfr_pools_stack(&p, &stack, 0, 1, false), 3);
	frames[0].line = 11;
	assert_int_equal(jfr_pools_stack(&p, &stack, 0, 1, false), 4);
	assert_int_equal(p.pool[JFR_POOL_METHODS].numbers.n, 4);
	jfr_pools_release(&p);
}

/* ---- figures --------------------------------------------------------------------------------- */

static double seconds(const void *of)
{
	return *(const double *)of;
}

/* What is not known, or has no end, is no number. */
static void test_figures(void **state)
{
	const struct figure time = { .name = "p90_s", .kind = FIGURE_NUMBER, .value = seconds };
	const struct figure share = {
		.name = "share", .unit = "share", .kind = FIGURE_NUMBER, .value = seconds
	};
	const double cases[] = { 0.25, NAN, INFINITY, 1e30 };
	static const char nothing[] = "\x80\x80\x80\x80\x80\x80\x80\x80\x80";
	struct jfr_chunk c;

	(void)state;
	jfr_chunk_init(&c, 0, 0);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		bytes_clear(&c.event);
		jfr_figure_values(&c, &time, &cases[i], 0, 0);
		assert_bytes(&c.event, i == 0 ? "\x80\xe5\x9a\x77" : nothing, i == 0 ? 4 : 9);
	}
	bytes_clear(&c.event);
	jfr_figure_values(&c, &share, &cases[0], 0, 0);
	jfr_figure_values(&c, &share, &cases[2], 0, 0);
	assert_bytes(&c.event, "\x3e\x80\x00\x00\x7f\xc0\x00\x00", 8);
	jfr_chunk_release(&c);
}

/* A type of events has the fields of a table, whatever the kind of the finding. */
static void test_kinds_agree(void **state)
{
	(void)state;
	for (int i = 0; analyses[i]; i++) {
		const struct finding_kind *const *kinds = analyses[i]->kinds;
		for (int k = 0; kinds && kinds[k]; k++) {
			assert_ptr_equal(kinds[k]->figures, kinds[0]->figures);
			for (int t = 0; t <= FINDING_TABLES; t++) {
				const struct finding_table_kind *a = kinds[k]->tables[t],
								*b = kinds[0]->tables[t];
				assert_int_equal(!a, !b);
				if (!a)
					break;
				assert_ptr_equal(a->figures, b->figures);
			}
		}
	}
}

/* ---- the chunk ------------------------------------------------------------------------------- */

static uint64_t fixed(const unsigned char *at, size_t size)
{
	uint64_t value = 0;

	for (size_t i = 0; i < size; i++)
		value = value << 8 | at[i];
	return value;
}

static uint64_t number(const unsigned char **at)
{
	uint64_t value = 0;

	for (unsigned shift = 0;; shift += 7) {
		unsigned char c = *(*at)++;
		value |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80)
			return value;
	}
}

/*
 * Checks that events follow each other from the header to the end, with the types and the constants
 * where the header says. Returns the number of the others.
 */
static size_t walk(const unsigned char *data, size_t len)
{
	const unsigned char *at = data + 68;
	size_t n = 0, metadata = 0, pools = 0;

	assert_true(len > 68);
	assert_memory_equal(data, "FLR\0\0\2\0\1", 8);
	assert_int_equal(fixed(data + 8, 8), len);
	assert_int_equal(fixed(data + 64, 4), 3);
	while (at < data + len) {
		const unsigned char *start = at;
		size_t size = number(&at), type = number(&at);
		assert_true(size >= 3 && size <= (size_t)(data + len - start));
		if (type == 0)
			metadata = (size_t)(start - data);
		else if (type == 1)
			pools = (size_t)(start - data);
		else
			n++;
		at = start + size;
	}
	assert_ptr_equal(at, data + len);
	assert_int_equal(fixed(data + 24, 8), metadata);
	assert_int_equal(fixed(data + 16, 8), pools);
	assert_int_not_equal(metadata, 0);
	assert_int_not_equal(pools, 0);
	return n;
}

static bool has(const char *data, size_t len, const char *text)
{
	return memmem(data, len, text, strlen(text)) != NULL;
}

static void test_chunk(void **state)
{
	struct report_fixture f;
	char *data = NULL;
	size_t len;

	(void)state;
	report_fixture_init(&f);
	f.recording.start_unix_ns = 1700000000000000000;
	f.recording.duration_s = 2.5;
	FILE *out = open_memstream(&data, &len);
	assert_non_null(out);
	assert_int_equal(renderer_find("jfr")->data(out, &f.report), 0);
	assert_int_equal(fclose(out), 0);
	size_t used = rows_at(&f.rows, 0)->replica.details->naccesses;
	/* the recording, a row and a sample of each, and the uses of the first */
	assert_int_equal(walk((unsigned char *)data, len), 1 + 2 * FIXTURE_ROWS + used);
	assert_int_equal(fixed((unsigned char *)data + 32, 8), 1700000000000000000);
	assert_int_equal(fixed((unsigned char *)data + 40, 8), 2500000000);
	assert_true(has(data, len, "jdk.ObjectAllocationSample"));
	assert_true(has(data, len, "ojx.AllocationAccesses"));
	assert_true(has(data, len, "com/acme/Se\xc3\xb1or"));
	assert_true(has(data, len, "[recursion of 2 frames]"));
	assert_false(has(data, len, "ojx.Finding"));
	free(data);
	report_fixture_release(&f);
}

/* Without rows there are the recording and its types. */
static void test_empty(void **state)
{
	struct report_fixture f;
	char *data = NULL;
	size_t len;

	(void)state;
	report_fixture_init(&f);
	f.report.shown = 0;
	FILE *out = open_memstream(&data, &len);
	assert_non_null(out);
	assert_int_equal(renderer_find("jfr")->data(out, &f.report), 0);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(walk((unsigned char *)data, len), 1);
	assert_false(has(data, len, "ojx.Allocation"));
	free(data);
	report_fixture_release(&f);
}

/* The size of an event is part of it: one more byte of it can make the size longer. */
static void test_sizes(void **state)
{
	const struct jfr_type like = { .prefix = "ojx", .words = { "x" }, .category = { "ojx" } };

	(void)state;
	for (size_t n = 110; n < 140; n++) {
		struct jfr_chunk c;
		char *data = NULL;
		size_t len;
		jfr_chunk_init(&c, 0, 0);
		struct jfr_type *type = jfr_types_add(&c.types, &like);
		jfr_begin(&c, type, 0);
		for (size_t i = 0; i < n; i++)
			jfr_add_bool(&c, true);
		jfr_end(&c);
		FILE *out = open_memstream(&data, &len);
		assert_non_null(out);
		assert_int_equal(jfr_chunk_write(&c, out), 0);
		assert_int_equal(fclose(out), 0);
		assert_int_equal(walk((unsigned char *)data, len), 1);
		free(data);
		jfr_chunk_release(&c);
	}
}

static void test_full_disk(void **state)
{
	struct report_fixture f;
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	if (!out)
		skip();
	report_fixture_init(&f);
	setbuf(out, NULL);
	assert_int_equal(renderer_find("jfr")->data(out, &f.report), -1);
	fclose(out);
	report_fixture_release(&f);
}

int unit_jfr(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),	    cmocka_unit_test(test_texts),
		cmocka_unit_test(test_classes),	    cmocka_unit_test(test_packages),
		cmocka_unit_test(test_stacks),	    cmocka_unit_test(test_figures),
		cmocka_unit_test(test_kinds_agree), cmocka_unit_test(test_chunk),
		cmocka_unit_test(test_empty),	    cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

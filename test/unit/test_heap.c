/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_heap.c - heap dumps made in memory: what is read of them, which objects are equal, what is
 * said of damaged ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dump.h"
#include "heapdump/heap_figures.h"
#include "heapdump/heap_report.h"
#include "heapdump/owners.h"

static const struct merge_sum *sum_of(const struct heap_report *r, const char *class)
{
	for (size_t i = 0; i < r->merge.nclasses; i++)
		if (strcmp(r->merge.classes[i].name, class) == 0)
			return &r->merge.classes[i].sum;
	fail_msg("there is no class %s", class);
	return NULL;
}

/* Three groups of objects: two alike and one that differs, with a ring that does not. */
static void check_sample(unsigned id)
{
	static const char *const arrays[] = { "boolean[]", "char[]",  "float[]", "double[]",
					      "byte[]",	   "short[]", "int[]",	 "long[]" };
	struct dump d;
	struct heap_report r;

	dump_sample(&d, id, 1);
	assert_int_equal(heap_report_memory(&r, d.data, d.len, 0, true), 0);
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(sum_of(&r, arrays[i])->objects, 3);
		assert_int_equal(sum_of(&r, arrays[i])->distinct, 2);
		assert_int_equal(sum_of(&r, arrays[i])->distinct_shallow, 2);
		assert_int_equal(sum_of(&r, arrays[i])->largest, 2);
	}
	assert_int_equal(sum_of(&r, "com.acme.Mixed")->distinct, 2);
	assert_int_equal(sum_of(&r, "com.acme.Mixed")->distinct_shallow, 3);
	assert_int_equal(sum_of(&r, "com.acme.Link")->objects, 6);
	assert_int_equal(sum_of(&r, "com.acme.Link")->distinct, 1);
	assert_int_equal(sum_of(&r, "java.lang.Object[]")->distinct, 2);
	assert_int_equal(sum_of(&r, "java.lang.String")->distinct, 2);
	assert_int_equal(sum_of(&r, "java.lang.Object")->distinct, 3);
	assert_int_equal(sum_of(&r, "java.lang.Class")->distinct, 5);
	assert_int_equal(r.merge.total.objects, 8 * 3 + 6 * 3 + 5);
	/* the links, and arrays that have one */
	assert_int_equal(r.merge.partition.cyclic, 3);
	assert_int_equal(r.heap.dangling, 0);
	heap_report_release(&r);
	dump_release(&d);
}

static void sample(void **state)
{
	(void)state;
	check_sample(4);
	check_sample(8);
}

/* The holders of the sample: nothing has the arrays of links, so they belong to no field. */
static void holders(void **state)
{
	struct dump d;
	struct heap_report r;
	char room[FIGURE_TEXT_MAX];
	bool seen = false;

	(void)state;
	dump_sample(&d, 8, 9);
	assert_int_equal(heap_report_memory(&r, d.data, d.len, 0, true), 0);
	const struct finding_table *t = &r.findings.item[HEAP_EQUAL].table[1];
	for (size_t i = 0; i < t->all; i++) {
		const struct finding_row *row = finding_row(t, i);
		const char *holder = NULL;
		for (const struct figure *f = t->kind->figures; f->name; f++)
			if (strcmp(f->name, "holder") == 0)
				holder = f->text(row, room);
		/* ten arrays are equal, of which the first keeps its own link; the links are all
		 * equal */
		if (strcmp(holder, "(no field or root that the dump has)") == 0 &&
		    strcmp(row->class_name, "com.acme.Link") == 0) {
			seen = true;
			assert_int_equal(row->count, 2);
		}
	}
	assert_true(seen);
	heap_report_release(&r);
	dump_release(&d);
}

static void transparent(void **state)
{
	static const char *const yes[] = {
		"java.util.HashMap",
		"java.util.HashMap$Node",
		"java.util.ReverseOrderListView",
		"java.lang.ref.SoftReference",
		"scala.Some",
		"scala.Tuple2",
		"scala.collection.immutable.$colon$colon",
		"kotlin.Pair",
		"com.google.common.collect.RegularImmutableList",
	};
	static const char *const no[] = {
		"java.util.HashMapLike", "java.util.Locale", "java.util.UUID",
		"java.lang.String",	 "scala.Symbol",     "com.acme.HashMap",
		"kotlin.PairOfThings",
	};

	(void)state;
	for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++)
		assert_true(transparent_class(yes[i]));
	for (size_t i = 0; i < sizeof no / sizeof no[0]; i++)
		assert_false(transparent_class(no[i]));
}

static void assert_error(const void *data, size_t len, const char *want)
{
	struct heap_report r;

	assert_int_equal(heap_report_memory(&r, data, len, 0, false), -1);
	if (!strstr(r.error, want))
		fail_msg("'%s' is no '%s'", r.error, want);
	heap_report_release(&r);
}

/* Of a dump that is cut at any byte, what is complete is read. */
static void cut(void **state)
{
	struct dump d;
	struct heap_report r;
	uint32_t before = 0;

	(void)state;
	dump_sample(&d, 8, 1);
	for (size_t len = 0; len < d.len; len++) {
		unsigned char *part = malloc(len + 1);
		assert_non_null(part);
		memcpy(part, d.data, len);
		if (heap_report_memory(&r, part, len, 0, true) < 0) {
			assert_true(r.error[0]);
			assert_int_equal(before, 0);
		} else {
			assert_true(r.dump.cut[0]);
			assert_true(r.heap.n == before || r.heap.n == before + 1);
			before = r.heap.n;
		}
		heap_report_release(&r);
		free(part);
	}
	/* without the record of its end nothing is missing here */
	assert_int_equal(before, 8 * 3 + 6 * 3 + 5);
	dump_release(&d);
}

/* What a JVM leaves that is killed: a record whose length was never filled in; and zeroes. */
static void never_filled_in(void **state)
{
	struct dump d;
	struct heap_report r;

	(void)state;
	dump_begin(&d, "JAVA PROFILE 1.0.1", 8);
	dump_name(&d, 0x10, "com/acme/Empty");
	dump_open(&d, 0x0c);
	dump_class(&d, 0x10, 0, NULL, NULL, 0);
	for (uint64_t i = 0; i < 3; i++)
		dump_instance(&d, 0x1000 + 16 * i, 0x10, NULL, 0);
	assert_int_equal(heap_report_memory(&r, d.data, d.len, 0, true), 0);
	assert_non_null(strstr(r.dump.cut, "whose length was never written"));
	assert_int_equal(sum_of(&r, "com.acme.Empty")->objects, 3);
	heap_report_release(&r);
	for (int i = 0; i < 100; i++)
		dump_put(&d, 0, 8);
	assert_int_equal(heap_report_memory(&r, d.data, d.len, 0, true), 0);
	assert_int_equal(sum_of(&r, "com.acme.Empty")->objects, 3);
	heap_report_release(&r);
	dump_close(&d);
	assert_int_equal(heap_report_memory(&r, d.data, d.len, 0, true), 0);
	assert_non_null(strstr(r.dump.cut, "only zeroes"));
	assert_int_equal(sum_of(&r, "com.acme.Empty")->objects, 3);
	heap_report_release(&r);
	dump_release(&d);
}

/* If the class of an object is behind the cut, the object is left out. */
static void class_behind_cut(void **state)
{
	struct dump d;
	struct heap_report r;

	(void)state;
	dump_begin(&d, "JAVA PROFILE 1.0.2", 8);
	dump_name(&d, 0x10, "com/acme/Early");
	dump_name(&d, 0x20, "com/acme/Late");
	dump_open(&d, 0x1c);
	dump_class(&d, 0x10, 0, NULL, NULL, 0);
	dump_instance(&d, 0x1000, 0x20, NULL, 0);
	dump_instance(&d, 0x1010, 0x10, NULL, 0);
	dump_class(&d, 0x20, 0x10, NULL, NULL, 0);
	dump_close(&d);
	assert_int_equal(heap_report_memory(&r, d.data, d.len - 1, 0, true), 0);
	assert_int_equal(r.heap.unknown, 1);
	assert_int_equal(sum_of(&r, "com.acme.Early")->objects, 1);
	heap_report_release(&r);
	dump_release(&d);
}

/* Borders of segments may be within parts. */
static void segments_cut_parts(void **state)
{
	struct dump d, other;
	struct heap_report want, r;

	(void)state;
	dump_sample(&d, 8, 1);
	assert_int_equal(heap_report_memory(&want, d.data, d.len, 0, true), 0);
	for (uint32_t bytes = 1; bytes < 300; bytes++) {
		dump_cut_segments(&other, &d, bytes);
		assert_int_equal(heap_report_memory(&r, other.data, other.len, 0, true), 0);
		assert_string_equal(r.dump.cut, "");
		assert_int_equal(r.heap.n, want.heap.n);
		assert_memory_equal(&r.merge.total, &want.merge.total, sizeof r.merge.total);
		heap_report_release(&r);
		/* and cut, too: none of the objects before is lost */
		if (heap_report_memory(&r, other.data, other.len * 3 / 4, 0, true) < 0)
			fail_msg("%u: %s", bytes, r.error);
		assert_true(r.dump.cut[0]);
		heap_report_release(&r);
		dump_release(&other);
	}
	heap_report_release(&want);
	dump_release(&d);
}

/* Two dumps in one file are two moments. */
static void moments(void **state)
{
	struct dump d;
	struct heap_report r;

	(void)state;
	dump_begin(&d, "JAVA PROFILE 1.0.1", 8);
	dump_name(&d, 0x10, "com/acme/Empty");
	for (uint64_t moment = 1; moment <= 2; moment++) {
		dump_open(&d, 0x0c);
		dump_class(&d, 0x10, 0, NULL, NULL, 0);
		for (uint64_t i = 0; i < 3 * moment; i++)
			dump_instance(&d, 0x1000 + 16 * i, 0x10, NULL, 0);
		dump_close(&d);
	}
	for (unsigned wanted = 0; wanted <= 3; wanted++) {
		int result = heap_report_memory(&r, d.data, d.len, wanted, true);
		assert_int_equal(result, wanted == 3 ? -1 : 0);
		if (result < 0) {
			assert_string_equal(r.error, "there is no dump 3 in it, but 2");
		} else {
			assert_int_equal(sum_of(&r, "com.acme.Empty")->objects,
					 wanted == 1 ? 3 : 6);
			assert_int_equal(r.dump.dump, wanted == 1 ? 1 : 2);
			assert_int_equal(r.heap.twice, 0);
		}
		heap_report_release(&r);
	}
	dump_release(&d);
}

/* Damaged in any way, a dump is read or refused in a line. */
static void damaged(void **state)
{
	struct dump d;
	struct heap_report r;

	(void)state;
	dump_sample(&d, 8, 1);
	for (size_t i = 0; i < d.len; i++) {
		for (unsigned change = 1; change < 256; change *= 7) {
			const struct heap_retained_options all = { true, true };
			d.data[i] ^= (unsigned char)change;
			if (heap_report_memory(&r, d.data, d.len, 0, true) < 0)
				assert_true(r.error[0]);
			else
				heap_report_add_retained(&r, &all, NULL);
			heap_report_release(&r);
			d.data[i] ^= (unsigned char)change;
		}
	}
	dump_release(&d);
}

static void foreign(void **state)
{
	struct dump d;

	(void)state;
	assert_error("", 0, "it is empty");
	assert_error("\x80\0 something else", 17, "it is no heap dump");
	assert_error("PK\3\4 a zip file, say", 20,
		     "it is packed by zip: 'unzip -p FILE | ojx heap -'");
	assert_error("BZh91AY&SY", 10, "it is packed by bzip2: 'bzip2 -dc");
	assert_error("\xfd"
		     "7zXZ",
		     6, "it is packed by xz: 'xz -dc");
	assert_error("\x28\xb5\x2f\xfd zstd", 9, "it is packed by zstd: 'zstd -dc");
	assert_error("\0\x12portable heap dump", 20, "OpenJ9 (PHD)");
	assert_error("FLR\0\0\2", 6, "a recording of JFR");
	assert_error("JAVA PROFILE 1.0.1, created Mon", 31, "its option 'format=b'");
	assert_error("\x7f"
		     "ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0",
		     18, "it is a core file: 'jhsdb");
	assert_error("\x7f"
		     "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0",
		     18, "it is a program");
	dump_begin(&d, "JAVA PROFILE 1.0.3", 8);
	assert_error(d.data, d.len, "hprof-conv");
	dump_release(&d);
	dump_begin(&d, "JAVA PROFILE 1.0.2", 3);
	assert_error(d.data, d.len, "neither 4 nor 8");
	dump_release(&d);
	dump_begin(&d, "JAVA PROFILE 1.0.2", 8);
	assert_error(d.data, d.len, "there are no objects");
	dump_open(&d, 0x1c); /* one whose class is behind the cut */
	dump_instance(&d, 0x1000, 0x2000, "\0\0\0\0\0\0\0", 8);
	dump_close(&d);
	assert_error(d.data, d.len, "there are no objects in it: the file ends");
	dump_release(&d);
	dump_begin(&d, "JAVA PROFILE 1.0.2", 8);
	dump_open(&d, 0x0c);
	dump_put(&d, 0xfe, 1);
	dump_close(&d);
	assert_error(d.data, d.len, "a dump of Android");
	dump_release(&d);
	dump_begin(&d, "JAVA PROFILE 1.0.2", 8);
	dump_open(&d, 0x0c);
	dump_put(&d, 0x77, 1);
	dump_close(&d);
	assert_error(d.data, d.len, "unknown tag 0x77 at byte 40");
	dump_release(&d);
	/* two thousand million elements */
	dump_begin(&d, "JAVA PROFILE 1.0.2", 8);
	dump_open(&d, 0x0c);
	dump_primitives(&d, 0x1000, HPROF_LONG, NULL, 0, 8);
	dump_number(d.data + d.len - 5, 0x7fffffff, 4);
	dump_close(&d);
	assert_error(d.data, d.len, "longer than the file");
	dump_release(&d);
	/* an object of a class that is nowhere */
	dump_begin(&d, "JAVA PROFILE 1.0.2", 8);
	dump_open(&d, 0x0c);
	dump_instance(&d, 0x1000, 0x10, NULL, 0);
	dump_close(&d);
	assert_error(d.data, d.len, "the class of an object is missing at byte 40");
	dump_release(&d);
	/* a class that inherits from itself */
	dump_begin(&d, "JAVA PROFILE 1.0.2", 8);
	dump_name(&d, 0x10, "com/acme/Loop");
	dump_open(&d, 0x0c);
	dump_class(&d, 0x10, 0x10, NULL, NULL, 0);
	dump_instance(&d, 0x1000, 0x10, NULL, 0);
	dump_close(&d);
	assert_error(d.data, d.len, "superclasses");
	dump_release(&d);
}

/* The address of what is referenced and not there is a value; what is there twice counts once. */
static void strange(void **state)
{
	const struct dump_field fields[] = { { "next", HPROF_OBJECT }, { NULL, 0 } };
	const unsigned char nowhere[8] = { 9, 9 }, elsewhere[8] = { 8 }, nothing[8] = { 0 };
	const unsigned char *const next[] = { nowhere, elsewhere, nothing, nothing,
					      nowhere, nothing,	  nothing };
	struct dump d;
	struct heap_report r;

	(void)state;
	dump_begin(&d, "JAVA PROFILE 1.0.2", 8);
	dump_string(&d, "next");
	dump_name(&d, 0x10, "com/acme/Link");
	dump_open(&d, 0x0c);
	for (uint64_t i = 0; i < sizeof next / sizeof next[0]; i++)
		dump_instance(&d, 0x1000 + 16 * i, 0x10, next[i], 8);
	dump_instance(&d, 0x1040, 0x10, nothing, 8);
	dump_root(&d, 0x07, 0x1030, 0);		  /* locked */
	dump_class(&d, 0x10, 0, fields, NULL, 0); /* classes may come last */
	dump_close(&d);
	assert_int_equal(heap_report_memory(&r, d.data, d.len, 0, false), 0);
	assert_int_equal(r.heap.dangling, 3);
	assert_int_equal(r.heap.twice, 1);
	assert_int_equal(sum_of(&r, "com.acme.Link")->objects, 7);
	assert_int_equal(sum_of(&r, "com.acme.Link")->distinct, 4);
	assert_int_equal(sum_of(&r, "com.acme.Link")->largest, 3);
	heap_report_release(&r);
	dump_release(&d);
}

/* A class of arrays has no fields, so it may inherit from itself: its arrays have no values. */
static void array_loop(void **state)
{
	struct dump d;
	struct heap_report r;
	char room[FIGURE_TEXT_MAX];

	(void)state;
	dump_begin(&d, "JAVA PROFILE 1.0.2", 8);
	dump_name(&d, 0x10, "[Ljava/lang/Object;");
	dump_open(&d, 0x0c);
	dump_class(&d, 0x10, 0x10, NULL, NULL, 0);
	dump_objects(&d, 0x1000, 0x10, NULL, 0);
	dump_objects(&d, 0x1010, 0x10, NULL, 0);
	dump_close(&d);
	assert_int_equal(heap_report_memory(&r, d.data, d.len, 0, true), 0);
	for (uint32_t x = 0; x < r.heap.n; x++)
		assert_null(heap_value(&r.heap, x, room, sizeof room));
	heap_report_release(&r);
	dump_release(&d);
}

int unit_heap(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sample),
		cmocka_unit_test(holders),
		cmocka_unit_test(transparent),
		cmocka_unit_test(damaged),
		cmocka_unit_test(cut),
		cmocka_unit_test(never_filled_in),
		cmocka_unit_test(class_behind_cut),
		cmocka_unit_test(segments_cut_parts),
		cmocka_unit_test(moments),
		cmocka_unit_test(foreign),
		cmocka_unit_test(strange),
		cmocka_unit_test(array_loop),
	};
	return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model: definitions, stacks and the facts of the recording. test_model_evidence.c tests counts
 * and evidence, test_model_bad.c invalid records.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_fixture.h"

/* ---- classes and contexts -------------------------------------------------------------- */

static void test_class(void **state)
{
	static const struct build_field fields[] = {
		{ "count", "Lcom/acme/Base;", 'I', 12 },
		{ "total", NULL, 'J', 16 },
		{ "name", NULL, 'L', 24 },
		{ "other", NULL, '[', 28 },
	};
	static const char *const types[] = { NULL, NULL, "Ljava/lang/String;", NULL };
	struct fixture *f = *state;

	build_typed_class(&f->b, 5, "Lcom/acme/Foo$Bar;", fields, 4, types);
	build_class(&f->b, 6, "[[J", NULL, 0);
	build_context(&f->b, 1, 5, 9);
	build_context(&f->b, 2, 6, 9);
	feed(f, 1);

	const struct model_class *c = context_of(f, 1, 1)->class;
	assert_int_equal(c->id, 5);
	assert_string_equal(c->name, "com.acme.Foo$Bar");
	assert_false(c->is_array);
	assert_int_equal(c->nfields, 4);
	assert_string_equal(c->fields[0].name, "count");
	assert_null(c->fields[0].class_name);
	assert_true(c->fields[0].is_final);
	assert_string_equal(c->fields[0].declarer, "com.acme.Base");
	assert_int_equal(c->fields[0].type, 'I');
	assert_int_equal(c->fields[0].offset, 12);
	assert_int_equal(c->fields[0].size, 4);
	assert_string_equal(c->fields[1].declarer, "com.acme.Foo$Bar");
	assert_int_equal(c->fields[1].size, 8);
	assert_string_equal(c->fields[2].name, "name");
	assert_string_equal(c->fields[2].class_name, "java.lang.String");
	assert_string_equal(c->fields[3].name, "other");
	assert_null(c->fields[3].class_name);
	assert_int_equal(context_of(f, 1, 1)->stack_id, 9);

	c = context_of(f, 1, 2)->class;
	assert_string_equal(c->name, "long[][]");
	assert_true(c->is_array);
	assert_int_equal(c->element_size, 4); /* its elements are references */
	assert_int_equal(c->nfields, 0);
}

static void test_late_definitions(void **state)
{
	struct fixture *f = *state;

	build_unused(&f->b, 1, WIRE_UNUSED_TIME);
	feed(f, 1);
	const struct model_context *c = context_of(f, 1, 1);
	assert_string_equal(c->class->name, "(unknown)");
	assert_int_equal(c->stack_id, 0);

	build_context(&f->b, 1, 5, 9);
	assert_int_equal(feed_one(f, 1), MODEL_KEEP);
	assert_string_equal(c->class->name, "(unknown)");
	assert_int_equal(c->stack_id, 9);

	build_class(&f->b, 5, "LFoo;", NULL, 0);
	assert_int_equal(feed_one(f, 1), MODEL_KEEP);
	assert_string_equal(c->class->name, "Foo");
	assert_int_equal(c->unused[WIRE_UNUSED_TIME], 1);
	assert_int_equal(model_ncontexts(f->m), 1);
}

static void test_first_definition_wins(void **state)
{
	static const struct wire_line line = { .bci = 0, .line = 1 };
	struct model_frame frame;
	unsigned flags;
	struct fixture *f = *state;

	build_site(&f->b, 1, "LFoo;", "LMain;", "run", 12);
	feed(f, 1);
	build_class(&f->b, 1, "LBar;", NULL, 0);
	assert_int_equal(feed_one(f, 1), MODEL_DROPPED);
	build_method(&f->b, 1, "LOther;", "walk", NULL, &line, 1);
	assert_int_equal(feed_one(f, 1), MODEL_DROPPED);
	build_stack(&f->b, 1, WIRE_STACK_CUT, NULL, 0);
	assert_int_equal(feed_one(f, 1), MODEL_DROPPED);
	build_context(&f->b, 1, 7, 8);
	assert_int_equal(feed_one(f, 1), MODEL_DROPPED);

	assert_string_equal(context_of(f, 1, 1)->class->name, "Foo");
	assert_int_equal(context_of(f, 1, 1)->stack_id, 1);
	assert_int_equal(model_stack(f->m, 1, 1, &frame, 1, &flags), 1);
	assert_int_equal(flags, 0);
	assert_string_equal(frame.method, "run");
	assert_int_equal(frame.line, 12);
}

static void test_other(void **state)
{
	struct fixture *f = *state;

	build_alloc(&f->b, 0, 0, 16, 2);
	build_context(&f->b, 1, 0, 0);
	feed(f, 1);
	assert_string_equal(context_of(f, 1, 0)->class->name, "(other)");
	assert_string_equal(context_of(f, 1, 1)->class->name, "(other)");
}

static void test_ids_are_per_jvm(void **state)
{
	struct fixture *f = *state;

	build_site(&f->b, 1, "LFoo;", "LMain;", "run", 12);
	feed(f, 1);
	build_site(&f->b, 1, "LBar;", "LMain;", "walk", 13);
	feed(f, 3);
	assert_int_equal(model_ncontexts(f->m), 2);
	assert_string_equal(context_of(f, 1, 1)->class->name, "Foo");
	assert_string_equal(context_of(f, 3, 1)->class->name, "Bar");
	assert_int_equal(model_njvms(f->m), 3);
	assert_non_null(model_jvm(f->m, 2));
	assert_null(model_jvm(f->m, 0));
	assert_null(model_jvm(f->m, 4));
}

/* Ids are only numbers: a large one costs no more than a small one. */
static void test_large_ids(void **state)
{
	struct fixture *f = *state;

	for (uint32_t i = 0; i < 1000; i++)
		build_site(&f->b, UINT32_MAX - i * 4096, "LFoo;", "LMain;", "run", 12);
	feed(f, 1);
	assert_int_equal(model_ncontexts(f->m), 1000);
	build_unused(&f->b, UINT32_MAX, WIRE_UNUSED_TIME);
	feed(f, 1);
	assert_int_equal(model_ncontexts(f->m), 1000);

	build_unused(&f->b, 1, WIRE_UNUSED_TIME);
	assert_int_equal(feed_one(f, 16384), MODEL_COUNTED);
	build_unused(&f->b, 1, WIRE_UNUSED_TIME);
	assert_int_equal(feed_one(f, 16385), MODEL_BAD);
	build_unused(&f->b, 1, WIRE_UNUSED_TIME);
	assert_int_equal(feed_one(f, UINT32_MAX), MODEL_BAD);
}

/* ---- stacks ---------------------------------------------------------------------------- */

static void test_lines(void **state)
{
	static const struct wire_line lines[] = { { 3, 10 }, { 8, 12 }, { 8, 13 }, { 20, 11 } };
	static const struct wire_line unsorted[] = { { 20, 11 }, { 3, 10 }, { 8, 12 } };
	static const struct {
		int32_t bci;
		int line;
	} expect[] = { { 0, 0 },   { 2, 0 },   { 3, 10 },     { 7, 10 }, { 8, 13 },
		       { 19, 13 }, { 20, 11 }, { 70000, 11 }, { -1, 0 }, { -3, 0 } };
	enum { N = sizeof expect / sizeof expect[0] };
	struct wire_frame frames[N + 1] = { { .method = 8, .bci = 9 } };
	struct model_frame got[N + 1];
	unsigned flags = 99;
	struct fixture *f = *state;

	for (int i = 0; i < N; i++)
		frames[i + 1] = (struct wire_frame){ .method = 7, .bci = expect[i].bci };
	build_method(&f->b, 7, "Lcom/acme/Foo;", "run", "Foo.java", lines, 4);
	build_method(&f->b, 8, "Lcom/acme/Foo;", "walk", NULL, unsorted, 3);
	build_stack(&f->b, 1, WIRE_STACK_CUT, frames, N + 1);
	feed(f, 1);

	assert_int_equal(model_stack(f->m, 1, 1, got, N + 1, &flags), N + 1);
	assert_int_equal(flags, WIRE_STACK_CUT);
	assert_int_equal(got[0].line, 12);
	assert_null(got[0].file);
	for (int i = 0; i < N; i++) {
		assert_int_equal(got[i + 1].line, expect[i].line);
		assert_string_equal(got[i + 1].class_name, "com.acme.Foo");
		assert_string_equal(got[i + 1].method, "run");
		assert_string_equal(got[i + 1].file, "Foo.java");
		assert_int_equal(got[i + 1].folded, 0);
	}
}

static void test_special_frames(void **state)
{
	static const struct wire_frame frames[] = {
		{ .method = 7, .bci = 0 },
		{ .method = 99, .bci = 0 }, /* never described */
		{ .method = 0, .bci = 2 },
		{ .method = 7, .bci = 0 },
	};
	struct model_frame got[4];
	unsigned flags;
	struct fixture *f = *state;

	build_method(&f->b, 7, "LFoo;", "run", NULL, NULL, 0);
	build_stack(&f->b, 1, 0, frames, 4);
	build_stack(&f->b, 2, WIRE_STACK_FAILED, NULL, 0);
	feed(f, 1);

	assert_int_equal(model_stack(f->m, 1, 1, got, 4, &flags), 4);
	assert_int_equal(got[0].line, 0);
	assert_string_equal(got[1].class_name, "");
	assert_string_equal(got[1].method, "[unknown]");
	assert_null(got[1].file);
	assert_int_equal(got[2].folded, 2);
	assert_string_equal(got[3].method, "run");

	got[2].method = "untouched";
	assert_int_equal(model_stack(f->m, 1, 1, got, 2, &flags), 4);
	assert_string_equal(got[2].method, "untouched");

	assert_int_equal(model_stack(f->m, 1, 2, got, 4, &flags), 0);
	assert_int_equal(flags, WIRE_STACK_FAILED);
	flags = 0;
	assert_int_equal(model_stack(f->m, 1, 3, got, 4, &flags), 0);
	assert_int_equal(flags, WIRE_STACK_FAILED);
	assert_int_equal(model_stack(f->m, 1, 0, got, 4, &flags), 0);
	assert_int_equal(model_stack(f->m, 2, 1, got, 4, &flags), 0);
	assert_int_equal(model_stack(f->m, 0, 1, got, 4, &flags), 0);
}

/* ---- the recording --------------------------------------------------------------------- */

static void test_command_and_end(void **state)
{
	static const char *const argv[] = { "java", "", "-cp", "x y", NULL };
	struct file_end end;
	struct fixture *f = *state;

	assert_false(model_ended(f->m, &end));
	build_command(&f->b, argv);
	assert_int_equal(feed_one(f, 0), MODEL_KEEP);
	build_end(&f->b, 12345, 0x100);
	assert_int_equal(feed_one(f, 0), MODEL_KEEP);
	assert_int_equal(model_argc(f->m), 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(model_argv(f->m, i), argv[i]);
	assert_null(model_argv(f->m, 4));
	assert_true(model_ended(f->m, &end));
	assert_int_equal(end.duration_ns, 12345);
	assert_int_equal(end.wait_status, 0x100);

	build_command(&f->b, (const char *const[]){ "other", NULL });
	assert_int_equal(feed_one(f, 0), MODEL_DROPPED);
	assert_string_equal(model_argv(f->m, 0), "java");
}

static void test_jvm_and_status(void **state)
{
	struct file_status status = { .sampled = 7, .lost = 3, .nnotes = 2 };
	struct fixture *f = *state;

	memset(status.note[0], 'x', WIRE_NOTE); /* not terminated */
	strcpy(status.note[1], "a\033[2Jb");
	build_jvm(&f->b, 4711, WIRE_ENGINE_SCAN, "HotSpot", "17.0.15", "G1\n");
	build_status(&f->b, &status);
	feed(f, 1);
	const struct model_jvm *j = model_jvm(f->m, 1);
	assert_int_equal(j->info.pid, 4711);
	assert_int_equal(j->info.engines, WIRE_ENGINE_SCAN);
	assert_string_equal(j->info.vm_name, "HotSpot");
	assert_string_equal(j->info.vm_version, "17.0.15");
	assert_string_equal(j->info.gc, "G1?");
	assert_true(j->has_status);
	assert_int_equal(j->status.sampled, 7);
	assert_int_equal(strlen(j->status.note[0]), WIRE_NOTE - 1);
	assert_string_equal(j->status.note[1], "a?[2Jb");

	status.sampled = 9; /* the last record is valid */
	status.predicted = 5;
	build_status(&f->b, &status);
	feed(f, 1);
	assert_int_equal(j->status.sampled, 9);
	assert_int_equal(j->status.predicted, 5);
}

static void test_unknown_types(void **state)
{
	struct fixture *f = *state;

	build_record(&f->b, 63, 24);
	assert_int_equal(feed_one(f, 1), MODEL_KEEP);
	build_record(&f->b, 999, 8);
	assert_int_equal(feed_one(f, 0), MODEL_KEEP);
	build_record(&f->b, WIRE_PAD, 64);
	assert_int_equal(feed_one(f, 1), MODEL_DROPPED);
	build_record(&f->b, 0, 8);
	assert_bad(f);
}

int unit_model(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_class),
		TEST(test_late_definitions),
		TEST(test_first_definition_wins),
		TEST(test_other),
		TEST(test_ids_are_per_jvm),
		TEST(test_large_ids),
		TEST(test_lines),
		TEST(test_special_frames),
		TEST(test_command_and_end),
		TEST(test_jvm_and_status),
		TEST(test_unknown_types),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

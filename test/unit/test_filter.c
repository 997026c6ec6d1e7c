/* SPDX-License-Identifier: Apache-2.0 */
/* test_filter.c - how a frame can be named, and which contexts a filter accepts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "builder.h"
#include "report/filter.h"

static void a_frame_has_many_names(void **state)
{
	static const char *const names[] = { "com.acme.Shop.load", "Shop.load",
					     "Shop.load:12",	   "Shop.java:12",
					     "Shop.java",	   "*.load:12",
					     "com.acme.*",	   "com.acme.Shop.load:12" };
	static const char *const others[] = {
		"load",	      "Shop", "Shop.load:1", "Shop.java:1", "com.acme.Shop",
		"Shop.store", "",     "12"
	};
	const struct model_frame f = {
		.class_name = "com.acme.Shop", .method = "load", .file = "Shop.java", .line = 12
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		assert_true(filter_names_frame(names[i], &f));
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		assert_false(filter_names_frame(others[i], &f));
}

static void what_is_not_known_is_not_named(void **state)
{
	const struct model_frame no_line = { .class_name = "Shop", .method = "<init>" };
	const struct model_frame folded = { .class_name = "Shop", .method = "load", .folded = 2 };
	const struct model_frame nothing = { .line = 3 };

	(void)state;
	assert_true(filter_names_frame("Shop.<init>", &no_line));
	assert_false(filter_names_frame("*:*", &no_line));
	assert_false(filter_names_frame("*", &folded));
	assert_false(filter_names_frame("*", &nothing));
}

/* ---- contexts ---------------------------------------------------------------------------- */

enum { GROW = 1, LOAD, MAIN, USER };

/*
 * One byte[] allocated in ArrayList.grow for Shop.load, called by main; used in Shop.user, called
 * by main.
 */
static struct model *make_model(void)
{
	struct builder b = BUILDER_INIT;
	struct model *m = model_new(analyses);
	const struct wire_frame made[] = { { .method = GROW },
					   { .method = LOAD },
					   { .method = MAIN } };
	const struct wire_frame used[] = { { .method = USER }, { .method = MAIN } };
	static const char *const names[] = { "grow", "load", "main", "user" };

	assert_non_null(m);
	build_jvm(&b, 4711, 0, "", "", "");
	for (uint32_t i = GROW; i <= USER; i++) {
		struct wire_line line = { .bci = 0, .line = (uint16_t)(10 * i) };
		build_method(&b, i, i == GROW ? "Ljava/util/ArrayList;" : "Lcom/acme/Shop;",
			     names[i - 1], i == GROW ? "ArrayList.java" : "Shop.java", &line, 1);
	}
	build_stack(&b, 1, 0, made, 3);
	build_stack(&b, 2, 0, used, 2);
	build_class(&b, 1, "[B", NULL, 0);
	build_context(&b, 1, 1, 1);
	build_count(&b, 1, 8, 24, 10, 1000);
	for (uint32_t i = 0; i < 3; i++)
		build_use(&b, &(struct wire_use){ .context = 1,
						  .array_length = 8,
						  .size = 1,
						  .access = 2,
						  .weight = 1,
						  .ticket = i });
	assert_int_equal(builder_feed(&b, m, 1), 0);
	builder_release(&b);
	return m;
}

static bool takes(const struct filter *f)
{
	struct model *m = make_model();
	const struct model_context *c = model_context(m, 0);
	struct filter_run run;
	struct callstack stack;

	assert_int_equal(callstack_resolve(&stack, m, 1, c->stack_id), 0);
	filter_begin(&run, f, m);
	bool taken = filter_takes(&run, c, &stack);
	assert_int_equal(filter_takes(&run, c, &stack), taken); /* the second time from the cache */
	filter_end(&run);
	callstack_release(&stack);
	model_free(m);
	return taken;
}

#define TAKES(member, glob) takes(&(struct filter){ .member = (glob) })

static void classes_and_methods(void **state)
{
	(void)state;
	assert_true(takes(&(struct filter){ 0 }));
	assert_true(TAKES(class_glob, "byte[]"));
	assert_true(TAKES(class_glob, "byte*"));
	assert_false(TAKES(class_glob, "int[]"));
	assert_true(TAKES(method_glob, "com.acme.Shop.main"));
	assert_false(TAKES(method_glob, "com.acme.Shop.user"));
}

/* The allocating frame, and the first of the program's own, which reports show as the site. */
static void sites(void **state)
{
	(void)state;
	assert_true(TAKES(site_glob, "ArrayList.grow:10"));
	assert_true(TAKES(site_glob, "Shop.java:20"));
	assert_false(TAKES(site_glob, "Shop.main"));
	assert_false(TAKES(site_glob, "Shop.java:30"));
}

/* The program's innermost frame alone, not the JDK's. */
static void lines(void **state)
{
	(void)state;
	assert_true(TAKES(line_glob, "Shop.java:20"));
	assert_true(TAKES(line_glob, "Shop.load:20"));
	assert_false(TAKES(line_glob, "ArrayList.grow:10"));
	assert_false(TAKES(line_glob, "Shop.java:40"));
}

static void accesses(void **state)
{
	(void)state;
	assert_true(TAKES(access_glob, "Shop.user"));
	assert_true(TAKES(access_glob, "Shop.java:30")); /* its caller */
	assert_false(TAKES(access_glob, "Shop.load"));
}

static void all_must_agree(void **state)
{
	(void)state;
	assert_true(
		takes(&(struct filter){ "byte[]", "*.main", "*.load", "*.user", NULL, NULL, 0 }));
	assert_false(
		takes(&(struct filter){ "byte[]", "*.main", "*.load", "*.load", NULL, NULL, 0 }));
	assert_false(
		takes(&(struct filter){ "char[]", "*.main", "*.load", "*.user", NULL, NULL, 0 }));
}

/* The line of a stack is the innermost frame of the program. */
static void the_line(void **state)
{
	struct model_frame frames[] = {
		{ .class_name = "java.util.ArrayList", .platform = true },
		{ .folded = 2, .platform = true },
		{ .class_name = "com.sun.tools.javac.parser.JavacParser" },
		{ .class_name = "com.acme.Build" },
	};
	struct callstack stack = { .frames = frames, .n = 4 };

	(void)state;
	assert_int_equal(callstack_line(&stack), 2);
	frames[2].platform = true;
	assert_int_equal(callstack_line(&stack), 3);
	stack.n = 3;
	assert_int_equal(callstack_line(&stack), 0); /* nobody's */
	stack.n = 0;
	assert_int_equal(callstack_line(&stack), 0);
}

int unit_filter(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_has_many_names),
		cmocka_unit_test(what_is_not_known_is_not_named),
		cmocka_unit_test(classes_and_methods),
		cmocka_unit_test(sites),
		cmocka_unit_test(lines),
		cmocka_unit_test(the_line),
		cmocka_unit_test(accesses),
		cmocka_unit_test(all_must_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

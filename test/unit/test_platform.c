/* SPDX-License-Identifier: Apache-2.0 */
/* platform.h: methods that compilers add, which are no lines, and what looks like them */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "builder.h"
#include "model/callstack.h"
#include "model/platform.h"

#define STATIC	  WIRE_METHOD_STATIC
#define SYNTHETIC WIRE_METHOD_SYNTHETIC
#define BRIDGE	  WIRE_METHOD_BRIDGE
#define ENUM	  WIRE_METHOD_ENUM

#define COLOR "Lcom/acme/Color;"

static bool made(uint32_t flags, const char *name, const char *descriptor)
{
	struct {
		struct wire_method method;
		char text[128];
	} m = { .method = { .flags = WIRE_METHOD_LOADER | flags } };

	m.method.class_len = (uint16_t)strlen(COLOR);
	m.method.name_len = (uint16_t)strlen(name);
	m.method.descriptor_len = (uint16_t)strlen(descriptor);
	snprintf(m.text, sizeof m.text, "%s%s%s", COLOR, name, descriptor);
	return compiler_made(&m.method);
}

static void of_enums(void **state)
{
	(void)state;
	assert_true(made(ENUM | STATIC, "values", "()[" COLOR));
	assert_true(made(ENUM | STATIC, "valueOf", "(Ljava/lang/String;)" COLOR));
	assert_true(made(ENUM | STATIC | SYNTHETIC, "$values", "()[" COLOR));
	/* what a program may declare */
	assert_false(made(STATIC, "values", "()[" COLOR));
	assert_false(made(ENUM, "values", "()[" COLOR));
	assert_false(made(ENUM | STATIC, "values", "(I)[" COLOR));
	assert_false(made(ENUM | STATIC, "values", "()[Lcom/acme/Colors;"));
	assert_false(made(ENUM | STATIC, "values", "()[Lcom/acme/Color"));
	assert_false(made(ENUM | STATIC, "valueOf", "(Ljava/lang/Object;)" COLOR));
	assert_false(made(ENUM | STATIC, "valuesOf", "()[" COLOR));
	assert_false(made(ENUM | STATIC, "value", "()[" COLOR));
	assert_false(made(ENUM | STATIC, "$values", "()[" COLOR));
	assert_false(made(ENUM | STATIC, "", ""));
}

static void synthetic(void **state)
{
	(void)state;
	assert_true(made(SYNTHETIC | STATIC, "access$000", "(" COLOR ")V"));
	assert_true(made(SYNTHETIC | STATIC, "$SWITCH_TABLE$com$acme$Color", "()[I"));
	assert_true(made(SYNTHETIC | BRIDGE, "compare", "(Ljava/lang/Object;)I"));
	/* names that a program may choose, and flags that code of a program has */
	assert_false(made(STATIC, "access$000", "(" COLOR ")V"));
	assert_false(made(STATIC, "$SWITCH_TABLE$com$acme$Color", "()[I"));
	assert_false(made(SYNTHETIC | STATIC, "lambda$run$0", "()V"));
	assert_false(made(SYNTHETIC, "lambda$run$0", "()V"));
	assert_false(made(SYNTHETIC | STATIC, "$anonfun$run$1", "()V"));
	assert_false(made(SYNTHETIC | STATIC, "run$default", "(" COLOR "IILjava/lang/Object;)V"));
	assert_false(made(BRIDGE, "compare", "(Ljava/lang/Object;)I"));
}

/* The line is the caller's; in a recording without flags it is the method's, as it was. */
static void line_is_the_callers(void **state)
{
	const struct wire_frame frames[] = { { .method = 1 }, { .method = 2 } };
	struct model *model = model_new(analyses);
	struct builder b = { 0 };

	(void)state;
	for (uint32_t id = 1; id <= 4; id++) {
		build_method(&b, id, COLOR, id % 2 ? "compare" : "run", NULL, NULL, 0)->flags =
			WIRE_METHOD_LOADER | (id == 1 ? BRIDGE | SYNTHETIC : 0u);
	}
	build_stack(&b, 1, 0, frames, 2);
	build_stack(&b, 2, 0, (struct wire_frame[]){ { .method = 3 }, { .method = 4 } }, 2);
	build_stack(&b, 3, 0, frames, 1);
	assert_int_equal(builder_feed(&b, model, 1), 0);
	assert_int_equal(callstack_line_of(model, 1, 1), 1);
	assert_int_equal(callstack_line_of(model, 1, 2), 0);
	assert_int_equal(callstack_line_of(model, 1, 3), 0); /* there is no caller */
	builder_release(&b);
	model_free(model);
}

/* The JDK's jrt-fs.jar, which programs load themselves; other classes that they load. */
static void jdk_by_another_loader(void **state)
{
	static const struct {
		const char *class_signature;
		size_t line;
	} cases[] = {
		{ "Ljdk/internal/jimage/ImageStringsReader;", 1 },
		{ "Ljdk/internal/jrtfs/JrtPath;", 1 },
		{ "Ljdk/internal/jshell/tool/JShellTool;", 0 },
		{ "Lcom/sun/tools/javac/Main;", 0 },
		{ COLOR, 0 },
	};
	struct model *model = model_new(analyses);
	struct builder b = { 0 };
	enum { N = sizeof cases / sizeof cases[0], CALLER = N + 1 };

	(void)state;
	build_method(&b, CALLER, COLOR, "run", NULL, NULL, 0)->flags = WIRE_METHOD_LOADER;
	for (uint32_t i = 0; i < N; i++) {
		const struct wire_frame frames[] = { { .method = i + 1 }, { .method = CALLER } };
		build_method(&b, i + 1, cases[i].class_signature, "f", NULL, NULL, 0)->flags =
			WIRE_METHOD_LOADER;
		build_stack(&b, i + 1, 0, frames, 2);
	}
	assert_int_equal(builder_feed(&b, model, 1), 0);
	for (uint32_t i = 0; i < N; i++)
		assert_int_equal(callstack_line_of(model, 1, i + 1), cases[i].line);
	builder_release(&b);
	model_free(model);
}

/* A lock does not look into a map; a map's own package, Unsafe and the program may. */
static void near_uses(void **state)
{
	static const struct {
		const char *frame, *class_name;
		bool own, near;
	} cases[] = {
		{ "java.util.concurrent.locks.AbstractQueuedSynchronizer$Node", "java.util.HashMap",
		  false, true },
		{ "java.util.AbstractMap", "java.util.HashMap", false, false },
		{ "java.util.HashMap$Node", "java.util.HashMap", false, false },
		{ "jdk.internal.misc.Unsafe", "java.util.HashMap", false, false },
		{ "com.acme.Shop", "java.util.HashMap", true, false },
		{ "java.util.HashMap", "com.acme.Point", false, true },
		{ "java.util.Arrays", "com.acme.Point[]", false, false },
		{ "java.util.HashMap", NULL, false, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct model_frame frame = { .class_name = cases[i].frame,
						   .platform = !cases[i].own };
		assert_int_equal(frame_is_only_near(&frame, cases[i].class_name), cases[i].near);
	}
}

/* By what the line loads, in all its parts; what an instruction elsewhere loads does not count. */
static void near_loads(void **state)
{
	static const struct wire_line lines[] = { { 0, 10 }, { 4, 11 }, { 9, 10 }, { 20, 12 } };
	static const struct wire_load loads[] = {
		{ 0 }, { WIRE_LOADED_FIELD }, { WIRE_LOADED_BYTE }, { 0 }
	};
	static const struct {
		int line;
		const char *class_name;
		bool near;
	} cases[] = {
		{ 10, "byte[]", false },	{ 10, "boolean[]", false },
		{ 10, "int[]", true },		{ 10, "byte[][]", true },
		{ 10, "com.acme.Point", true }, { 11, "com.acme.Point", false },
		{ 11, "byte[]", true },		{ 12, "com.acme.Point", true },
		{ 0, "com.acme.Point", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct model_frame frame = { .class_name = "com.acme.Shop",
						   .line = cases[i].line,
						   .nlines = 4,
						   .lines = lines,
						   .loads = loads };
		assert_int_equal(frame_is_only_near(&frame, cases[i].class_name), cases[i].near);
	}
}

int unit_platform(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_enums),
		cmocka_unit_test(synthetic),
		cmocka_unit_test(line_is_the_callers),
		cmocka_unit_test(jdk_by_another_loader),
		cmocka_unit_test(near_uses),
		cmocka_unit_test(near_loads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

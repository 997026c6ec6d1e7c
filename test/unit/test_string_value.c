/* SPDX-License-Identifier: Apache-2.0 */
/* value_text.h: arrays that are known to be a String's from where they were made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "builder.h"
#include "model/value_text.h"

struct frame {
	const char *class_name, *method;
};

/* Whether an array of this class is one if it was made by these methods, innermost first. */
static bool made(const char *signature, const struct frame *frames, uint16_t n)
{
	struct model *m = model_new(analyses);
	struct builder b = BUILDER_INIT;
	struct wire_frame stack[4] = { { 0 } };
	const uint32_t *numbers;
	const struct model_class *class;
	uint32_t stack_id;

	build_class(&b, 1, signature, NULL, 0);
	for (uint16_t i = 0; i < n; i++) {
		stack[i].method = i + 1u;
		build_method(&b, i + 1u, frames[i].class_name, frames[i].method, NULL, NULL, 0)
			->flags = WIRE_METHOD_LOADER |
				  (frames[i].class_name[1] == 'j' ? WIRE_METHOD_PLATFORM : 0);
	}
	build_stack(&b, 1, 0, stack, n);
	build_context(&b, 1, 1, 1);
	assert_int_equal(builder_feed(&b, m, 1), 0);
	assert_true(model_context_parts(m, 1, 1, &class, &stack_id));
	unsigned flags;
	assert_int_equal(model_stack_frames(m, 1, stack_id, &numbers, &flags), n);
	bool result = string_value_made(m, 1, class, stack_id);
	model_free(m);
	builder_release(&b);
	return result;
}

static void strings(void **state)
{
	static const struct frame text[] = { { "Ljava/util/Arrays;", "copyOfRange" },
					     { "Ljava/lang/StringLatin1;", "newString" },
					     { "Ljava/lang/StringBuilder;", "toString" },
					     { "Lcom/acme/Main;", "run" } };
	static const struct frame joined[] = { { "Ljava/lang/StringConcatHelper;", "newArray" },
					       { "Lcom/acme/Main;", "run" } };
	static const struct frame replaced[] = { { "Ljdk/internal/misc/Unsafe;",
						   "allocateUninitializedArray" },
						 { "Ljava/lang/StringConcatHelper;", "newArray" },
						 { "Ljava/lang/StringLatin1;", "replace" },
						 { "Ljava/lang/String;", "replace" } };
	static const struct frame from_chars[] = { { "Ljava/lang/StringUTF16;", "compress" },
						   { "Ljava/lang/String;", "<init>" },
						   { "Lcom/acme/Main;", "run" } };

	(void)state;
	assert_true(made("[B", text, 4));
	assert_true(made("[B", joined, 2));
	assert_true(made("[B", replaced, 4));
	assert_true(made("[B", from_chars, 3));
	assert_false(made("[C", text, 4));
	assert_false(made("Ljava/lang/String;", joined, 2));
}

/* Arrays that a program can write to, and a program's own methods of those names. */
static void others(void **state)
{
	static const struct frame buffer[] = { { "Ljava/util/Arrays;", "copyOf" },
					       { "Ljava/lang/AbstractStringBuilder;",
						 "ensureCapacityInternal" },
					       { "Lcom/acme/Main;", "run" } };
	static const struct frame bytes[] = { { "Ljava/util/Arrays;", "copyOfRange" },
					      { "Ljava/lang/String;", "getBytes" },
					      { "Lcom/acme/Main;", "run" } };
	static const struct frame shorter[] = { { "Ljava/lang/StringUTF16;", "compress" },
						{ "Ljava/lang/AbstractStringBuilder;", "<init>" } };
	static const struct frame raw[] = { { "Ljdk/internal/misc/Unsafe;",
					      "allocateUninitializedArray" },
					    { "Ljava/io/InputStream;", "read" } };
	static const struct frame own[] = { { "Ljava/util/Arrays;", "copyOf" },
					    { "Lcom/acme/String;", "<init>" } };

	(void)state;
	assert_false(made("[B", buffer, 3));
	assert_false(made("[B", bytes, 3));
	assert_false(made("[B", shorter, 2));
	assert_false(made("[B", raw, 2));
	assert_false(made("[B", own, 2));
	assert_false(made("[B", own, 1));
	assert_false(string_value_made(NULL, 0, NULL, 0));
}

int unit_string_value(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings),
		cmocka_unit_test(others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

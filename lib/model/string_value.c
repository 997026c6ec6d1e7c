/* SPDX-License-Identifier: Apache-2.0 */
/* string_value.c - see string_value.h. Names are those of JDK 11 to 25. */
#include "model/string_value.h"

#include <string.h>

/* Methods whose result is a String, or the array of one. */
static const struct maker {
	const char *class_name;
	const char *method; /* NULL: each */
} makers[] = {
	{ "java.lang.String", "<init>" },
	{ "java.lang.String", "concat" },
	{ "java.lang.String", "join" },
	{ "java.lang.String", "newStringNoRepl" },
	{ "java.lang.String", "newStringNoRepl1" },
	{ "java.lang.String", "newStringUTF8NoRepl" },
	{ "java.lang.String", "repeat" },
	{ "java.lang.StringCoding", "decode" }, /* JDK 11, as are the next ones */
	{ "java.lang.StringCoding", "decodeASCII" },
	{ "java.lang.StringCoding", "decodeLatin1" },
	{ "java.lang.StringCoding", "decodeUTF8" },
	{ "java.lang.StringConcatHelper", NULL },
	{ "java.lang.StringLatin1", "newString" },
	{ "java.lang.StringLatin1", "replace" },
	{ "java.lang.StringLatin1", "toLowerCase" },
	{ "java.lang.StringLatin1", "toUpperCase" },
	{ "java.lang.StringUTF16", "newString" },
	{ "java.lang.StringUTF16", "replace" },
	{ "java.lang.StringUTF16", "toLowerCase" },
	{ "java.lang.StringUTF16", "toUpperCase" },
	{ "java.lang.Integer", "toString" },
	{ "java.lang.Long", "toString" },
};

/* Methods that make an array for others, too: the caller counts. */
static const struct maker helpers[] = {
	{ "java.util.Arrays", "copyOf" },
	{ "java.util.Arrays", "copyOfRange" },
	{ "java.lang.StringUTF16", "compress" },
	{ "java.lang.StringUTF16", "toBytes" },
	{ "jdk.internal.misc.Unsafe", "allocateUninitializedArray" },
	{ "jdk.internal.misc.Unsafe", "allocateUninitializedArray0" },
};

static bool is_one(const struct model_frame *f, const struct maker *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(f->class_name, list[i].class_name) == 0 &&
		    (!list[i].method || strcmp(f->method, list[i].method) == 0))
			return true;
	return false;
}

bool string_value_made(const struct model *m, uint32_t jvm, const struct model_class *class,
		       uint32_t stack_id)
{
	const uint32_t *numbers;
	unsigned flags;

	if (!m || !class || !class->is_array || !class->name || strcmp(class->name, "byte[]") != 0)
		return false;
	size_t n = model_stack_frames(m, jvm, stack_id, &numbers, &flags);
	for (size_t i = 0; i < n; i++) {
		struct model_frame f = model_frame(m, jvm, numbers[i]);
		if (f.folded || f.home == MODEL_HOME_PROGRAM)
			return false;
		if (!is_one(&f, helpers, sizeof helpers / sizeof helpers[0]))
			return is_one(&f, makers, sizeof makers / sizeof makers[0]);
	}
	return false;
}

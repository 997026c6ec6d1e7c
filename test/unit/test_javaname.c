/* SPDX-License-Identifier: Apache-2.0 */
/* Names from JVM signatures, for any bytes. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/javaname.h"

struct pair {
	const char *from, *to;
};

/* Uses exactly the promised memory and input without NUL, so that ASan notices overruns. */
static void check(size_t (*convert)(char *, const char *, size_t), const char *from, size_t len,
		  const char *to)
{
	char *in = malloc(len ? len : 1);
	char *out = malloc(javaname_room(len));

	assert_non_null(in);
	assert_non_null(out);
	memcpy(in, from, len);
	size_t n = convert(out, in, len);
	assert_string_equal(out, to);
	assert_int_equal(n, strlen(to));
	free(in);
	free(out);
}

static void check_all(const struct pair *pairs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check(javaname_class, pairs[i].from, strlen(pairs[i].from), pairs[i].to);
}
#define CHECK_ALL(pairs) check_all(pairs, sizeof(pairs) / sizeof((pairs)[0]))

static void test_types(void **state)
{
	static const struct pair pairs[] = {
		{ "I", "int" },
		{ "Z", "boolean" },
		{ "V", "void" },
		{ "[I", "int[]" },
		{ "[[[Z", "boolean[][][]" },
		{ "[B", "byte[]" },
		{ "[C", "char[]" },
		{ "[S", "short[]" },
		{ "[J", "long[]" },
		{ "[F", "float[]" },
		{ "[D", "double[]" },
		{ "Ljava/lang/String;", "java.lang.String" },
		{ "[[Ljava/lang/String;", "java.lang.String[][]" },
		{ "Lcom/acme/Foo$Bar;", "com.acme.Foo$Bar" },
		{ "LMain;", "Main" },
		{ "LI;", "I" },
	};
	(void)state;
	CHECK_ALL(pairs);
}

static void test_hidden_classes(void **state)
{
	static const struct pair pairs[] = {
		{ "Lcom/acme/Foo$$Lambda$14.0x0000000800c01200;", "com.acme.Foo$$Lambda" },
		{ "Lcom/acme/Foo$$Lambda$14+0x0000000800c01200;", "com.acme.Foo$$Lambda" },
		{ "Lcom/acme/Foo$$Lambda.0x00007f0c8c000a00;", "com.acme.Foo$$Lambda" },
		{ "Lcom/acme/Foo$$Lambda$14/0x0000000800066840;", "com.acme.Foo$$Lambda" },
		{ "Lcom/acme/Foo$$Lambda$14/1831932724;", "com.acme.Foo$$Lambda" },
		{ "Lcom/acme/Foo$$Lambda$14;", "com.acme.Foo$$Lambda" },
		{ "[Lcom/acme/Foo$$Lambda$3.0x0000000800c01200;", "com.acme.Foo$$Lambda[]" },
		{ "Ljava/lang/invoke/LambdaForm$MH.0x0000000800c03c00;",
		  "java.lang.invoke.LambdaForm$MH" },
		{ "Ljava/lang/invoke/LambdaForm$DMH/0x0000000800c03c00;",
		  "java.lang.invoke.LambdaForm$DMH" },
		{ "Lcom/acme/Generated.0x0000000800c03c00;", "com.acme.Generated" },
	};
	(void)state;
	CHECK_ALL(pairs);
}

static void test_alike_but_stable(void **state)
{
	static const struct pair pairs[] = {
		{ "La/1;", "a.1" }, /* a name that an obfuscator may choose */
		{ "La/0x;", "a.0x" },
		{ "La/0xg;", "a.0xg" },
		{ "L/0x1;", ".0x1" },
		{ "Lcom/acme/Lambda$14;", "com.acme.Lambda$14" },
		{ "Lcom/acme/Foo$14;", "com.acme.Foo$14" },
		{ "Lcom/acme/Foo$$Lambda$;", "com.acme.Foo$$Lambda$" },
		{ "Ljdk/proxy1/$Proxy12;", "jdk.proxy1.$Proxy12" },
		{ "L12;", "12" },
		{ "L$$Lambda$1;", "$$Lambda" },
	};
	(void)state;
	CHECK_ALL(pairs);
}

static void test_malformed(void **state)
{
	static const struct pair pairs[] = {
		{ "", "" },	 { "[", "[]" },	     { "[[", "[][]" },	 { "L;", "" },
		{ "L", "L" },	 { "Lfoo", "Lfoo" }, { "foo;", "foo;" }, { "X", "X" },
		{ "[X", "X[]" }, { "II", "II" },
	};
	(void)state;
	CHECK_ALL(pairs);
}

static void test_text(void **state)
{
	static const struct pair pairs[] = {
		{ "plain/text", "plain/text" },
		{ "gr\xc3\xb6\xc3\x9f"
		  "e",
		  "gr\xc3\xb6\xc3\x9f"
		  "e" },
		{ "\xe4\xb8\xad", "\xe4\xb8\xad" },
		{ "\xed\xa1\x80\xed\xb0\x80.", "\xf0\xa0\x80\x80." }, /* U+20000 as a pair */
		{ "a\xc0\x80z", "a?z" },			      /* NUL */
		{ "a\x1b[31mz\x7f\n", "a?[31mz??" },
		{ "a\xc2\x9bz", "a?z" },		/* a control character, too */
		{ "\xed\xa1\x80z", "?z" },		/* half a pair */
		{ "\xed\xb0\x80z", "?z" },		/* the other half */
		{ "\xed\xa1\x80\xed\xa1\x80z", "??z" }, /* two first halves */
		{ "\xc1\xa1\xe0\x81\xa1", "??" },	/* overlong */
		{ "\xc3", "?" },
		{ "\xe4\xb8", "??" },
		{ "\xf0\x9f\x98\x80", "????" }, /* four bytes are not of this encoding */
		{ "\x80\xff", "??" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
		check(javaname_text, pairs[i].from, strlen(pairs[i].from), pairs[i].to);
	check(javaname_text, "a\0b", 3, "a?b");
	check(javaname_class, "La\0b;", 5, "a?b");
}

/* For any input, the result fits, is UTF-8 and has no control characters. */
static void test_random_bytes(void **state)
{
	static const char alphabet[] = "[[LL;;/.+$0x19aI\x1b\xc2\x80\xed\xa1\xb0\xf0\xe4";
	uint32_t seed = 1;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		char in[24];
		char *out = malloc(javaname_room(sizeof in));
		size_t len = (size_t)(round % (int)sizeof in);
		assert_non_null(out);
		for (size_t i = 0; i < len; i++) {
			seed = seed * 1664525 + 1013904223;
			in[i] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
		}
		size_t n = javaname_class(out, in, len);
		assert_true(n < javaname_room(len));
		assert_int_equal(out[n], 0);
		assert_int_equal(mbstowcs(NULL, out, 0) == (size_t)-1, 0);
		for (size_t i = 0; i < n; i++)
			assert_true((unsigned char)out[i] >= 0x20 && out[i] != 0x7f);
		free(out);
	}
}

static int use_utf8(void **state)
{
	(void)state;
	return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

int unit_javaname(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_hidden_classes),
		cmocka_unit_test(test_alike_but_stable),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_text),
		cmocka_unit_test_setup(test_random_bytes, use_utf8),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

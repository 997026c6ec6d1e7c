/* SPDX-License-Identifier: Apache-2.0 */
/* test_text.c - text from outside, numbers and names, as a report shows them. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/javaname.h"
#include "base/units.h"
#include "base/utf8.h"
#include "builder.h"

#define BAD "\xef\xbf\xbd" /* U+FFFD */

static char *put(const char *text, size_t len, enum utf8_mode mode)
{
	char *clean = NULL;
	size_t clean_len;
	FILE *out = open_memstream(&clean, &clean_len);

	utf8_put(out, text, len, mode);
	fclose(out);
	return clean;
}

static void assert_put(const char *text, enum utf8_mode mode, const char *want)
{
	char *got = put(text, strlen(text), mode);

	assert_string_equal(got, want);
	free(got);
}

static void test_valid(void **state)
{
	static const char text[] =
		"a\xc2\xa0\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf";

	(void)state;
	assert_put(text, UTF8_TERMINAL, text);
	assert_put(text, UTF8_DATA, text);
	assert_put(text, UTF8_ASCII, "a??????");
}

static void test_invalid(void **state)
{
	(void)state;
	assert_put("\x80|\xc3|\xe2\x82|\xff", UTF8_TERMINAL, BAD "|" BAD "|" BAD BAD "|" BAD);
	assert_put("\xc0\xaf", UTF8_DATA, BAD BAD); /* overlong */
	assert_put("\xe0\x80\xaf", UTF8_DATA, BAD BAD BAD);
	assert_put("\xed\xa0\x80", UTF8_DATA, BAD BAD BAD);	    /* a surrogate */
	assert_put("\xf4\x90\x80\x80", UTF8_DATA, BAD BAD BAD BAD); /* beyond U+10FFFF */
}

static void test_controls(void **state)
{
	(void)state;
	assert_put("\x1b[2J\r\n\x7f", UTF8_TERMINAL, BAD "[2J" BAD BAD BAD);
	assert_put("\xc2\x9b"
		   "2J",
		   UTF8_TERMINAL, BAD "2J");		/* C1: CSI as one character */
	assert_put("\xe2\x80\xae", UTF8_TERMINAL, BAD); /* reverses the line */
	assert_put("\x1b", UTF8_ASCII, "?");
	assert_put("\x1b\n", UTF8_DATA, "\x1b\n");
}

/* For any input, the output is valid: cleaning it again does not change it. */
static void test_random_bytes(void **state)
{
	(void)state;
	for (uint64_t n = 0; n < 2000; n++) {
		char bytes[24];
		for (size_t i = 0; i < sizeof bytes; i += 8) {
			uint64_t random = build_random(8 * n + i);
			/* high bits are the interesting ones */
			random |= n % 3 == 0 ? 0x8080808080808080u : 0;
			memcpy(bytes + i, &random, 8);
		}
		char *once = put(bytes, n % sizeof bytes, UTF8_TERMINAL);
		char *twice = put(once, strlen(once), UTF8_TERMINAL);
		assert_string_equal(once, twice);
		free(once);
		free(twice);
	}
}

static void test_width(void **state)
{
	(void)state;
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	assert_int_equal(utf8_width(""), 0);
	assert_int_equal(utf8_width("Se\xc3\xb1or"), 5);
	assert_int_equal(utf8_width("e\xcc\x81"), 1);		     /* combining accent */
	assert_int_equal(utf8_width("\xe6\x97\xa5\xe6\x9c\xac"), 4); /* two wide ones */

	/* a wide character with half the room is left out */
	assert_int_equal(utf8_head("\xe6\x97\xa5\xe6\x9c\xac", 3), 3);
	assert_int_equal(utf8_tail("\xe6\x97\xa5\xe6\x9c\xac", 3), 3);
	assert_int_equal(utf8_head("abc", 2), 2);
	assert_int_equal(utf8_tail("abc", 2), 2);
	assert_int_equal(utf8_head("abc", 9), 3);
	assert_int_equal(utf8_tail("abc", 9), 3);
	assert_int_equal(utf8_head("abc", 0), 0);
	assert_int_equal(utf8_tail("abc", 0), 0);
}

static void test_units(void **state)
{
	char text[UNITS_TEXT];

	(void)state;
	assert_string_equal(units_count(text, 0), "0");
	assert_string_equal(units_count(text, 999.4), "999");
	assert_string_equal(units_count(text, 999.6), "1.0 k");
	assert_string_equal(units_count(text, 12345), "12.3 k");
	assert_string_equal(units_count(text, 123456), "123 k");
	assert_string_equal(units_count(text, 999999), "1.0 M");
	assert_string_equal(units_count(text, 5e15), "5000 T");
	assert_string_equal(units_count(text, NAN), "-");
	assert_string_equal(units_rate(text, 0), "0");
	assert_string_equal(units_rate(text, 0.04), "under 0.1");
	assert_string_equal(units_rate(text, 0.4), "0.4");
	assert_string_equal(units_rate(text, 9.94), "9.9");
	assert_string_equal(units_rate(text, 9.96), "10");
	assert_string_equal(units_rate(text, 1234), "1.2 k");
	assert_string_equal(units_rate(text, NAN), "-");
	assert_string_equal(units_bytes(text, 512), "512 B");
	assert_string_equal(units_bytes(text, 1024), "1.0 kB");
	assert_string_equal(units_bytes(text, 4.5 * 1048576), "4.5 MB");
	assert_string_equal(units_bytes(text, 1023.9 * 1024), "1.0 MB");
	assert_string_equal(units_bytes(text, NAN), "-");
	assert_string_equal(units_percent(text, 0), "0.0");
	assert_string_equal(units_percent(text, 1e-9), "<0.1");
	assert_string_equal(units_percent(text, 0.1234), "12.3");
	assert_string_equal(units_percent(text, 1 - 1e-9), ">99.9");
	assert_string_equal(units_percent(text, 1), "100.0");
	assert_string_equal(units_seconds(text, 0.0124), "12 ms");
	assert_string_equal(units_seconds(text, 0.9999), "1.0 s");
	assert_string_equal(units_seconds(text, 99.96), "1 min 40 s");
	assert_string_equal(units_seconds(text, 3599.9), "1 h 0 min");
	assert_string_equal(units_seconds(text, 7500), "2 h 5 min");
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(names_simple("com.acme.Foo$Bar[]"), "Foo$Bar[]");
	assert_string_equal(names_simple("int"), "int");
	assert_string_equal(names_short("com.acme.Foo$Bar[]"), "Foo$Bar[]");
	assert_string_equal(names_short("com.acme.String[]"), "com.acme.String[]");
	assert_string_equal(names_short("com.acme.Map$Entry"), "com.acme.Map$Entry");
	assert_string_equal(names_short("com.acme.ByteArrayOutputStream"),
			    "com.acme.ByteArrayOutputStream");
	assert_string_equal(names_short("com.acme.ByteArray"), "ByteArray");
	assert_string_equal(names_short("com.acme.MyString"), "MyString");
	assert_string_equal(names_short("com.acme."), "");
	assert_string_equal(names_short("com.acme.$1"), "$1");
	assert_string_equal(names_short("java.util.HashMap$Node"), "HashMap$Node");
	assert_string_equal(names_short("String"), "String"); /* there is no package to show */
	assert_int_equal(names_package_shown("com.acme.ListKt", "List.kt"), strlen("com.acme."));
	assert_int_equal(names_package_shown("com.acme.List", "Lists.kt"), 0);
	assert_int_equal(names_package_shown("java.util.List", "List.java"), 0);
	assert_int_equal(names_package_shown("List", "List.java"), 0);
	assert_true(names_in_jdk("java.lang.String"));
	assert_true(names_in_jdk("com.sun.Foo"));
	assert_true(names_in_jdk("org.xml.sax.Foo"));
	assert_false(names_in_jdk("org.xml.Foo"));
	assert_false(names_in_jdk("javafx.Foo"));
	assert_false(names_in_jdk("sunset.Foo"));
	assert_false(names_in_jdk(NULL));
	assert_string_equal(names_type('J'), "long");
	assert_string_equal(names_type('['), "reference");
	assert_null(names_type('V'));
}

int unit_text(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_valid),	 cmocka_unit_test(test_invalid),
		cmocka_unit_test(test_controls), cmocka_unit_test(test_random_bytes),
		cmocka_unit_test(test_width),	 cmocka_unit_test(test_units),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

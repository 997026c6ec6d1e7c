/* SPDX-License-Identifier: Apache-2.0 */
/* test_json_text.c - JSON written directly: commas, strings, numbers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_text.h"

static void assert_text(struct json_text *t, const char *want)
{
	assert_false(t->failed);
	assert_int_equal(t->len, strlen(want));
	assert_memory_equal(t->text, want, t->len);
	json_text_clear(t);
}

static void test_members(void **state)
{
	struct json_text t = JSON_TEXT_INIT;

	(void)state;
	json_text_open(&t, NULL, '{');
	json_text_bool(&t, "a", true);
	json_text_null(&t, "b");
	json_text_open(&t, "c", '[');
	json_text_close(&t, ']');
	json_text_open(&t, "d", '[');
	json_text_number(&t, NULL, 1);
	json_text_open(&t, NULL, '{');
	json_text_close(&t, '}');
	json_text_string(&t, NULL, "[");
	json_text_bool(&t, NULL, false);
	json_text_close(&t, ']');
	json_text_range(&t, "e", 0.25, 1);
	json_text_range(&t, "f", NAN, 1);
	json_text_close(&t, '}');
	assert_text(&t, "{\"a\":true,\"b\":null,\"c\":[],\"d\":[1,{},\"[\",false],"
			"\"e\":[0.25,1],\"f\":null}");
	json_text_release(&t);
}

static void test_strings(void **state)
{
	struct json_text t = JSON_TEXT_INIT;

	(void)state;
	json_text_string(&t, NULL, "a\"b\\c/<\b\f\n\r\t\x01");
	assert_text(&t, "\"a\\\"b\\\\c/<\\b\\f\\n\\r\\t\\u0001\"");
	json_text_string(&t, NULL, "\xc3\xa9\xff");
	assert_text(&t, "\"\xc3\xa9\xef\xbf\xbd\"");
	json_text_string(&t, NULL, NULL);
	assert_text(&t, "null");
	/* a shorter one after a longer one */
	for (int i = 0; i < 2; i++) {
		FILE *out = json_text_begin_string(&t);
		assert_non_null(out);
		fputs(i ? "x" : "longer", out);
		json_text_end_string(&t, NULL);
	}
	assert_text(&t, "\"longer\",\"x\"");
	json_text_release(&t);
}

static void test_numbers(void **state)
{
	static const struct {
		double value;
		const char *text;
	} numbers[] = {
		{ 0, "0" },
		{ -0.0, "0" },
		{ 1, "1" },
		{ -17, "-17" },
		{ 4294967296.0, "4294967296" },
		{ 999999999999999.0, "999999999999999" },
		{ 1e15, "1e+15" },
		{ 0.5, "0.5" },
		{ -0.5, "-0.5" },
		{ 1.0 / 3, "0.333333333" },
		{ 2.0 / 3, "0.666666667" },
		{ 0.99999999999, "1" },
		{ 12.000000001, "12.000000001" },
		{ 123456.75, "123456.75" },
		{ 1234567.125, "1234567.125" },
		{ 0.0001, "0.0001" },
		{ 1.25e-7, "1.25e-07" },
		{ NAN, "null" },
		{ INFINITY, "null" },
	};
	struct json_text t = JSON_TEXT_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		json_text_number(&t, NULL, numbers[i].value);
		assert_text(&t, numbers[i].text);
	}
	json_text_release(&t);
}

/* As the tables of pages have them. */
static void test_pages(void **state)
{
	static const double numbers[] = { 0,	   1e9,	  12345678,  0.5,    -3,
					  1.0 / 3, 1e300, 0.0 / 0.0, 1e9 + 1 };
	struct json_text t = { .html = true };

	(void)state;
	json_text_string(&t, NULL,
			 "</script><!-- \"q\" \\ \n\t\x01\x7f \xc3\xa9 \xff \xed\xa0\x80");
	assert_text(&t, "\"\\u003c/script>\\u003c!-- \\\"q\\\" \\\\ \\n\\t\\u0001\\u007f "
			"\xc3\xa9 \xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	json_text_bytes(&t, NULL, "a\nb", 2);
	json_text_ids(&t, NULL, (uint32_t[]){ 0, 4294967294u, UINT32_MAX }, 3, UINT32_MAX);
	assert_text(&t, "\"a\\n\",[0,4294967294,-1]");
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		json_text_short(&t, NULL, numbers[i]);
	assert_text(&t, "0,1000000000,12345678,0.5,-3,0.333333,1e+300,null,1e+09");
	json_text_release(&t);
}

/* To a stream, with breaks, safe in HTML, and longer than what is written at once. */
static void test_stream(void **state)
{
	struct memtext gathered;
	struct json_text t = { .out = memtext_begin(&gathered), .html = true };
	enum { MANY = 100000 };

	(void)state;
	assert_non_null(t.out);
	json_text_open(&t, NULL, '{');
	json_text_string(&t, "a", "<\x7f\xff");
	json_text_break(&t);
	json_text_open(&t, "b", '[');
	for (int i = 0; i < MANY; i++) {
		json_text_break(&t);
		json_text_whole(&t, NULL, -i);
	}
	json_text_break(&t);
	json_text_close(&t, ']');
	assert_int_equal(json_text_flush(&t), 0);
	json_text_figure(&t, "c", 123456.7);
	json_text_short(&t, "d", 123456.7);
	json_text_figure(&t, "e", 2.0 / 3);
	json_text_short(&t, "f", NAN);
	json_text_close(&t, '}');
	assert_int_equal(json_text_end(&t), 0);
	char *text = memtext_end(&gathered), *at = text;
	assert_non_null(text);
	static const char head[] = "{\"a\":\"\\u003c\\u007f\xef\xbf\xbd\",\n\"b\":[";
	assert_memory_equal(at, head, strlen(head));
	at += strlen(head);
	for (int i = 0; i < MANY; i++) {
		assert_memory_equal(at, i ? ",\n" : "\n", i ? 2 : 1);
		assert_int_equal(strtol(at + (i ? 2 : 1), &at, 10), -i);
	}
	assert_string_equal(at, "\n],\"c\":123457,\"d\":123457,\"e\":0.666667,\"f\":null}\n");
	free(text);
}

/* What cannot be written is an error. */
static void test_full(void **state)
{
	struct json_text t = { .out = fopen("/dev/full", "w") };

	(void)state;
	assert_non_null(t.out);
	setbuf(t.out, NULL);
	json_text_number(&t, NULL, 1);
	FILE *out = t.out;
	assert_int_equal(json_text_end(&t), -1);
	fclose(out);
}

int unit_json_text(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members), cmocka_unit_test(test_pages),
		cmocka_unit_test(test_strings), cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_stream),	cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

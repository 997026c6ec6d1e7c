/* SPDX-License-Identifier: Apache-2.0 */
/* test_accepted.c - files that accept findings: which lines are keys, and what is taken out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memtext.h"
#include "fix/accepted.h"
#include "fix_fixture.h"

static int read_bytes(struct accepted *a, const char *text, size_t len, char error[ACCEPTED_ERROR])
{
	char path[] = "/tmp/test_accepted.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), len);
	close(fd);
	int result = accepted_read(a, path, error);
	unlink(path);
	return result;
}

static void assert_read(struct accepted *a, const char *text)
{
	char error[ACCEPTED_ERROR] = "";

	*a = (struct accepted){ .n = 0 };
	if (read_bytes(a, text, strlen(text), error) < 0)
		fail_msg("%s", error);
}

static void test_lines(void **state)
{
	struct accepted a;

	(void)state;
	assert_read(&a, "# why\n"
			"\n"
			"  \t # more\n"
			"format com.acme.Shop.load\n"
			"\tequal   a.B.c#d  #  it is old # and small \r\n"
			"equal a.B.<init> because\n"
			"view x.Y.z #");
	assert_int_equal(a.n, 4);
	assert_string_equal(a.key[0].text, "format com.acme.Shop.load");
	assert_string_equal(a.key[0].reason, "");
	assert_int_equal(a.key[0].line, 4);
	assert_string_equal(a.key[1].text, "equal a.B.c#d");
	assert_string_equal(a.key[1].reason, "it is old # and small");
	assert_string_equal(a.key[2].reason, "because");
	assert_string_equal(a.key[3].text, "view x.Y.z");
	assert_string_equal(a.key[3].reason, "");
	assert_int_equal(a.key[3].line, 7);
	accepted_release(&a);
	assert_read(&a, "");
	assert_int_equal(a.n, 0);
	accepted_release(&a);
}

static void test_malformed(void **state)
{
	static const struct {
		const char *text, *line;
		size_t len; /* 0: to the NUL */
	} bad[] = {
		{ "format\n", "line 1 ", 0 },
		{ "# a\nformat # a.B.c\n", "line 2 ", 0 },
		{ "a b.c\na b.c\n\nfor mat\n", "line 4 ", 0 },
		{ "a b.c\0d\n", "line 1 ", 8 },
		{ "\0\0\0\0", "line 1 ", 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct accepted a = { .n = 0 };
		char error[ACCEPTED_ERROR] = "";
		size_t len = bad[i].len ? bad[i].len : strlen(bad[i].text);
		assert_int_equal(read_bytes(&a, bad[i].text, len, error), -1);
		assert_non_null(strstr(error, bad[i].line));
		accepted_release(&a);
	}
	struct accepted a = { .n = 0 };
	char error[ACCEPTED_ERROR] = "";
	assert_int_equal(accepted_read(&a, "/nowhere/at/all", error), -1);
	assert_string_equal(error, "No such file or directory");
	assert_int_equal(accepted_read(&a, "/tmp", error), -1);
	assert_string_equal(error, "Is a directory");
	accepted_release(&a);
}

/* What is accepted is in no sum but its own; the others move up. */
static void test_taken_out(void **state)
{
	struct fixture *f = *state;
	const struct accepted_key *first = NULL;
	struct accepted a;

	ALLOCATE(f, "[I", 100, HELPERS, FORMAT, OWN);
	ALLOCATE(f, "[I", 300, HELPERS, FORMAT, "Lcom/acme/Shop; store 7");
	ALLOCATE(f, "[I", 1, "Lcom/acme/Shop; other 8");
	find(f);
	size_t all = f->fixes.n;
	double bytes = f->fixes.bytes;
	assert_read(&a, "format com.acme.Shop.loads\nformat com.acme.Shop.store\n");
	accepted_take_out(&a, &f->fixes);
	assert_int_equal(f->fixes.n, all - 1);
	assert_int_equal(f->fixes.gains, 1);
	assert_fix(f->fixes.fix, "format", ADVICE_CERTAIN, 100);
	assert_int_equal(f->fixes.fix[0].rank, 1);
	assert_float_equal(f->fixes.certain.value, 100 * SIZE, 1e-6);
	assert_float_equal(f->fixes.bytes, bytes, 0);
	assert_int_equal(f->fixes.accepted.n, 1);
	assert_float_equal(f->fixes.accepted.expected, 300 * SIZE, 1e-6);
	assert_float_equal(f->fixes.accepted.avoidable.value, 300 * SIZE, 1e-6);
	assert_true(f->fixes.accepted.avoidable.range.low < 300 * SIZE);
	assert_int_equal(accepted_stale(&a, &first), 1);
	assert_int_equal(first->line, 1);
	accepted_release(&a);
	/* a second file takes out more; a key that stands twice is found twice */
	assert_read(&a, "format com.acme.Shop.load\nformat com.acme.Shop.load\n");
	accepted_take_out(&a, &f->fixes);
	assert_int_equal(f->fixes.gains, 0);
	assert_float_equal(f->fixes.certain.value, 0, 0);
	assert_int_equal(f->fixes.accepted.n, 2);
	assert_float_equal(f->fixes.accepted.expected, 400 * SIZE, 1e-6);
	assert_int_equal(accepted_stale(&a, &first), 0);
	accepted_release(&a);
}

static char *written(const struct fixes *fixes, const struct accepted *a, size_t keys)
{
	struct memtext text;

	assert_int_equal(accepted_write(memtext_begin(&text), fixes, NULL, a), keys);
	return memtext_end(&text);
}

/* What is written accepts all, whatever names have; the model has made some characters safe. */
static void test_written(void **state)
{
	struct fixture *f = *state;
	struct accepted a;

	ALLOCATE(f, "[I", 100, HELPERS, FORMAT, OWN);
	ALLOCATE(f, "[I", 300, HELPERS, FORMAT,
		 "Lcom/acme/Shop; a\\b\x1b\xff\xe2\x80\xae\xc3\xb1 7");
	ALLOCATE(f, "[I", 1, "Lcom/acme/Shop; other 8");
	find(f);
	char *text = written(&f->fixes, NULL, 2);
	assert_string_equal(
		text, "# Findings that --accept leaves out: their keys, and why.\n"
		      "format com.acme.Shop.a\\x5cb??\\xe2\\x80\\xae\xc3\xb1  # certain 7.0 kB, "
		      "Test.java:7\n"
		      "format com.acme.Shop.load  # certain 2.3 kB, Test.java:49\n");
	assert_read(&a, text);
	free(text);
	assert_int_equal(a.n, 2);
	accepted_take_out(&a, &f->fixes);
	assert_int_equal(f->fixes.gains, 0);
	assert_int_equal(f->fixes.accepted.n, 2);
	/* reasons stay */
	free(a.key[1].reason);
	a.key[1].reason = strdup("it is old");
	text = written(&f->fixes, &a, 2);
	assert_non_null(strstr(text, "\nformat com.acme.Shop.load  # it is old\n"));
	assert_non_null(strstr(text, "\xc3\xb1  # certain 7.0 kB, Test.java:7\n"));
	free(text);
	accepted_release(&a);
}

int unit_accepted(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_malformed),
		TEST(test_taken_out),
		TEST(test_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

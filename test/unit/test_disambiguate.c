/* SPDX-License-Identifier: Apache-2.0 */
/* What distinguishes stacks that have the same title. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/disambiguate.h"

#define FRAMES 8

/* A stack of methods named by letters, innermost first; '1' is a fold. */
struct stack {
	struct model_frame frames[FRAMES];
	char names[FRAMES][2];
	struct callstack stack;
};

static void make(struct stack *s, const char *methods)
{
	memset(s, 0, sizeof *s);
	s->stack = (struct callstack){ .frames = s->frames, .n = strlen(methods) };
	for (size_t i = 0; methods[i]; i++) {
		s->names[i][0] = methods[i];
		s->frames[i] = (struct model_frame){ .class_name = "A", .method = s->names[i] };
		s->frames[i].folded = methods[i] == '1';
	}
}

/* For stacks with one title each, checks the letters of the distinguishing frames; '-': none. */
static void check(const char *const *methods, const uint64_t *titles, size_t n, const char *want)
{
	struct stack stacks[FRAMES];
	struct disambiguate_item items[FRAMES];

	for (size_t i = 0; i < n; i++) {
		make(&stacks[i], methods[i]);
		items[i] =
			(struct disambiguate_item){ .title = titles[i], .stack = &stacks[i].stack };
	}
	disambiguate(items, n);
	for (size_t i = 0; i < n; i++) {
		char got = items[i].via ? methods[i][items[i].via] : '-';
		assert_int_equal(got, want[i]);
	}
}

static void test_nearest(void **state)
{
	static const char *const methods[] = { "abcx", "abdx", "aezz", "abdy" };
	static const uint64_t titles[] = { 1, 1, 1, 1 };

	(void)state;
	check(methods, titles, 4, "cxey");
}

static void test_other_titles(void **state)
{
	static const char *const methods[] = { "abc", "abd", "abe" };
	static const uint64_t titles[] = { 1, 2, 1 };

	(void)state;
	check(methods, titles, 3, "c-e");
}

/*
 * Nothing distinguishes equal stacks, nor a stack that is the beginning of another; stacks that
 * differ at once need nothing.
 */
static void test_none(void **state)
{
	static const char *const methods[] = { "ab", "ab", "abc", "x", "" };
	static const uint64_t titles[] = { 1, 1, 1, 1, 1 };

	(void)state;
	check(methods, titles, 5, "--c--");
	check(methods, titles, 2, "--");
	check(methods, titles, 1, "-");
	check(methods, titles, 0, "");
}

static void test_twins(void **state)
{
	static const char *const methods[] = { "abc", "abc", "abd" };
	static const uint64_t titles[] = { 7, 7, 7 };

	(void)state;
	check(methods, titles, 3, "ccd");
}

static void test_folds(void **state)
{
	static const char *const methods[] = { "ab1c", "abd", "ab1" };
	static const uint64_t titles[] = { 1, 1, 1 };

	(void)state;
	check(methods, titles, 3, "cd-");
}

int unit_disambiguate(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nearest), cmocka_unit_test(test_other_titles),
		cmocka_unit_test(test_none),	cmocka_unit_test(test_twins),
		cmocka_unit_test(test_folds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

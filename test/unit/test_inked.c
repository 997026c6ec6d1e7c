/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_inked.c - prepares rendered text for a screen: inks from escape sequences, lines cut and
 * wrapped to a width, scrolling.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/inked.h"

static const struct style color = { .utf8 = true, .color = true };

static struct inked_lines lines_of(const char *text)
{
	struct inked_lines l;

	inked_take(&l, strdup(text));
	return l;
}

static int set_locale(void **state)
{
	(void)state;
	setlocale(LC_CTYPE, "C.UTF-8");
	return 0;
}

static void test_inked(void **state)
{
	struct inked_lines l = lines_of("one\n\nthree");

	(void)state;
	assert_int_equal(l.n, 3);
	assert_int_equal(l.line[0].width, 3);
	assert_int_equal(l.line[1].len, 0);
	assert_int_equal(l.line[2].width, 5);
	inked_release(&l);
	l = lines_of("");
	assert_int_equal(l.n, 0);
	inked_release(&l);
}

/* Every ink that a renderer writes is recognised, and does not count as width. */
static void test_inks(void **state)
{
	char text[128];

	(void)state;
	for (int ink = INK_BOLD; ink <= INK_CYAN; ink++) {
		snprintf(text, sizeof text, "a%sbc%sd", style_on(&color, (enum ink)ink),
			 style_off(&color, (enum ink)ink));
		struct inked_lines l = lines_of(text);
		struct inked_cursor c = INKED_CURSOR(&l.line[0]);
		struct inked_piece p;
		assert_int_equal(l.line[0].width, 4);
		assert_true(inked_next(&c, &p));
		assert_int_equal(p.ink, INK_PLAIN);
		assert_int_equal(p.len, 1);
		assert_true(inked_next(&c, &p));
		assert_int_equal(p.ink, ink);
		assert_memory_equal(p.text, "bc", 2);
		assert_true(inked_next(&c, &p));
		assert_int_equal(p.ink, INK_PLAIN);
		assert_false(inked_next(&c, &p));
		inked_release(&l);
	}
}

static void test_cut(void **state)
{
	const struct inked_piece ascii = { .text = "abcdef", .len = 6, .width = 6 };
	/* a, two columns, z */
	const struct inked_piece wide = { .text = "a\xe5\xad\x97z", .len = 5, .width = 4 };

	(void)state;
	assert_int_equal(inked_cut(ascii, 4).len, 4);
	assert_int_equal(inked_cut(ascii, 10).len, 6);
	assert_int_equal(inked_cut(ascii, 0).len, 0);
	assert_int_equal(inked_cut(wide, 2).len, 1);
	assert_int_equal(inked_cut(wide, 2).width, 1);
	assert_int_equal(inked_cut(wide, 3).len, 4);
}

/* What is left of a line that is scrolled sideways has the inks that it had. */
static void test_skip(void **state)
{
	/* a, red: b, a character of two columns, c; plain: z */
	char text[64];

	(void)state;
	snprintf(text, sizeof text,
		 "a%sb\xe5\xad\x97"
		 "c%sz",
		 style_on(&color, INK_RED), style_off(&color, INK_RED));
	static const struct {
		size_t skip;
		const char *left;
		enum ink ink;
	} tries[] = {
		{ 0, "a", INK_PLAIN },
		{ 1,
		  "b\xe5\xad\x97"
		  "c",
		  INK_RED },
		{ 2,
		  "\xe5\xad\x97"
		  "c",
		  INK_RED },
		{ 3, "c", INK_RED },
		{ 4, "c", INK_RED },
		{ 5, "z", INK_PLAIN },
	};
	struct inked_lines l = lines_of(text);
	struct inked_piece p;
	for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
		struct inked_cursor c = INKED_CURSOR(&l.line[0]);
		inked_skip(&c, tries[i].skip);
		assert_true(inked_next(&c, &p));
		assert_int_equal(p.len, strlen(tries[i].left));
		assert_memory_equal(p.text, tries[i].left, p.len);
		assert_int_equal(p.ink, tries[i].ink);
	}
	struct inked_cursor c = INKED_CURSOR(&l.line[0]);
	inked_skip(&c, 100);
	assert_false(inked_next(&c, &p));
	inked_release(&l);
}

static void line_is(const struct inked_lines *l, size_t i, const char *text)
{
	assert_true(i < l->n);
	assert_int_equal(l->line[i].len, strlen(text));
	assert_memory_equal(l->line[i].text, text, strlen(text));
}

/* Continuation lines are indented like the text behind a label; without a label, a little. */
static void test_wrap(void **state)
{
	struct inked_lines l =
		lines_of("  fix    look each up here\nshort\n  at a place of its own");

	(void)state;
	inked_wrap(&l, 19);
	line_is(&l, 0, "  fix    look each");
	line_is(&l, 1, "         up here");
	line_is(&l, 2, "short");
	line_is(&l, 3, "  at a place of its");
	line_is(&l, 4, "      own");
	assert_int_equal(l.n, 5);
	inked_release(&l);
}

/* A number stays with what belongs to it. */
static void test_wrap_shares(void **state)
{
	struct inked_lines l = lines_of("  group  identical 91.3 % [69-99]; more");

	(void)state;
	for (size_t width = 26; width < 33; width++) {
		inked_wrap(&l, width);
		line_is(&l, 0, "  group  identical");
		inked_release(&l);
		l = lines_of("  group  identical 91.3 % [69-99]; more");
	}
	inked_wrap(&l, 34);
	line_is(&l, 0, "  group  identical 91.3 % [69-99];");
	line_is(&l, 1, "         more");
	inked_release(&l);
}

static void test_wrap_units(void **state)
{
	struct inked_lines l = lines_of("it makes 12.3 MB; in 20 min.");

	(void)state;
	inked_wrap(&l, 14);
	line_is(&l, 0, "it makes");
	line_is(&l, 1, "    12.3 MB;");
	line_is(&l, 2, "    in 20 min.");
	inked_release(&l);
	/* not every short word behind a number is one */
	l = lines_of("Foo.java:12 makes");
	inked_wrap(&l, 14);
	line_is(&l, 0, "Foo.java:12");
	inked_release(&l);
}

/* Words that are wider than the screen are broken; nothing is lost at any width. */
static void test_wrap_narrow(void **state)
{
	static const char text[] = "  com.acme.Very.long (Name.java:12)";

	(void)state;
	for (size_t width = 1; width < 40; width++) {
		struct inked_lines l = lines_of(text);
		char joined[128];
		size_t n = 0;
		inked_wrap(&l, width);
		for (size_t i = 0; i < l.n; i++) {
			assert_true(l.line[i].width <= width);
			for (size_t k = 0; k < l.line[i].len; k++)
				if (l.line[i].text[k] != ' ')
					joined[n++] = l.line[i].text[k];
		}
		joined[n] = '\0';
		assert_string_equal(joined, "com.acme.Very.long(Name.java:12)");
		inked_release(&l);
	}
}

static void test_wrap_keeps_inks(void **state)
{
	char text[64];
	struct inked_piece p;

	(void)state;
	snprintf(text, sizeof text, "%saaaa bbbb%s", style_on(&color, INK_RED),
		 style_off(&color, INK_RED));
	struct inked_lines l = lines_of(text);
	inked_wrap(&l, 5);
	assert_int_equal(l.n, 2);
	struct inked_cursor c = INKED_CURSOR(&l.line[1]);
	do
		assert_true(inked_next(&c, &p));
	while (*p.text == ' ');
	assert_int_equal(p.ink, INK_RED);
	inked_release(&l);
}

/* A link that is wrapped is one on both lines, and counts as no width. */
static void test_wrap_keeps_links(void **state)
{
	static const char to[] = UTF8_LINK "file:///a" UTF8_LINK_END;
	static const char end[] = UTF8_LINK UTF8_LINK_END;
	char text[128], wrapped[256];

	(void)state;
	snprintf(text, sizeof text, "aaaa %sbbbb cccc%s dddd", to, end);
	struct inked_lines l = lines_of(text);
	assert_int_equal(l.line[0].width, 19);
	inked_wrap(&l, 10);
	snprintf(wrapped, sizeof wrapped, "aaaa %sbbbb%s\n    %scccc%s\n    dddd\n", to, end, to,
		 end);
	assert_string_equal(l.text, wrapped);
	inked_release(&l);
}

static void test_scroll(void **state)
{
	(void)state;
	assert_int_equal(inked_scroll(0, 5, 100, 20), 5);
	assert_int_equal(inked_scroll(70, 20, 100, 20), 80);
	assert_int_equal(inked_scroll(5, -20, 100, 20), 0);
	assert_int_equal(inked_scroll(5, 0, 10, 20), 0);
	assert_int_equal(inked_scroll(80, 0, 100, 50), 50); /* the screen has grown */
	assert_int_equal(inked_scroll((size_t)-1 / 2, 0, 100, 20), 80);
}

int unit_inked(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inked),
		cmocka_unit_test(test_inks),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_skip),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_wrap_shares),
		cmocka_unit_test(test_wrap_units),
		cmocka_unit_test(test_wrap_narrow),
		cmocka_unit_test(test_wrap_keeps_inks),
		cmocka_unit_test(test_wrap_keeps_links),
		cmocka_unit_test(test_scroll),
	};

	return cmocka_run_group_tests(tests, set_locale, NULL);
}

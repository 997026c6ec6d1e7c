/* SPDX-License-Identifier: Apache-2.0 */
/* test_table.c - cells cut to the width of a line: which end stays, and which part of a site. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/table.h"
#include "base/utf8.h"
#include "report/columns.h"

#define SITE "Arrays.copyOf:3537 ← Shop.load:20"

/* The line below the headings of a table with a figure of 60 columns and a cell that is cut. */
static char *line_of(const char *text, unsigned flags, unsigned room)
{
	const struct style style = { .utf8 = true, .width = 60 + 2 + room };
	struct table t = TABLE_INIT;
	char *all = NULL, *line;
	char figure[61];
	size_t len;
	FILE *out = open_memstream(&all, &len);

	memset(figure, '1', 60);
	figure[60] = '\0';
	assert_non_null(out);
	table_add_column(&t, 0, 0);
	table_add_column(&t, flags, 0);
	table_add(&t, "figure", INK_PLAIN);
	table_add(&t, "site", INK_PLAIN);
	table_add(&t, figure, INK_PLAIN);
	table_add(&t, text, INK_PLAIN);
	table_put(&t, out, &style);
	table_release(&t);
	fclose(out);
	line = strstr(all, figure);
	assert_non_null(line);
	line += 62;
	line[strcspn(line, "\n")] = '\0';
	memmove(all, line, strlen(line) + 1);
	return all;
}

static void assert_line(const char *text, unsigned flags, unsigned room, const char *want)
{
	char *line = line_of(text, flags, room);

	assert_string_equal(line, want);
	assert_true(utf8_width(line) <= room);
	free(line);
}

static void test_ends(void **state)
{
	(void)state;
	assert_line("com.acme.shop.Customer", COLUMN_TAIL, 15, "….shop.Customer");
	assert_line("com.acme.shop.Customer", COLUMN_TAIL, 30, "com.acme.shop.Customer");
	assert_line("Shop.aMethodWithALongName:20", COLUMN_HEAD, 24, "Shop.aMethodWithALon…:20");
	assert_line("DismantleBytecode.java:546", COLUMN_HEAD, 20, "DismantleByteco…:546");
	assert_line("DismantleBytecode.java:546 +3 more", COLUMN_HEAD, 29,
		    "DismantleBytecode.java:546 +…");
	assert_line("DismantleBytecode.java:546 +3 more", COLUMN_HEAD, 26,
		    "DismantleBytecode.java:546");
}

/* If not everything fits, packages are dropped completely, not in part. */
static void test_packages(void **state)
{
	(void)state;
	assert_line("com.acme.shop.Customer[]", COLUMN_TAIL | COLUMN_CLASS, 24,
		    "com.acme.shop.Customer[]");
	assert_line("com.acme.shop.Customer[]", COLUMN_TAIL | COLUMN_CLASS, 23, "Customer[]");
	assert_line("com.acme.shop.ACustomerWithALongName", COLUMN_TAIL | COLUMN_CLASS, 15,
		    "…rWithALongName");
}

/* The program's own place distinguishes two lines of Arrays.copyOf. */
static void test_sites(void **state)
{
	(void)state;
	assert_line(SITE, COLUMN_HEAD, 33, SITE);
	assert_line(SITE, COLUMN_HEAD, 30, "Arrays.co…:3537 ← Shop.load:20");
	assert_line(SITE, COLUMN_HEAD, 21, "Array… ← Shop.load:20");
	assert_line("Arrays.copyOf:3537 ← Shop.loadItAll:20", COLUMN_HEAD, 20,
		    "← Shop.loadItAll:20");
	assert_line("Arrays.copyOf:3537 ← Shop.loadEverything:20", COLUMN_HEAD, 20,
		    "← Shop.loadEvery…:20");
	/* not a site, whatever it contains */
	assert_line("if (x←y) return a longer text", COLUMN_HEAD, 22, "if (x←y) return a lon…");
}

int unit_table(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_packages),
		cmocka_unit_test(test_sites),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

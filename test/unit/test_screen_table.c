/* SPDX-License-Identifier: Apache-2.0 */
/* test_screen_table.c - the table on a screen: order, filter, cursor, and the part that fits. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "builder.h"
#include "live/rates.h"
#include "live/screen_table.h"

enum { ROWS = 40 };

struct fixture {
	struct model *model;
	struct rows rows;
	struct screen_table table;
	struct rates rates;
	struct style style;
	struct cell_context ctx;
};

/*
 * Row i: class com.acme.Item<i> allocated in com.acme.shop.Maker<i % 4>.make; i objects of 100
 * bytes.
 */
static void fill(struct model *m)
{
	struct builder b = BUILDER_INIT;
	char class_name[64], maker[64];

	for (uint32_t i = 1; i <= ROWS; i++) {
		snprintf(class_name, sizeof class_name, "Lcom/acme/Item%u;", i);
		snprintf(maker, sizeof maker, "Lcom/acme/shop/Maker%u;", i % 4);
		build_site(&b, i, class_name, maker, "make", (int)i);
		build_alloc(&b, i, 0, 100, i);
	}
	assert_int_equal(builder_feed(&b, m, 1), 0);
	builder_release(&b);
}

static int setup(void **state)
{
	const struct rows_options how = { .replica = REPLICA_OPTIONS_INIT, .lazy = true };
	struct fixture *f = calloc(1, sizeof *f);

	setlocale(LC_CTYPE, "C.UTF-8");
	assert_non_null(f);
	f->model = model_new(analyses);
	fill(f->model);
	rows_make(&f->rows, f->model, &how);
	f->style = (struct style){ .utf8 = true, .width = 80 };
	f->ctx = (struct cell_context){
		.style = &f->style,
		.min_pairs = 5,
		.confidence = 0.95,
		.rates = &f->rates,
		.rate = rates_bytes,
	};
	screen_table_begin(&f->table, COLUMN_TOP, column_find("bytes"));
	assert_int_equal(screen_table_set_rows(&f->table, &f->rows, &f->ctx), 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	screen_table_release(&f->table);
	rates_release(&f->rates);
	rows_release(&f->rows);
	model_free(f->model);
	free(f);
	return 0;
}

static void at_cursor(const struct fixture *f, const char *class_name)
{
	const struct row *row = screen_table_row(&f->table);

	assert_non_null(row);
	assert_string_equal(row_class(row), class_name);
}

/* Line i of the screen, allocated; *cursor is the line of the cursor. */
static char *screen_line(struct fixture *f, size_t height, size_t i, size_t *cursor, size_t *n)
{
	struct inked_lines l;

	screen_table_lines(&f->table, &f->ctx, height, &l, cursor);
	*n = l.n;
	char *text = i < l.n ? strndup(l.line[i].text, l.line[i].len) : strdup("");
	for (size_t k = 0; k < l.n; k++)
		assert_true(f->style.width < 80 || l.line[k].width <= f->style.width);
	inked_release(&l);
	return text;
}

static void test_sort(void **state)
{
	struct fixture *f = *state;

	at_cursor(f, "com.acme.Item40");
	screen_table_move(&f->table, 3);
	assert_int_equal(screen_table_sort(&f->table, screen_table_key_of(&f->table, 'n'), &f->ctx),
			 0);
	assert_int_equal(f->table.cursor, 0);
	assert_ptr_equal(f->table.key, column_find("pairs"));
	assert_null(screen_table_key_of(&f->table, 'z'));
	assert_null(screen_table_key_of(&f->table, 0));
}

/* Of lines with nothing else known, those that still allocate come first. */
static void test_live_ties(void **state)
{
	struct fixture *f = *state;
	const uint64_t second = 1000000000;

	assert_int_equal(rates_update(&f->rates, &f->rows, second, true), 0);
	for (size_t i = 0; i < f->rows.table.n; i++)
		if (strcmp(row_class(rows_at(&f->rows, i)), "com.acme.Item7") == 0)
			rows_at(&f->rows, i)->replica.bytes += 10;
	assert_int_equal(rates_update(&f->rates, &f->rows, 100 * second, true), 0);
	assert_int_equal(
		screen_table_sort(&f->table, live_column_find("saved/s", COLUMN_TOP), &f->ctx), 0);
	at_cursor(f, "com.acme.Item7");
	screen_table_move(&f->table, 1);
	at_cursor(f, "com.acme.Item40");
}

/* From one key to the next, through all of them, and back. */
static void test_keys_beside(void **state)
{
	struct fixture *f = *state;
	const struct column *first = live_column_find("saved/s", COLUMN_TOP), *key = first;
	size_t n = 1;

	assert_int_equal(screen_table_sort(&f->table, first, &f->ctx), 0);
	assert_null(screen_table_key_beside(&f->table, -1));
	while ((key = screen_table_key_beside(&f->table, 1))) {
		assert_true(column_is_key(key));
		assert_int_equal(screen_table_sort(&f->table, key, &f->ctx), 0);
		n++;
	}
	assert_ptr_equal(f->table.key, column_find("pairs"));
	while ((key = screen_table_key_beside(&f->table, -1))) {
		assert_int_equal(screen_table_sort(&f->table, key, &f->ctx), 0);
		n--;
	}
	assert_int_equal(n, 1);
	assert_ptr_equal(f->table.key, first);
}

static void test_filter(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(screen_table_set_filter(&f->table, "item3"), 0); /* 3, 30..39 */
	assert_int_equal(f->table.n, 11);
	at_cursor(f, "com.acme.Item39");
	assert_int_equal(screen_table_set_filter(&f->table, "itemX"), 0);
	assert_int_equal(f->table.n, 0);
	assert_null(screen_table_row(&f->table));
	screen_table_move(&f->table, 5);
	assert_null(screen_table_row(&f->table));
	/* case matters if the text has capitals */
	assert_int_equal(screen_table_set_filter(&f->table, "ITEM3"), 0);
	assert_int_equal(f->table.n, 0);
	/* the site, which summaries do not contain */
	assert_int_equal(screen_table_set_filter(&f->table, "acme.shop.Maker2.make"), 0);
	assert_int_equal(f->table.n, 10);
	at_cursor(f, "com.acme.Item38");
	/* the line, as the table shows it */
	assert_int_equal(screen_table_set_filter(&f->table, "test.java:7"), 0);
	assert_int_equal(f->table.n, 1);
	at_cursor(f, "com.acme.Item7");
	assert_int_equal(screen_table_set_filter(&f->table, ""), 0);
	assert_int_equal(f->table.n, ROWS);
	/* longer than the filter can be */
	char longest[3 * SCREEN_TABLE_FILTER];
	memset(longest, 'x', sizeof longest);
	longest[sizeof longest - 1] = '\0';
	assert_int_equal(screen_table_set_filter(&f->table, longest), 0);
	assert_int_equal(strlen(f->table.filter), SCREEN_TABLE_FILTER - 1);
}

/* The cursor stays on its row when others overtake it, except at the top. */
static void test_cursor(void **state)
{
	struct fixture *f = *state;

	screen_table_move(&f->table, 1000);
	at_cursor(f, "com.acme.Item1");
	screen_table_move(&f->table, -1);
	at_cursor(f, "com.acme.Item2");
	for (size_t i = 0; i < f->rows.table.n; i++)
		if (strcmp(row_class(rows_at(&f->rows, i)), "com.acme.Item2") == 0)
			rows_at(&f->rows, i)->replica.bytes = 3950;
	assert_int_equal(screen_table_set_rows(&f->table, &f->rows, &f->ctx), 0);
	at_cursor(f, "com.acme.Item2");
	assert_int_equal(f->table.cursor, 1);
	assert_int_equal(screen_table_set_filter(&f->table, "Item2"), 0);
	at_cursor(f, "com.acme.Item2");

	assert_int_equal(screen_table_set_filter(&f->table, ""), 0);
	screen_table_move(&f->table, -1000);
	at_cursor(f, "com.acme.Item40");
	rows_at(&f->rows, 30)->replica.bytes = 1e6;
	assert_int_equal(screen_table_set_rows(&f->table, &f->rows, &f->ctx), 0);
	assert_int_equal(f->table.cursor, 0);
	assert_float_equal(screen_table_row(&f->table)->replica.bytes, 1e6, 0);
	/* rows that are freed */
	assert_int_equal(screen_table_set_rows(&f->table, NULL, &f->ctx), 0);
	assert_null(screen_table_row(&f->table));
}

/*
 * The cursor's line is always visible, whatever the height, and no line is wider than the screen.
 */
static void test_resize(void **state)
{
	struct fixture *f = *state;
	static const unsigned widths[] = { 40, 60, 80, 100, 132, 160, 200, 400, 0 };

	for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++)
		for (size_t height = 2; height < 60; height += 7)
			for (long line = 0; line < ROWS; line += 13) {
				size_t cursor, n;
				f->style.width = widths[w];
				screen_table_move(&f->table, -ROWS);
				screen_table_move(&f->table, line);
				free(screen_line(f, height, 0, &cursor, &n));
				assert_int_equal(n, height - 1 < ROWS ? height : ROWS + 1);
				assert_in_range(cursor, 1, n - 1);
				char *text = screen_line(f, height, cursor, &cursor, &n);
				char name[16];
				snprintf(name, sizeof name, "%zu", ROWS - (size_t)line);
				assert_non_null(strstr(text, name));
				free(text);
			}
}

/* Which columns narrow screens drop, and which never. */
static void test_columns(void **state)
{
	struct fixture *f = *state;
	size_t cursor, n;

	char *text = screen_line(f, 10, 0, &cursor, &n);
	assert_non_null(strstr(text, "saved/s  bytes/s  objects/s  trend"));
	assert_non_null(strstr(text, "verdict"));
	assert_non_null(strstr(text, "  line"));
	assert_null(strstr(text, "site"));
	assert_null(strstr(text, "%")); /* Greek goes first */
	assert_null(strstr(text, "["));
	free(text);
	text = screen_line(f, 10, 1, &cursor, &n);
	assert_non_null(strstr(text, "Test.java:40  "));
	free(text);
	f->style.width = 200;
	text = screen_line(f, 10, 0, &cursor, &n);
	assert_non_null(strstr(text, "objects/s"));
	assert_non_null(strstr(text, "group % [95 %]"));
	assert_non_null(strstr(text, "verdict"));
	assert_non_null(strstr(text, "  line"));
	assert_non_null(strstr(text, "site"));
	free(text);
	f->style.width = 80;
	f->table.grouping = ROWS_BY_CONTEXT;
	text = screen_line(f, 10, 0, &cursor, &n);
	assert_null(strstr(text, "  line"));
	assert_non_null(strstr(text, "site"));
	free(text);
	f->style.width = 200;
	f->style.utf8 = false;
	text = screen_line(f, 10, 0, &cursor, &n);
	assert_non_null(strstr(text, "theta %"));
	for (const char *p = text; *p; p++)
		assert_in_range(*p, ' ', '~');
	free(text);
}

static struct row *row_of(struct fixture *f, const char *class_name)
{
	for (size_t i = 0; i < f->rows.table.n; i++)
		if (strcmp(row_class(rows_at(&f->rows, i)), class_name) == 0)
			return rows_at(&f->rows, i);
	fail_msg("no row of %s", class_name);
	return NULL;
}

/*
 * The cursor stays on its row when others overtake it; at the top it shows the leading row, also
 * among filtered rows.
 */
static void test_update(void **state)
{
	struct fixture *f = *state;

	screen_table_move(&f->table, 2);
	at_cursor(f, "com.acme.Item38");
	row_of(f, "com.acme.Item5")->replica.bytes = 1e6;
	assert_int_equal(screen_table_set_rows(&f->table, &f->rows, &f->ctx), 0);
	at_cursor(f, "com.acme.Item38");
	assert_int_equal(f->table.cursor, 3);
	assert_int_equal(screen_table_rank(&f->table), 4);
	screen_table_move(&f->table, -3);
	at_cursor(f, "com.acme.Item5");
	assert_int_equal(screen_table_set_filter(&f->table, "Item3"), 0);
	at_cursor(f, "com.acme.Item39");
	row_of(f, "com.acme.Item35")->replica.bytes = 2e6;
	assert_int_equal(screen_table_set_rows(&f->table, &f->rows, &f->ctx), 0);
	at_cursor(f, "com.acme.Item35");
	assert_int_equal(f->table.n, 11);
	assert_int_equal(screen_table_rank(&f->table), 1);
	screen_table_move(&f->table, 1);
	assert_int_equal(screen_table_rank(&f->table), 4); /* Item35, Item5, Item40, Item39 */
}

/* Lines of one class and site are distinguished by their callers, also for summaries. */
static void test_told_apart(void **state)
{
	static const char *const names[] = { "make", "load", "store" };
	struct fixture *f = *state;
	struct builder b = BUILDER_INIT;
	struct screen_table v;
	struct inked_lines l;
	size_t cursor;

	for (uint32_t i = 0; i < 3; i++)
		build_method(&b, 1000 + i, "Lcom/acme/Maker;", names[i], NULL, NULL, 0);
	for (uint32_t i = 1; i < 3; i++) {
		const struct wire_frame frames[] = { { .method = 1000 }, { .method = 1000 + i } };
		build_stack(&b, 1000 + i, 0, frames, 2);
		build_context(&b, 1000 + i, 1, 1000 + i);
		build_alloc(&b, 1000 + i, 0, 24, 1e6);
	}
	assert_int_equal(builder_feed(&b, f->model, 1), 0);
	builder_release(&b);
	rows_release(&f->rows);
	const struct rows_options how = { .replica = REPLICA_OPTIONS_INIT, .lazy = true };
	rows_make(&f->rows, f->model, &how);
	screen_table_begin(&v, COLUMN_TOP, column_find("bytes"));
	assert_int_equal(screen_table_set_rows(&v, &f->rows, &f->ctx), 0);
	f->style.width = 200;
	screen_table_lines(&v, &f->ctx, 3, &l, &cursor);
	assert_int_equal(l.n, 3);
	assert_non_null(strstr(l.line[1].text, "Maker.make via Maker.load"));
	assert_non_null(strstr(l.line[2].text, "Maker.make via Maker.store"));
	inked_release(&l);
	screen_table_release(&v);
	assert_int_equal(screen_table_set_rows(&f->table, NULL, &f->ctx), 0);
}

int unit_screen_table(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_sort, setup, teardown),
		cmocka_unit_test_setup_teardown(test_live_ties, setup, teardown),
		cmocka_unit_test_setup_teardown(test_keys_beside, setup, teardown),
		cmocka_unit_test_setup_teardown(test_filter, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cursor, setup, teardown),
		cmocka_unit_test_setup_teardown(test_update, setup, teardown),
		cmocka_unit_test_setup_teardown(test_told_apart, setup, teardown),
		cmocka_unit_test_setup_teardown(test_resize, setup, teardown),
		cmocka_unit_test_setup_teardown(test_columns, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

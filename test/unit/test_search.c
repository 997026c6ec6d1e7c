/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_search.c - rows that contain a text: whatever is remembered of classes and frames, those that a look at each row's
 * class and resolved stack would find.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "builder.h"
#include "live/search.h"

enum { CONTEXTS = 120, METHODS = 11 };

static const struct rows_options how = { .replica = REPLICA_OPTIONS_INIT, .brief = true };

/* Half of the methods are the JDK's, so that most rows have a frame of their own further out. */
static void add_method(struct builder *b, uint32_t id)
{
	static const char *const classes[] = { "Ljava/util/ArrayList;", "Lcom/acme/shop/Shop;",
					       "Lsun/misc/Util;", "Lorg/site/Page;",
					       "Ljdk/internal/Thing;" };
	char name[16];

	snprintf(name, sizeof name, "make%u", id);
	build_method(b, id, classes[id % 5], name, NULL, NULL, 0);
}

static void add_context(struct builder *b, uint32_t id)
{
	struct wire_frame frames[4];
	char class_name[32];

	for (uint32_t i = 0; i < 4; i++)
		frames[i] = (struct wire_frame){ .method = 1 + build_random(id * 8 + i) % METHODS };
	if (id % 9 == 0)
		frames[2] =
			(struct wire_frame){ .method = 0, .bci = 1 }; /* the one before repeats */
	snprintf(class_name, sizeof class_name, "Lcom/acme/data/Value%u;", id % 7);
	build_class(b, id, class_name, NULL, 0);
	build_stack(b, id, 0, frames, id % 5);
	build_context(b, id, id, id % 11 ? id : 100000); /* one that is not there */
	build_alloc(b, id, 0, 24, 1);
}

static struct model *make_model(uint32_t contexts)
{
	struct builder b = BUILDER_INIT;
	struct model *m = model_new();

	assert_non_null(m);
	for (uint32_t i = 1; i <= METHODS; i++)
		add_method(&b, i);
	for (uint32_t i = 1; i <= contexts; i++)
		add_context(&b, i);
	assert_int_equal(builder_feed(&b, m, 1 + contexts % 2), 0);
	builder_release(&b);
	return m;
}

static bool frame_has(const struct callstack *s, size_t i, const char *text)
{
	char name[256];

	if (i >= s->n)
		return false;
	snprintf(name, sizeof name, "%s.%s", s->frames[i].class_name, s->frames[i].method);
	return strstr(name, text) != NULL;
}

/* As one would ask if there were few. Texts have capitals, or names none where they are. */
static void assert_found(const struct search *s, const struct model *m, const struct rows *rows,
			 const char *text, size_t least)
{
	size_t found = 0;

	for (size_t i = 0; i < rows->n; i++) {
		const struct row *row = &rows->row[i];
		struct callstack stack;
		assert_int_equal(callstack_resolve(&stack, m, row->jvm, row->stack_id), 0);
		bool want = strstr(row_class(row), text) || frame_has(&stack, 0, text) ||
			    frame_has(&stack, callstack_application(&stack), text);
		callstack_release(&stack);
		found += want;
		if (search_takes(s, i) != want)
			fail_msg("row %zu, text '%s': not %d", i, text, search_takes(s, i));
	}
	assert_in_range(found, least, rows->n);
}

static void test_found(void **state)
{
	static const struct {
		const char *text;
		size_t least;
	} texts[] = { { "Value3", 5 }, { "Shop.make1", 3 },  { "Page", 5 },  { "ArrayList", 5 },
		      { "acme", 50 },  { "Thing.make", 2 },  { "none", 0 },  { "make10", 2 },
		      { "Util", 1 },   { "", CONTEXTS / 2 }, { "Value", 50 } };
	struct model *m = make_model(CONTEXTS);
	struct search s = { .n = 0 };
	struct rows rows;

	(void)state;
	assert_int_equal(rows_make(&rows, m, &how), 0);
	for (int again = 0; again < 2; again++)
		for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
			assert_int_equal(i || again ? search_text(&s, texts[i].text)
						    : search_begin(&s, m, &rows, texts[i].text),
					 0);
			assert_found(&s, m, &rows, texts[i].text, texts[i].least);
		}
	assert_false(search_takes(&s, rows.n));
	search_release(&s);
	rows_release(&rows);
	model_free(m);
}

/* Rows that come later, with frames that come later; then those of another model. */
static void test_grows(void **state)
{
	struct model *m = make_model(20), *other = make_model(31);
	struct search s = { .n = 0 };
	struct builder b = BUILDER_INIT;
	struct rows rows;

	(void)state;
	assert_int_equal(rows_make(&rows, m, &how), 0);
	assert_int_equal(search_begin(&s, m, &rows, "Shop"), 0);
	for (uint32_t i = 21; i <= CONTEXTS; i++)
		add_context(&b, i);
	assert_int_equal(builder_feed(&b, m, 1), 0);
	builder_release(&b);
	size_t before = rows.n;
	rows_release(&rows);
	assert_int_equal(rows_make(&rows, m, &how), 0);
	assert_in_range(rows.n, before + 1, CONTEXTS);
	for (size_t i = 0; i < rows.n; i++)
		assert_int_equal(search_row(&s, &rows, i), 0);
	assert_found(&s, m, &rows, "Shop", 10);
	rows_release(&rows);
	assert_int_equal(rows_make(&rows, other, &how), 0);
	assert_int_equal(search_begin(&s, other, &rows, "Page"), 0);
	assert_found(&s, other, &rows, "Page", 2);
	assert_false(search_takes(&s, rows.n));
	search_release(&s);
	rows_release(&rows);
	model_free(m);
	model_free(other);
}

int unit_search(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_grows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

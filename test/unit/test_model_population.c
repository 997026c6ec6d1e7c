/* SPDX-License-Identifier: Apache-2.0 */
/* test_model_population.c - windows: thinned by their tickets, counted by their contents, and what
 * makes no sense is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model_fixture.h"

static struct wire_window *add(struct fixture *f, uint32_t context, uint32_t ticket)
{
	struct wire_window *w = build_record(&f->b, WIRE_WINDOW, sizeof *w);

	w->context = context;
	w->key = ticket;
	w->weight = 1;
	w->spacing = 1e6;
	w->alone = 1;
	w->ticket = ticket;
	w->flags = WIRE_WINDOW_KEYED | WIRE_WINDOW_WHOLE;
	return w;
}

static void windows_are_thinned(void **state)
{
	struct fixture *f = *state;
	uint32_t ticket = 1;

	for (int i = 0; i < 2000; i++) {
		ticket = ticket * 1664525u + 1013904223u;
		add(f, 1, ticket);
	}
	add(f, 2, UINT32_MAX);
	feed(f, 1);
	const struct model_context *c = context_of(f, 1, 1);
	assert_true(c->nwindows > 100 && c->nwindows <= 512);
	uint32_t highest = 0;
	for (size_t i = 0; i < c->nwindows; i++)
		highest = c->windows[i].ticket > highest ? c->windows[i].ticket : highest;
	assert_true(highest < UINT32_MAX / 2);
	assert_int_equal(context_of(f, 1, 2)->nwindows, 1);
}

static void contents_are_counted(void **state)
{
	struct fixture *f = *state;
	struct wire_content *c = build_record(&f->b, WIRE_CONTENT, sizeof *c);

	c->key = 77;
	c->windows = 5;
	feed(f, 1);
	assert_int_equal(model_content_windows(f->m, 1, 77), 5);
	assert_int_equal(model_content_windows(f->m, 1, 78), 1);
	assert_int_equal(model_content_windows(f->m, 2, 77), 1);
	c = build_record(&f->b, WIRE_CONTENT, sizeof *c);
	c->key = 77;
	c->windows = 9;
	feed(f, 1);
	assert_int_equal(model_content_windows(f->m, 1, 77), 9);
	assert_false(model_contents_full(f->m, 1));
}

static void classes_are_summed(void **state)
{
	struct fixture *f = *state;
	struct wire_population *p = build_record(&f->b, WIRE_POPULATION, sizeof *p);

	p->class_id = 3;
	p->windows = 2;
	p->objects = 700;
	p->bytes = 16000;
	feed(f, 1);
	assert_null(model_population(f->m, 1, 4));
	assert_null(model_population(f->m, 2, 3));
	assert_int_equal(model_population(f->m, 1, 3)->objects, 700);
}

static void nonsense_is_refused(void **state)
{
	struct fixture *f = *state;
	static const double alone[] = { -0.1, 1.5, 0.0 / 0.0 };

	for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++) {
		add(f, 1, 5)->alone = alone[i];
		assert_bad(f);
	}
	add(f, 1, 5)->weight = -1;
	assert_bad(f);
	add(f, 1, 5)->spacing = 1e300;
	assert_bad(f);
}

int unit_model_population(void)
{
	const struct CMUnitTest tests[] = {
		TEST(windows_are_thinned),
		TEST(contents_are_counted),
		TEST(classes_are_summed),
		TEST(nonsense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

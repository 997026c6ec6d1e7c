/* SPDX-License-Identifier: Apache-2.0 */
/* test_model_live_heap.c - views of the live heap: the last complete one is used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model_fixture.h"

/* Adds one record of a view, for an object that stands for `weight`. */
static void add(struct fixture *f, uint32_t context, double weight)
{
	const struct wire_snapshot snapshot = { .context = context,
						.content = 5,
						.weight = weight };
	struct wire_snapshot *l = build_snapshot(&f->b, &snapshot, NULL, 0);

	atomic_store(&l->rec.type, WIRE_ALIVE);
}

static void end(struct fixture *f, uint32_t objects)
{
	struct wire_view *v = build_record(&f->b, WIRE_VIEW, sizeof *v);

	v->objects = objects;
	v->interval = 4096;
}

static void later_view_replaces(void **state)
{
	struct fixture *f = *state;

	add(f, 2, 10);
	add(f, 1, 20);
	add(f, 2, 30);
	feed(f, 1);
	assert_null(context_of(f, 1, 1)->view);
	end(f, 3);
	feed(f, 1);
	assert_int_equal(context_of(f, 1, 1)->nalive, 1);
	assert_int_equal(context_of(f, 1, 2)->nalive, 2);
	assert_float_equal(context_of(f, 1, 1)->alive[0]->weight, 20, 0);
	assert_float_equal(context_of(f, 1, 1)->view->interval, 4096, 0);
	add(f, 3, 40);
	end(f, 1);
	feed(f, 1);
	assert_int_equal(context_of(f, 1, 1)->nalive, 0);
	assert_int_equal(context_of(f, 1, 2)->nalive, 0);
	assert_int_equal(context_of(f, 1, 3)->nalive, 1);
	assert_non_null(context_of(f, 1, 1)->view);
}

/* An object that was not looked at is in the view like the others. */
static void unseen_is_alive(void **state)
{
	struct fixture *f = *state;
	const struct wire_snapshot unseen = { .context = 1, .flags = WIRE_UNSEEN, .weight = 10 };
	struct wire_snapshot *l = build_snapshot(&f->b, &unseen, NULL, 0);

	atomic_store(&l->rec.type, WIRE_ALIVE);
	l->rec.len = sizeof *l;
	end(f, 1);
	feed(f, 1);
	assert_int_equal(context_of(f, 1, 1)->nalive, 1);
	assert_true(context_of(f, 1, 1)->alive[0]->flags & WIRE_UNSEEN);
}

static void incomplete_view_is_none(void **state)
{
	struct fixture *f = *state;

	add(f, 1, 1);
	end(f, 1);
	add(f, 1, 1);
	add(f, 1, 1);
	end(f, 3); /* one was lost */
	feed(f, 1);
	assert_int_equal(context_of(f, 1, 1)->nalive, 1);
	add(f, 1, 1);
	add(f, 1, 1);
	end(f, 2);
	feed(f, 1);
	assert_int_equal(context_of(f, 1, 1)->nalive, 2);
}

/* Each JVM has its own views, and a view may be empty. */
static void views_of_two(void **state)
{
	struct fixture *f = *state;

	add(f, 1, 1);
	end(f, 1);
	feed(f, 1);
	f->b.len = 0;
	build_alloc(&f->b, 1, 0, 16, 1);
	end(f, 0);
	feed(f, 2);
	assert_int_equal(context_of(f, 1, 1)->nalive, 1);
	assert_non_null(context_of(f, 2, 1)->view);
	assert_int_equal(context_of(f, 2, 1)->nalive, 0);
}

static void bad_records(void **state)
{
	struct fixture *f = *state;

	add(f, 1, -1);
	assert_bad(f);
	end(f, 0);
	((struct wire_view *)builder_next(&f->b, NULL))->interval = -1;
	assert_bad(f);
}

int unit_model_live_heap(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(later_view_replaces, setup, teardown),
		cmocka_unit_test_setup_teardown(unseen_is_alive, setup, teardown),
		cmocka_unit_test_setup_teardown(incomplete_view_is_none, setup, teardown),
		cmocka_unit_test_setup_teardown(views_of_two, setup, teardown),
		cmocka_unit_test_setup_teardown(bad_records, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

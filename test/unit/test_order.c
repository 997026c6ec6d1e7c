/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_order.c - an order that is kept while rows change is that of all rows sorted anew; and sets of small numbers.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "builder.h"
#include "live/order.h"

enum { MOST = 500, STEPS = 400 };

struct fixture {
	struct model_context context[MOST];
	struct model_context *pointer[MOST];
	struct row row[MOST];
	struct rows rows;
	struct order kept, sorted;
	struct cell_context ctx;
	uint64_t random;
};

/* Few values, so that there are many ties, and some that are not known. */
static void change(struct fixture *f, size_t i)
{
	struct replica *x = &f->row[i].replica;
	uint64_t value = build_random(f->random++) % 8;

	x->bytes = (double)value;
	x->saved_bytes = value % 3 ? (double)(value % 3) : NAN;
	x->saved_deep_bytes = x->saved_end_bytes = NAN;
	x->theta_ci.low = value ? 1 / (double)value : NAN;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	assert_non_null(f);
	for (size_t i = 0; i < MOST; i++) {
		f->context[i].id = (uint32_t)(i * 7 % MOST);
		f->pointer[i] = &f->context[i];
		f->row[i] = (struct row){
			.jvm = 1, .contexts = &f->pointer[i], .ncontexts = 1, .rate = NULL
		};
		change(f, i);
	}
	f->rows = (struct rows){ .row = f->row };
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	order_release(&f->kept);
	order_release(&f->sorted);
	free(f);
	return 0;
}

static void assert_kept(struct fixture *f)
{
	assert_int_equal(order_all(&f->sorted, &f->rows, f->kept.key, &f->ctx), 0);
	assert_int_equal(f->kept.n, f->rows.n);
	assert_int_equal(f->kept.several, f->sorted.several);
	for (size_t i = 0; i < f->rows.n; i++)
		assert_int_equal(f->kept.at[i], f->sorted.at[i]);
}

/* Some rows change, some are new; sometimes none, sometimes most. */
static void keep(struct fixture *f, const char *key)
{
	struct numset changed = { .n = 0 };

	f->rows.n = 3;
	assert_int_equal(order_all(&f->kept, &f->rows, column_find(key), &f->ctx), 0);
	for (size_t step = 0; step < STEPS; step++) {
		size_t n = build_random(f->random++) % (step % 50 ? 6 : MOST);
		numset_clear(&changed);
		for (size_t k = 0; k < n; k++) {
			uint32_t i = (uint32_t)(build_random(f->random++) % f->rows.n);
			change(f, i);
			assert_int_equal(numset_add(&changed, i), 0);
		}
		f->rows.n += build_random(f->random++) % 4;
		if (f->rows.n > MOST)
			f->rows.n = MOST;
		assert_int_equal(order_some(&f->kept, &f->rows, &changed, &f->ctx), 0);
		assert_kept(f);
	}
	assert_int_equal(f->rows.n, MOST);
	numset_release(&changed);
}

static void test_kept(void **state)
{
	keep(*state, "bytes");
	keep(*state, "saved");
	keep(*state, "theta");
}

/* Sorting by index is what columns_sort does to rows themselves. */
static void test_as_columns_sort(void **state)
{
	struct fixture *f = *state;

	f->rows.n = MOST;
	f->row[17].jvm = 2;
	assert_int_equal(order_all(&f->kept, &f->rows, column_find("saved"), &f->ctx), 0);
	assert_true(f->kept.several);
	struct model_context **first[MOST];
	for (size_t i = 0; i < MOST; i++)
		first[i] = f->row[f->kept.at[i]].contexts;
	columns_sort(&f->rows, column_find("saved"), &f->ctx);
	for (size_t i = 0; i < MOST; i++)
		assert_ptr_equal(f->row[i].contexts, first[i]);
}

static void test_no_rows(void **state)
{
	struct fixture *f = *state;
	const struct numset none = { .n = 0 };

	f->rows.n = 0;
	assert_int_equal(order_all(&f->kept, &f->rows, column_find("bytes"), &f->ctx), 0);
	assert_int_equal(order_some(&f->kept, &f->rows, &none, &f->ctx), 0);
	assert_int_equal(f->kept.n, 0);
	f->rows.n = 2;
	assert_int_equal(order_some(&f->kept, &f->rows, &none, &f->ctx), 0);
	assert_kept(f);
}

static void test_numset(void **state)
{
	struct numset s = { .n = 0 };

	(void)state;
	assert_false(numset_has(&s, 0));
	for (uint32_t i = 0; i < 3000; i++) {
		assert_int_equal(numset_add(&s, i * 37 % 1000 * 11), 0);
		assert_true(numset_has(&s, i * 37 % 1000 * 11));
	}
	assert_int_equal(s.n, 1000);
	assert_int_equal(s.item[1], 37 * 11);
	assert_false(numset_has(&s, 1));
	/* sorted in one of two ways, as there are many or few for their size */
	for (uint32_t more = 0; more <= 1000000; more += 1000000) {
		assert_int_equal(numset_add(&s, more), 0);
		numset_sort(&s);
		assert_int_equal(s.n, more ? 1001 : 1000);
		for (uint32_t i = 0; i < 1000; i++)
			assert_int_equal(s.item[i], 11 * i);
		assert_true(numset_has(&s, 11 * 999));
	}
	assert_int_equal(s.item[1000], 1000000);
	numset_clear(&s);
	assert_int_equal(s.n, 0);
	for (uint32_t i = 0; i < 20000; i++)
		assert_false(numset_has(&s, i));
	numset_release(&s);
}

int unit_order(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_kept, setup, teardown),
		cmocka_unit_test_setup_teardown(test_as_columns_sort, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_rows, setup, teardown),
		cmocka_unit_test(test_numset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_equality.c - windows of objects: counted by class and content, forgotten, told by line. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyse/equality/equality.h"
#include "model_fixture.h"

#define SIZE	32
#define WINDOWS 64

static const struct findings_options all = { .confidence = 0.95 };

/* A window that holds n contents of a class, each `objects` times: `key`, key + 1, ... */
static struct wire_window *add(struct fixture *f, uint32_t number, uint64_t key, uint32_t n,
			       uint16_t objects)
{
	struct wire_window *w = build_record(&f->b, WIRE_WINDOW,
					     sizeof *w + n * sizeof(struct wire_window_content));
	struct wire_window_content *c = (struct wire_window_content *)(w + 1);

	w->window = number;
	w->scale = 10;
	w->ncontents = n;
	for (uint32_t i = 0; i < n; i++)
		c[i] = (struct wire_window_content){
			.key = key + i, .class_id = 1, .objects = objects, .bytes = SIZE * objects
		};
	return w;
}

static struct wire_window_content *content(struct wire_window *w)
{
	return (struct wire_window_content *)(w + 1);
}

/* Two lines: the first makes objects with one of 4 contents, the second unique ones. */
static void add_program(struct fixture *f)
{
	static const struct wire_line lines[] = { { 0, 1 }, { 1, 2 } };

	build_method(&f->b, 1, "Lcom/acme/Main;", "run", "Main.java", lines, 2);
	build_class(&f->b, 1, "Lcom/acme/Item;", NULL, 0);
	for (uint32_t k = 0; k < 2; k++) {
		const struct wire_frame frame = { .method = 1, .bci = (int32_t)k };
		build_stack(&f->b, k + 1, 0, &frame, 1);
		build_context(&f->b, k + 1, 1, k + 1);
		build_alloc(&f->b, k + 1, 0, SIZE, 1000);
	}
	for (uint32_t i = 1; i <= WINDOWS; i++) {
		struct wire_window *w = add(f, i, 1, 4, 1);
		w->context = 1 + i % 2;
		w->own = i % 2 ? 1000000 + i : 1 + i % 4;
		w->own_class = 1;
		add(f, i, 1000 + 4 * i, 4, 1);
	}
	feed(f, 1);
}

static void test_classes(void **state)
{
	struct fixture *f = *state;
	struct equality e;

	add_program(f);
	equality_compute(&e, f->m, &all);
	assert_int_equal(e.nrows, 1);
	const struct equality_row *r = &e.rows[0];
	assert_string_equal(r->row.class_name, "com.acme.Item");
	assert_int_equal(r->looked, 8 * WINDOWS);
	assert_int_equal(r->windows, WINDOWS);
	assert_int_equal(r->contents, 4 + 4 * WINDOWS);
	assert_float_equal(r->equal.value, 0.5, 1e-6);
	assert_true(r->equal.range.low < 0.5 && r->equal.range.low > 0.4);
	assert_true(r->equal.range.high == 1);
	assert_float_equal(r->pairs.value, 4.0 / 64, 1e-6);
	assert_float_equal(r->largest.value, 1.0 / 8, 0.01);
	assert_true(r->held[0].range.low <= 0.5 && r->held[0].range.high >= 0.5);
	assert_true(r->mergeable.range.low <= 0.5 * r->bytes);
	assert_float_equal(r->bytes, 2 * SIZE * 1000, 1);
	assert_int_equal(r->condition[EQUALITY_SAME_FIELDS], EQUALITY_HELD);
	assert_int_equal(r->condition[EQUALITY_NO_IDENTITY], EQUALITY_NOT_SEEN);
	assert_int_equal(r->condition[EQUALITY_UNCHANGED], EQUALITY_NOT_OBSERVABLE);
	equality_release(&e);
}

static void test_lines(void **state)
{
	struct fixture *f = *state;
	struct equality e;

	add_program(f);
	equality_compute(&e, f->m, &all);
	assert_int_equal(e.nlines, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct equality_line *l = &e.lines[i];
		bool first = l->row.stack[0].frames[0].line == 1;
		assert_int_equal(l->row.count, WINDOWS / 2);
		assert_float_equal(l->equal.value, first ? 1 : 0, 1e-9);
		assert_float_equal(l->hits[0].value, first ? 1 : 0, 1e-9);
		assert_true(l->equal.range.high == 1);
	}
	equality_release(&e);
}

/* An equal object in the sampled object's own window is no other one's. */
static void test_near(void **state)
{
	struct fixture *f = *state;
	struct equality e;

	add_program(f);
	for (uint32_t i = 0; i < 2; i++) {
		struct wire_window *w = add(f, WINDOWS + 1 + i, 5000 + i, 1, 1);
		w->context = 2;
		w->own = 5000 + i;
		w->own_class = 1;
		w->near = 1;
	}
	feed(f, 1);
	equality_compute(&e, f->m, &all);
	for (size_t i = 0; i < e.nlines; i++)
		if (e.lines[i].row.stack[0].frames[0].line == 2)
			assert_float_equal(e.lines[i].equal.value, 0, 1e-9);
	equality_release(&e);
}

static void test_conditions(void **state)
{
	struct fixture *f = *state;
	struct equality e;

	add_program(f);
	content(add(f, WINDOWS + 1, 1, 1, 2))->hashed = 1;
	struct wire_window_content *c = content(add(f, WINDOWS + 2, 1, 1, 2));
	c->flags = WIRE_WINDOW_ADDRESSES;
	content(add(f, WINDOWS + 3, 0, 1, 2))->locked = 2;
	feed(f, 1);
	equality_compute(&e, f->m, &all);
	const struct equality_row *r = &e.rows[0];
	assert_int_equal(r->condition[EQUALITY_NO_IDENTITY], EQUALITY_BROKEN);
	assert_int_equal(r->hashed, 1);
	assert_int_equal(r->locked, 2);
	double looked = 8 * WINDOWS + 6;
	assert_float_equal(r->unknown, 2 / looked, 1e-9);
	assert_float_equal(r->addresses, 2 / looked, 1e-9);
	equality_release(&e);
}

/* What was seen in several windows stays, however many others come. */
static void test_forgets(void **state)
{
	struct fixture *f = *state;
	struct equality e;

	add_program(f);
	for (uint32_t i = 1; i <= 4 * EQUALITY_CONTENTS / 100; i++) {
		add(f, WINDOWS + i, 1000000 + 100ull * i, 100, 1);
		feed(f, 1);
	}
	const struct equality_store *store = equality_store_of(f->m);
	assert_true(store->ncontents <= EQUALITY_CONTENTS);
	assert_true(store->classes[0].all.rounds > 0);
	equality_compute(&e, f->m, &all);
	const struct equality_row *r = &e.rows[0];
	double objects = 8 * WINDOWS + 400.0 * (EQUALITY_CONTENTS / 100);
	assert_float_equal((double)r->looked, objects, 400);
	assert_float_equal(r->equal.value, 4 * WINDOWS / objects, 1e-4);
	assert_true(r->held[0].range.high < 0.01);
	equality_release(&e);
}

/* A key whose content's hash, mixed, ends in 32 zeros: among those that stay longest. */
static uint64_t key_that_stays(uint32_t i, uint32_t jvm)
{
	uint64_t inverse = 1, y = (uint64_t)i << 32, class = (uint64_t)jvm << 32 | 1;

	for (int k = 0; k < 6; k++) /* Newton: of idmap_hash's factor */
		inverse *= 2 - 0xd6e8feb86659fd93u * inverse;
	for (int k = 0; k < 2; k++) {
		y ^= y >> 32;
		y *= inverse;
	}
	y ^= y >> 32;
	assert_int_equal((uint32_t)idmap_hash(y), 0);
	return ~y ^ class * 0x9e3779b97f4a7c15u;
}

/* Whatever a recording has, room is made for more. */
static void test_forgets_in_the_end(void **state)
{
	struct fixture *f = *state;

	add_program(f);
	const struct equality_store *store = equality_store_of(f->m);
	uint32_t jvm = store->classes[0].jvm;
	for (uint32_t i = 1; i <= EQUALITY_CONTENTS / 100 + 2; i++) {
		struct wire_window_content *c = content(add(f, WINDOWS + i, 1, 100, 1));
		for (uint32_t k = 0; k < 100; k++)
			c[k].key = key_that_stays(100 * i + k, jvm);
		feed(f, 1);
	}
	assert_true(store->ncontents <= EQUALITY_CONTENTS);
	assert_true(store->classes[0].all.rounds >= 32);
}

static void test_bad_records(void **state)
{
	struct fixture *f = *state;

	add(f, 1, 1, 4, 1)->ncontents = 5;
	assert_bad(f);
	add(f, 1, 1, 4, 1)->ncontents = UINT32_MAX;
	assert_bad(f);
	add(f, 0, 1, 4, 1);
	assert_bad(f);
	add(f, 1, 1, 4, 1)->scale = NAN;
	assert_bad(f);
	add(f, 1, 1, 4, 1)->scale = 1e300;
	assert_bad(f);
	add(f, 1, 1, 4, 0);
	assert_bad(f);
	content(add(f, 1, 1, 1, 1))->bytes = UINT64_MAX;
	assert_bad(f);
	content(add(f, 1, 1, 1, 1))->hashed = 2;
	assert_bad(f);
	add(f, 1, 1, 4, 1);
	assert_int_equal(feed_one(f, 1), MODEL_KEEP);
}

int unit_equality(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_classes),	TEST(test_lines),   TEST(test_near),
		TEST(test_conditions),	TEST(test_forgets), TEST(test_forgets_in_the_end),
		TEST(test_bad_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

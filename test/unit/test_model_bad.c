/* SPDX-License-Identifier: Apache-2.0 */
/* The model and invalid records: none is believed, none does harm. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_fixture.h"

/* ---- bad records ----------------------------------------------------------------------- */

static void test_wrong_place(void **state)
{
	struct fixture *f = *state;

	build_end(&f->b, 1, 0);
	assert_bad(f);
	build_command(&f->b, (const char *const[]){ "x", NULL });
	assert_bad(f);
	build_alloc(&f->b, 1, 0, 16, 1);
	assert_int_equal(feed_one(f, 0), MODEL_BAD);
	assert_int_equal(model_ncontexts(f->m), 0);
}

static void test_bad_numbers(void **state)
{
	static const double weights[] = { NAN, -1, -INFINITY, INFINITY, 1.1e12 };
	static const struct wire_frame fold[] = { { .method = 7 }, { .method = 0, .bci = 2 } };
	static const struct wire_frame fold_first[] = { { .method = 0, .bci = 1 } };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
		build_alloc(&f->b, 1, 0, 16, weights[i]);
		assert_bad(f);
		build_snapshot(&f->b, &(struct wire_snapshot){ .weight = weights[i] }, NULL, 0);
		assert_bad(f);
		build_use(&f->b, &(struct wire_use){ .weight = weights[i] });
		assert_bad(f);
		build_count(&f->b, 1, 0, 16, 1, weights[i]);
		assert_bad(f);
	}
	build_count(&f->b, 1, 0, 16, 0, 1); /* a weight without samples */
	assert_bad(f);
	build_count(&f->b, 1, 0, 16, UINT64_MAX, 1);
	assert_bad(f);
	build_alloc(&f->b, 1, 0, UINT64_MAX, 1);
	assert_bad(f);
	build_alloc(&f->b, 1, UINT32_MAX, 16, 1);
	assert_bad(f);
	build_unused(&f->b, 1, WIRE_UNUSED_LOST + 1);
	assert_bad(f);
	build_class(&f->b, 0, "LFoo;", NULL, 0);
	assert_bad(f);
	build_class(&f->b, 1, "LFoo;", &(struct build_field){ "x", NULL, '\033', 8 }, 1);
	assert_bad(f);
	build_method(&f->b, 0, "LFoo;", "run", NULL, NULL, 0);
	assert_bad(f);
	build_context(&f->b, 0, 1, 1);
	assert_bad(f);
	build_stack(&f->b, 0, 0, NULL, 0);
	assert_bad(f);
	build_stack(&f->b, 1, 0, fold, 2);
	assert_bad(f);
	build_stack(&f->b, 1, 0, fold_first, 1);
	assert_bad(f);
	build_status(&f->b, &(struct file_status){ .nnotes = WIRE_NOTES + 1 });
	assert_bad(f);
	assert_int_equal(model_ncontexts(f->m), 0);
}

static void test_bad_lengths(void **state)
{
	struct fixture *f = *state;

	build_class(&f->b, 1, "LFoo;", NULL, 0)->nfields = UINT32_MAX;
	assert_bad(f);
	build_class(&f->b, 1, "LFoo;", NULL, 0)->signature_len = UINT16_MAX;
	assert_bad(f);
	build_method(&f->b, 1, "LFoo;", "run", NULL, NULL, 0)->nlines = UINT32_MAX;
	assert_bad(f);
	build_method(&f->b, 1, "LFoo;", "run", NULL, NULL, 0)->nlines = 1u << 30;
	assert_bad(f);
	build_method(&f->b, 1, "LFoo;", "run", NULL, NULL, 0)->file_len = 4000;
	assert_bad(f);
	build_stack(&f->b, 1, 0, NULL, 0)->nframes = 1;
	assert_bad(f);
	build_snapshot(&f->b, &(struct wire_snapshot){ .context = 1 }, NULL, 0)->nslots = 1;
	assert_bad(f);
	build_snapshot(&f->b, &(struct wire_snapshot){ .context = 1 }, (uint32_t[40]){ 0 }, 40);
	assert_bad(f);
	build_value(&f->b, 1, 7, "text")->len = 9;
	assert_bad(f);
	build_value(&f->b, 1, 7, "text of fourteen")->len = 1; /* less than its text */
	assert_bad(f);
	build_value(&f->b, 1, 7, "text")->chars = UINT32_MAX;
	assert_bad(f);
	struct wire_value *v =
		build_record(&f->b, WIRE_VALUE, sizeof *v + WIRE_VALUE_TEXT + WIRE_ALIGN);
	v->len = WIRE_VALUE_TEXT + 1;
	assert_bad(f);
	static const struct {
		uint32_t argc, len;
	} commands[] = {
		{ 2, 2 }, { 0, 2 }, { 1, 1 }, { 1, 3 }, { 1, UINT32_MAX }, { UINT32_MAX, 2 },
	};
	for (size_t i = 0; i < 2 * sizeof commands / sizeof commands[0]; i++) {
		struct file_command *c = build_command(&f->b, (const char *const[]){ "x", NULL });
		c->argc = commands[i / 2].argc;
		c->len = commands[i / 2].len;
		if (i % 2 == 1)
			atomic_store(&c->rec.type, FILE_OWN);
		assert_int_equal(feed_one(f, 0), MODEL_BAD);
	}
	assert_int_equal(model_argc(f->m), 0);
}

/*
 * Every record, cut to every length, in memory of exactly that length, so that ASan notices
 * overruns.
 */
static void test_cut_records(void **state)
{
	static const struct build_field fields[] = { { "a", NULL, 'I', 8 },
						     { "b", NULL, 'J', 16 } };
	static const struct wire_line lines[] = { { 0, 1 }, { 4, 2 }, { 8, 3 } };
	static const struct wire_frame frames[] = { { .method = 7 }, { .method = 8 } };
	struct file_tally *tally;
	struct fixture *f = *state;

	build_class(&f->b, 1, "Lcom/acme/Foo;", fields, 2);
	build_label(&f->b, 0, "service", "shop");
	build_method(&f->b, 7, "Lcom/acme/Foo;", "run", "Foo.java", lines, 3);
	build_stack(&f->b, 1, 0, frames, 2);
	build_context(&f->b, 1, 1, 1);
	build_alloc(&f->b, 1, 0, 16, 1);
	build_snapshot(&f->b, &(struct wire_snapshot){ .context = 1 }, (uint32_t[]){ 1, 2, 3 }, 3);
	build_use(&f->b, &(struct wire_use){ .context = 1 });
	build_unused(&f->b, 1, 0);
	build_value(&f->b, 1, 7, "text");
	build_count(&f->b, 1, 0, 16, 1, 1);
	build_jvm(&f->b, 1, 1, "a", "b", "c");
	build_status(&f->b, &(struct file_status){ .nnotes = 1 });
	tally = build_record(&f->b, FILE_TALLY, sizeof *tally);
	tally->context = 1;
	for (const struct wire_rec *r = builder_next(&f->b, NULL); r; r = builder_next(&f->b, r)) {
		for (uint32_t len = 0; len < r->len; len++) {
			struct wire_rec *cut = malloc(len ? len : 1);
			assert_non_null(cut);
			memcpy(cut, r, len);
			if (len >= sizeof *cut)
				cut->len = len;
			assert_int_equal(model_feed(f->m, 1, cut, len), MODEL_BAD);
			free(cut);
		}
	}
	assert_int_equal(model_ncontexts(f->m), 0);
	feed(f, 1); /* complete, they are valid */
	assert_int_equal(model_ncontexts(f->m), 1);
}

int unit_model_bad(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_wrong_place),
		TEST(test_bad_numbers),
		TEST(test_bad_lengths),
		TEST(test_cut_records),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* definitions.h: each file gets what its records name, once, before the first that does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "builder.h"
#include "record/definitions.h"

/* What was passed on, by the letters of the types and their ids: "c1 s1 ". */
struct passed {
	char text[256];
};

static void pass(const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct passed *p = arg;
	size_t at = strlen(p->text);
	char letter = '?';
	unsigned id = 0;

	assert_int_equal(rec->len, len);
	switch (atomic_load_explicit(&rec->type, memory_order_relaxed)) {
	case WIRE_CLASS:
		letter = 'c', id = ((const struct wire_class *)rec)->id;
		break;
	case WIRE_METHOD:
		letter = 'm', id = (unsigned)((const struct wire_method *)rec)->method;
		break;
	case WIRE_LOADS:
		letter = 'l', id = (unsigned)((const struct wire_loads *)rec)->method;
		break;
	case WIRE_STACK:
		letter = 's', id = ((const struct wire_stack *)rec)->id;
		break;
	case WIRE_CONTEXT:
		letter = 'x', id = ((const struct wire_context *)rec)->id;
		break;
	case WIRE_THREAD:
		letter = 't', id = ((const struct wire_thread *)rec)->number;
		break;
	}
	snprintf(p->text + at, sizeof p->text - at, "%c%u ", letter, id);
}

/* Gives it all records of the builder, which is then empty; what it passes on meanwhile. */
static const char *give(struct definitions *d, struct builder *b, struct passed *p)
{
	p->text[0] = '\0';
	for (const struct wire_rec *rec = builder_next(b, NULL); rec; rec = builder_next(b, rec))
		definitions_before(d, rec, rec->len, pass, p);
	b->len = 0;
	return p->text;
}

static void build_loads(struct builder *b, uint64_t method)
{
	struct wire_loads *w = build_record(b, WIRE_LOADS, sizeof *w);

	w->method = method;
}

static void each_file_has_what_it_names(void **state)
{
	struct definitions *d = definitions_new();
	struct builder b = BUILDER_INIT;
	struct passed p;

	(void)state;
	build_site(&b, 1, "LA;", "LMain;", "run", 12);
	build_loads(&b, 1);
	build_site(&b, 2, "LB;", "LMain;", "run", 13);
	build_thread(&b, 5, "main");
	assert_string_equal(give(d, &b, &p), "");
	build_alloc(&b, 1, 0, 24, 1)->rec.thread = 5;
	assert_string_equal(give(d, &b, &p), ""); /* the file has it all */
	definitions_next_file(d);
	build_alloc(&b, 1, 0, 24, 1)->rec.thread = 5;
	assert_string_equal(give(d, &b, &p), "c1 m1 l1 s1 x1 t5 ");
	build_alloc(&b, 1, 0, 24, 1)->rec.thread = 5;
	assert_string_equal(give(d, &b, &p), "");
	build_alloc(&b, 2, 0, 24, 1);
	build_alloc(&b, 3, 0, 24, 1); /* which nobody has defined */
	assert_string_equal(give(d, &b, &p), "c2 m2 s2 x2 ");
	definitions_next_file(d);
	build_context(&b, 4, 2, 1); /* a new one, of an old class and stack */
	assert_string_equal(give(d, &b, &p), "c2 m1 l1 s1 ");
	build_use(&b, &(struct wire_use){ .context = 4, .access = 2, .weight = 1 });
	assert_string_equal(give(d, &b, &p), "m2 s2 ");
	builder_release(&b);
	definitions_free(d);
}

/* Samples of accesses, pairs of them, windows: whatever names a class or a stack. */
static void other_records(void **state)
{
	struct definitions *d = definitions_new();
	struct builder b = BUILDER_INIT;
	struct passed p;

	(void)state;
	for (uint32_t i = 1; i <= 4; i++)
		build_site(&b, i, "LA;", "LMain;", "run", (int)i);
	give(d, &b, &p);
	definitions_next_file(d);
	struct wire_access *a = build_record(&b, WIRE_ACCESS, sizeof *a);
	a->class_id = 1, a->stack = 2;
	struct wire_waste *w = build_record(&b, WIRE_WASTE, sizeof *w);
	w->watched = 3, w->trapped = 4, w->class_id = 2;
	assert_string_equal(give(d, &b, &p), "c1 m2 s2 m3 s3 m4 s4 c2 ");
	struct wire_window *window =
		build_record(&b, WIRE_WINDOW, sizeof *window + sizeof(struct wire_window_content));
	window->ncontents = 1;
	window->own_class = 3;
	((struct wire_window_content *)(window + 1))->class_id = 4;
	assert_string_equal(give(d, &b, &p), "c3 c4 ");
	builder_release(&b);
	definitions_free(d);
}

static void the_tail_waits_for_names(void **state)
{
	struct definitions *d = definitions_new();
	struct builder b = BUILDER_INIT;
	const struct wire_frame frames[] = { { .method = 7 }, { .method = 8 }, { .method = 9 } };
	struct passed p;

	(void)state;
	build_stack(&b, 1, 0, frames, 2);
	give(d, &b, &p);
	assert_false(definitions_lacks(d)); /* there is no tail */
	definitions_next_file(d);
	assert_true(definitions_lacks(d));
	build_method(&b, 7, "LMain;", "run", NULL, NULL, 0);
	build_stack(&b, 2, 0, frames + 2, 1); /* of the new file, which lacks 9 */
	give(d, &b, &p);
	assert_true(definitions_lacks(d));
	build_method(&b, 8, "LMain;", "go", NULL, NULL, 0);
	give(d, &b, &p);
	assert_false(definitions_lacks(d));
	/* what never comes is waited for once */
	definitions_next_file(d);
	assert_true(definitions_lacks(d));
	definitions_give_up(d);
	assert_false(definitions_lacks(d));
	build_stack(&b, 3, 0, frames + 2, 1);
	give(d, &b, &p);
	definitions_next_file(d);
	assert_false(definitions_lacks(d));
	builder_release(&b);
	definitions_free(d);
}

/* `n` contexts, and an allocation of each. */
static void give_stacks(struct definitions *d, uint32_t n)
{
	struct builder b = BUILDER_INIT;
	const struct wire_frame frames[100] = { { .method = 1 } };
	struct passed p;

	for (uint32_t i = 1; i <= n; i++) {
		build_stack(&b, i, 0, frames, 100);
		build_context(&b, i, 0, i);
		build_alloc(&b, i, 0, 24, 1);
		give(d, &b, &p);
	}
	builder_release(&b);
}

/* What a file does not name any more is not worth its memory, once that is much. */
static void most_is_gone(void **state)
{
	struct definitions *d = definitions_new();

	(void)state;
	give_stacks(d, 100);
	definitions_next_file(d);
	give_stacks(d, 1);
	assert_false(definitions_worn(d)); /* it is little */
	give_stacks(d, 1500);
	assert_in_range(definitions_bytes(d), 2 << 20, 4 << 20);
	assert_false(definitions_worn(d)); /* of this file */
	definitions_next_file(d);
	give_stacks(d, 500);
	assert_false(definitions_worn(d));
	definitions_next_file(d);
	for (int files = 0; files < 2; files++) {
		give_stacks(d, 300);
		assert_false(definitions_worn(d)); /* the program may be idle */
		definitions_next_file(d);
	}
	give_stacks(d, 300);
	assert_true(definitions_worn(d));
	definitions_next_file(d);
	give_stacks(d, 1000);
	assert_false(definitions_worn(d));
	definitions_next_file(d);
	give_stacks(d, 300);
	assert_false(definitions_worn(d));
	give_stacks(d, 4000);
	assert_true(definitions_worn(d)); /* of this file, but too much */
	definitions_free(d);
}

/* Records that no agent sends: they are left alone. */
static void bad_records(void **state)
{
	struct definitions *d = definitions_new();
	struct builder b = BUILDER_INIT;
	struct passed p;

	(void)state;
	struct wire_stack *s = build_stack(&b, 1, 0, NULL, 0);
	s->nframes = 1000;
	build_record(&b, WIRE_CONTEXT, sizeof(struct wire_rec));
	build_record(&b, 9999, 64);
	assert_string_equal(give(d, &b, &p), "");
	assert_int_equal(definitions_bytes(d), 0);
	definitions_next_file(d);
	build_context(&b, 1, 0, 1);
	assert_string_equal(give(d, &b, &p), "");
	assert_int_equal(definitions_bytes(d), sizeof(struct wire_context));
	builder_release(&b);
	definitions_free(d);
}

int unit_definitions(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_file_has_what_it_names),
		cmocka_unit_test(other_records),
		cmocka_unit_test(most_is_gone),
		cmocka_unit_test(the_tail_waits_for_names),
		cmocka_unit_test(bad_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

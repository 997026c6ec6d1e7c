/* SPDX-License-Identifier: Apache-2.0 */
/* The model: what snapshots say about deep contents, and texts of strings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model_fixture.h"

enum { OF_CONTEXT = 256, OF_ALL = 1 << 16 };

static void test_deep_snapshot(void **state)
{
	struct fixture *f = *state;

	build_snapshot(&f->b,
		       &(struct wire_snapshot){ .context = 1,
						.flags = WIRE_DEEP | WIRE_DEEP_CUT | WIRE_HASHED,
						.content = 5,
						.deep = UINT64_MAX - 1,
						.nodes = 7,
						.deep_bytes = 160 },
		       NULL, 0);
	feed(f, 1);
	const struct model_snapshot *l = context_of(f, 1, 1)->snapshots[0];
	assert_int_equal(l->flags, WIRE_DEEP | WIRE_DEEP_CUT | WIRE_HASHED);
	assert_int_equal(l->content, 5);
	assert_true(l->deep == UINT64_MAX - 1);
	assert_int_equal(l->nodes, 7);
	assert_int_equal(l->deep_bytes, 160);
}

static void test_values(void **state)
{
	static const uint64_t deep[] = { 30, UINT64_MAX, 0, 20 };
	static const char *const texts[] = { "thirty", "most", "", "tw\xc3\xa9nty" };
	struct fixture *f = *state;

	for (size_t i = 0; i < 4; i++) {
		build_value(&f->b, 1, deep[i], texts[i])->chars = 100 + (uint32_t)i;
		assert_int_equal(feed_one(f, 1), MODEL_KEEP);
	}
	build_value(&f->b, 1, 20, "another text for the same content");
	assert_int_equal(feed_one(f, 1), MODEL_DROPPED);
	build_value(&f->b, 2, 20, "the same content at another place");
	assert_int_equal(feed_one(f, 1), MODEL_KEEP);

	static const size_t order[] = { 2, 3, 0, 1 };
	const struct model_context *c = context_of(f, 1, 1);
	assert_int_equal(c->nvalues, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_true(c->values[i]->deep == deep[order[i]]);
		assert_string_equal(c->values[i]->text, texts[order[i]]);
		assert_int_equal(c->values[i]->len, strlen(texts[order[i]]));
		assert_int_equal(c->values[i]->chars, 100 + order[i]);
	}
	assert_int_equal(context_of(f, 1, 2)->nvalues, 1);
}

/* The longest text, and bytes that are not text: they are kept unchanged. */
static void test_any_bytes(void **state)
{
	struct fixture *f = *state;
	unsigned char bytes[WIRE_VALUE_TEXT];

	for (unsigned i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)(i * 7);
	struct wire_value *v =
		build_record(&f->b, WIRE_VALUE, (uint32_t)sizeof *v + WIRE_VALUE_TEXT);
	v->context = 1;
	v->len = sizeof bytes;
	memcpy(v + 1, bytes, sizeof bytes);
	assert_int_equal(feed_one(f, 1), MODEL_KEEP);
	const struct model_value *kept = context_of(f, 1, 1)->values[0];
	assert_int_equal(kept->len, sizeof bytes);
	assert_memory_equal(kept->text, bytes, sizeof bytes);
	assert_int_equal(kept->text[sizeof bytes], 0);
}

/* A program that makes only distinct strings does not fill the memory. */
static void test_too_many_values(void **state)
{
	struct fixture *f = *state;
	uint32_t contexts = OF_ALL / OF_CONTEXT + 2;
	size_t kept = 0, all = 0;
	char text[16];

	for (uint32_t id = 1; id <= contexts; id++)
		for (uint32_t i = 0; i < OF_CONTEXT + 10; i++) {
			snprintf(text, sizeof text, "%u", i);
			build_value(&f->b, id, build_random(i), text);
			enum model_fed fed = feed_one(f, 1);
			assert_true(fed == MODEL_KEEP || fed == MODEL_DROPPED);
			kept += fed == MODEL_KEEP;
		}
	for (size_t i = 0; i < model_ncontexts(f->m); i++) {
		const struct model_context *c = model_context(f->m, i);
		assert_in_range(c->nvalues, 0, OF_CONTEXT);
		all += c->nvalues;
	}
	assert_int_equal(context_of(f, 1, 1)->nvalues, OF_CONTEXT);
	assert_int_equal(kept, OF_ALL);
	assert_int_equal(all, OF_ALL);
	build_value(&f->b, 1, build_random(3), "3");
	assert_int_equal(feed_one(f, 1), MODEL_DROPPED);
}

int unit_model_values(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_deep_snapshot),
		TEST(test_values),
		TEST(test_any_bytes),
		TEST(test_too_many_values),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

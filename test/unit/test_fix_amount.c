/* SPDX-License-Identifier: Apache-2.0 */
/* test_fix_amount.c - how many bytes a fix avoids, by what is known of its objects. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fix/fix_amount.h"
#include "fix_fixture.h"

/* Of arrays that are mostly of length 0, only these are avoided, though the others are larger. */
static void test_empty_and_large(void **state)
{
	struct fixture *f = *state;

	f->length = 0;
	uint32_t id = ALLOCATE(f, "[B", 950, OWN);
	build_count(&f->b, id, 10000, 10016, 50, 50);
	assert_fix(find(f), "empty-array", ADVICE_CERTAIN, 950);
	assert_float_equal(f->fixes.bytes, 950 * SIZE + 50 * 10016, 1e-6);
}

/* Looks at an array, of which as many slots are 0 as `zeros` has bits. */
static void look_at_array(struct fixture *f, uint32_t context, uint32_t length, uint32_t zeros)
{
	static const uint32_t slots[4] = { 0 };
	static uint32_t ticket;

	ticket++;
	const struct wire_snapshot s = { .context = context,
					 .array_length = length,
					 .content = ticket,
					 .weight = 1,
					 .ticket = ticket,
					 .zeros = zeros,
					 .flags = WIRE_TWICE };

	build_snapshot(&f->b, &s, slots, 4);
}

/* Many small empty arrays and a large full one: the bytes count, not the arrays. */
static void test_unfilled(void **state)
{
	struct fixture *f = *state;
	uint32_t id = ALLOCATE(f, "[I", 1000, OWN);

	for (uint32_t i = 0; i < 9; i++)
		look_at_array(f, id, 10, 15);
	look_at_array(f, id, 910, 0);
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(fix), "unfilled");
	assert_float_equal(fix->possible, 9. * 56 / (9 * 56 + 3656) * 1000 * SIZE, 1e-6);
}

/* What holds something keeps its header and what it holds; tables keep free places, too. */
static void test_filled_in_part(void **state)
{
	struct fixture *f = *state;
	uint32_t list = ALLOCATE(f, "[Ljava/lang/Object;", 1000, OWN);
	uint32_t table = ALLOCATE(f, "[Ljava/util/HashMap$Node;", 1000, NEXT);
	uint32_t wide = ALLOCATE(f, "[Lcom/acme/Shop;", 1000, "Lcom/acme/Shop; load 51");

	build_count(&f->b, wide, 8, 80, 1, 1);
	for (uint32_t i = 0; i < 10; i++) {
		look_at_array(f, list, 8, 7);
		look_at_array(f, table, 16, 7);
		look_at_array(f, wide, 8, 7);
	}
	const struct fix *fix = find(f);
	assert_int_equal(fix->nparts, 3);
	for (size_t i = 0; i < 3; i++) {
		int line = fix->part[i].line.line;
		/* 2 of 8 in 48 bytes; 4 of 16 in 80, which need 8; 2 of 8 in 80 */
		double share = line == 49 ? 24. / 48 : line == 50 ? 32. / 80 : 48. / 80;
		assert_float_equal(fix->part[i].possible, share * fix->part[i].bytes, 1e-6);
	}
}

/* A snapshot of an array of four elements, of which `zeros` are 0. */
static void look_at_four(struct fixture *f, uint32_t id, uint32_t number, uint64_t content,
			 uint32_t zeros)
{
	const uint32_t slots[4] = { 0 };
	const struct wire_snapshot s = { .context = id,
					 .array_length = 4,
					 .content = content,
					 .weight = 1,
					 .ticket = number,
					 .zeros = zeros,
					 .flags = WIRE_TWICE };

	build_snapshot(&f->b, &s, slots, 4);
}

static void use_array(struct fixture *f, uint32_t id, uint32_t number, uint64_t content,
		      unsigned flags)
{
	const struct wire_use u = { .context = id,
				    .array_length = 4,
				    .flags = (uint16_t)flags,
				    .size = 4,
				    .content = content,
				    .weight = 1,
				    .ticket = number };

	build_use(&f->b, &u);
}

/* Arrays that are 0 as a whole may have been cleared, however often they are seen so. */
static void test_cleared(void **state)
{
	struct fixture *f = *state;
	uint32_t id = ALLOCATE(f, "[I", 1000, OWN);

	for (uint32_t i = 0; i < 20; i++)
		look_at_four(f, id, i, 1, 15);
	use_array(f, id, 3, 1, 0);
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(fix), "unfilled");
	assert_float_equal(fix->possible, 1000 * SIZE, 1e-6);
	assert_float_equal(fix->expected, 0, 1e-9);
	assert_float_equal(fix->looked, 0, 1e-9);
}

/* It is told all the same if it is much of all bytes, and then only. */
static void test_large(void **state)
{
	struct fixture *f = *state;

	for (uint32_t of = 0; of < 2; of++) {
		uint32_t id = of ? ALLOCATE(f, "[I", 1000, OWN)
				 : ALLOCATE(f, "[I", 1200, "Lcom/acme/Shop; keep 3");
		for (uint32_t i = 0; i < 20; i++)
			look_at_four(f, id, i, 1, 15);
	}
	ALLOCATE(f, "[I", 20000, HELPERS, FORMAT, "Lcom/acme/Shop; store 7");
	const struct fix *fix = find(f);
	assert_int_equal(f->fixes.n, 3);
	assert_string_equal(fix_name(fix), "format");
	assert_false(fix[0].large);
	assert_float_equal(fix[1].bytes, 1200 * SIZE, 1e-6);
	assert_true(fix[1].large); /* 5.4 % */
	assert_true(fix_is_shown(&f->fixes, 2));
	assert_false(fix[2].large); /* 4.5 % */
}

/* Those that hold something were not cleared; sampled accesses see them at any age. */
static void test_held(void **state)
{
	struct fixture *f = *state;
	uint32_t id = ALLOCATE(f, "[I", 1000, OWN);

	for (uint32_t i = 0; i < 10; i++)
		look_at_four(f, id, i, 2, 7);
	for (uint32_t i = 10; i < 20; i++)
		look_at_four(f, id, i, 1, 15);
	use_array(f, id, 12, 1, WIRE_SAMPLED);
	use_array(f, id, 13, 3, 0);
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(fix), "unfilled");
	assert_float_equal(fix->looked, 12, 1e-9);
	assert_float_equal(fix->agreed, 11, 1e-9);
	double expected = pow(0.2, 1 / 10.0) / 2 + (1 - sqrt(0.8)) / 2;
	assert_float_equal(fix->expected / fix->possible, expected, 1e-6);
}

/* An array of 1000 bytes, of which `used` are, up to the end or to where its tail begins. */
static void look_at_buffer(struct fixture *f, uint32_t id, uint32_t number, uint32_t used,
			   unsigned fate)
{
	const uint32_t slots[8] = { 0 };
	const struct wire_snapshot s = { .context = id,
					 .array_length = 1000,
					 .content = number,
					 .weight = 1,
					 .ticket = number,
					 .zeros = used == 1000 ? 0 : 254,
					 .flags = used == 1000 ? 0 : WIRE_FILLED };
	struct wire_snapshot *l = build_snapshot(&f->b, &s, slots, 8);

	if (s.flags & WIRE_FILLED)
		*wire_snapshot_fill(l) = (struct wire_fill){
			.kind = WIRE_FILL_ARRAY,
			.size = used,
			.capacity = 1000,
			.flags = (uint16_t)(WIRE_FILL_SIZE | WIRE_FILL_CAPACITY | fate)
		};
}

/*
 * The capacity that is named is enough for 95 of 100; the others are made anew, as long as before.
 * What a collection found dead had stayed so.
 */
static void test_buffers(void **state)
{
	struct fixture *f = *state;
	uint32_t id = ALLOCATE(f, "[B", 1000, OWN);
	char *text;
	size_t len;

	for (uint32_t i = 0; i < 100; i++)
		look_at_buffer(f, id, i, i < 50 ? 20 : i < 96 ? 50 : 1000, WIRE_FILL_DIED);
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(fix), "unfilled");
	double share = 1 - (100. * (16 + 64) + 4 * 1016) / (100 * 1016);
	assert_float_equal(fix->possible, share * 1000 * SIZE, 1e-6);
	assert_float_equal(fix->agreed, 96, 1e-9);
	assert_true(fix->expected > 0.95 * fix->possible);
	FILE *out = open_memstream(&text, &len);
	fix_put_sentence(out, &(struct style){ 0 }, fix, fix->rule->fix);
	fclose(out);
	assert_non_null(strstr(text, "; new byte[64] is enough for 95 % of them"));
	free(text);
}

/* They hold something, though none of their few slots is there: they were not cleared. */
static void test_buffers_between(void **state)
{
	struct fixture *f = *state;
	uint32_t id = ALLOCATE(f, "[B", 1000, OWN);
	const uint32_t slots[8] = { 0 };

	for (uint32_t i = 0; i < 100; i++) {
		const struct wire_snapshot s = { .context = id,
						 .array_length = 1000,
						 .content = 1,
						 .weight = 1,
						 .ticket = i,
						 .zeros = 255,
						 .flags = WIRE_FILLED };
		*wire_snapshot_fill(build_snapshot(&f->b, &s, slots, 8)) =
			(struct wire_fill){ .kind = WIRE_FILL_ARRAY,
					    .size = 30,
					    .capacity = 1000,
					    .flags = WIRE_FILL_SIZE | WIRE_FILL_CAPACITY |
						     WIRE_FILL_DIED };
	}
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(fix), "unfilled");
	assert_float_equal(fix->possible, (1 - 48. / 1016) * 1000 * SIZE, 1e-6);
	assert_true(fix->expected > 0.95 * fix->possible);
}

/* What lived on may be filled later. */
static void test_buffers_alive(void **state)
{
	struct fixture *f = *state;
	uint32_t id = ALLOCATE(f, "[B", 1000, OWN);

	for (uint32_t i = 0; i < 100; i++)
		look_at_buffer(f, id, i, 20, WIRE_FILL_SURVIVED);
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(fix), "unfilled");
	assert_float_equal(fix->looked, 100, 1e-9);
	assert_float_equal(fix->expected, 0, 1e-6);
}

/*
 * An array of eight bytes is no smaller if it holds one: then the next rule has it, and no finding
 * is lost.
 */
static void test_as_small_as_can_be(void **state)
{
	struct fixture *f = *state;
	uint32_t id = ALLOCATE(f, "[B", 1000, "Ljava/io/DataOutputStream; <init> 1", OWN);

	for (uint32_t i = 0; i < 40; i++)
		look_at_array(f, id, 4, 7);
	const struct fix *fix = find(f);
	assert_int_equal(f->fixes.n, 1);
	assert_string_not_equal(fix_name(fix), "unfilled");
}

/* 40 objects that are the same in the end and at their first uses. */
static void use_pairs(struct fixture *f, const char *signature)
{
	uint32_t id = ALLOCATE(f, signature, 1000, OWN);

	for (uint32_t i = 0; i < 40; i++) {
		const uint32_t slot = 7;
		const struct wire_snapshot s = {
			.context = id, .array_length = 1, .content = 7, .weight = 1, .ticket = i
		};
		const struct wire_use u = { .context = id,
					    .array_length = 1,
					    .size = 4,
					    .content = 7,
					    .weight = 1,
					    .ticket = i };
		build_snapshot(&f->b, &s, &slot, 1);
		build_use(&f->b, &u);
	}
}

/* Objects that can change may have been others between their first use and their end. */
static void test_restored(void **state)
{
	struct fixture *f = *state;

	use_pairs(f, "Lcom/acme/Mutable;");
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(fix), "same");
	assert_int_equal(fix->kind, ADVICE_POSSIBLE);
	assert_float_equal(fix->likely.value, 0, 1e-9);
	assert_true(fix->possible > 900 * SIZE);
	assert_float_equal(fix->expected / fix->possible, pow(0.2, 1 / 40.0), 1e-6);
}

static void test_unchangeable(void **state)
{
	struct fixture *f = *state;

	use_pairs(f, "Lcom/acme/Pair;");
	const struct fix *fix = find(f);
	assert_int_equal(fix->kind, ADVICE_LIKELY);
	assert_true(fix->likely.value > 900 * SIZE);
}

/* Sampled accesses see objects of any age. */
static void test_same_at_any_age(void **state)
{
	struct fixture *f = *state;

	use_pairs(f, "Lcom/acme/Mutable;");
	for (uint32_t i = 0; i < 20; i++) {
		const struct wire_use u = { .context = f->contexts,
					    .array_length = 1,
					    .flags = WIRE_SAMPLED,
					    .size = 4,
					    .content = 7,
					    .weight = 1,
					    .ticket = 100 + i };
		build_use(&f->b, &u);
	}
	const struct fix *fix = find(f);
	assert_int_equal(fix->kind, ADVICE_LIKELY);
	assert_true(fix->likely.value > 900 * SIZE);
}

static void use_tables(struct fixture *f, const char *line, uint32_t zeros)
{
	uint32_t id = ALLOCATE(f, "[Ljava/util/HashMap$Node;", 1000, "Ljava/util/HashMap; resize 1",
			       line);

	for (uint32_t i = 0; i < 40; i++) {
		look_at_four(f, id, i, 7, zeros);
		use_array(f, id, i, 7, 0);
	}
}

/* A table is empty when it is first used, and when all was removed. */
static void test_emptied_tables(void **state)
{
	struct fixture *f = *state;

	use_tables(f, OWN, 15);
	use_tables(f, "Lcom/acme/Shop; store 7", 0);
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(&fix[0]), "growth");
	assert_string_equal(fix_name(&fix[1]), "growth");
	bool first = strcmp(fix_first(&fix[0])->line.method, "store") == 0;
	assert_true(fix[first ? 0 : 1].likely.value > 900 * SIZE);
	assert_float_equal(fix[first ? 1 : 0].likely.value, 0, 1e-9);
	assert_true(fix[first ? 1 : 0].possible > 900 * SIZE);
}

/* Second snapshots of an array do not tell when it was filled: only uses do. */
static void test_alike_arrays(void **state)
{
	struct fixture *f = *state;
	uint32_t id = ALLOCATE(f, "[I", 1000, OWN);

	for (uint32_t i = 0; i < 20; i++)
		look_at_four(f, id, i, 7, 0);
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(fix), "alike-at-end");
	assert_true(fix->possible > 500 * SIZE);
	assert_float_equal(fix->looked, 0, 1e-9);
	assert_float_equal(fix->expected, 0, 1e-9);
}

/* Watches are counted that saw no use, and those that saw one. */
static void test_watches(void **state)
{
	struct fixture *f = *state;
	uint32_t id = ALLOCATE(f, "[I", 1000, OWN);

	for (uint32_t i = 0; i < 10; i++)
		look_at_four(f, id, i, 1, 15);
	use_array(f, id, 3, 3, 0);
	for (uint32_t i = 0; i < 7; i++)
		build_unused(&f->b, id, i < 6 ? WIRE_UNUSED_TIME : WIRE_UNUSED_EPOCH);
	const struct fix *fix = find(f);
	assert_int_equal(fix->watches, 7);
	assert_int_equal(fix->used, 1);
}

/* What was not looked at in the end is not possible either. */
static void test_not_looked_at(void **state)
{
	(void)state;
	static const struct advice_rule rule = { .name = "unproven", .removes = REMOVES_EQUAL };
	static struct advice advice;
	const struct fix_level level = { .z = 1.96 };
	struct row row = { .replica = { .own.saved_bytes = NAN,
					.deep.saved_bytes = NAN,
					.own.saved_bytes_high = NAN,
					.deep.saved_bytes_high = NAN,
					.own.likely_bytes = NAN,
					.deep.likely_bytes = NAN,
					.own.likely_end_bytes = NAN,
					.saved_end_bytes = NAN } };
	struct fix_part part = { .row = &row, .advice = &advice, .rule = &rule, .bytes = 1000 };

	fix_measure(&part, &level);
	assert_float_equal(part.possible, 0, 1e-9);
	row.replica.saved_end_bytes = 600;
	fix_measure(&part, &level);
	assert_float_equal(part.possible, 600, 1e-9);
}

/* Rules see what objects differ in, though rows of a summary do not have that. */
static void test_summary(void **state)
{
	struct fixture *f = *state;
	uint32_t id = ALLOCATE(f, "Lcom/acme/BigMap;", 900, OWN);

	for (uint32_t i = 0; i < 40; i++) {
		const uint32_t slots[2] = { i, 7 };
		const struct wire_snapshot s = {
			.context = id, .content = i, .weight = 1, .ticket = i
		};
		build_snapshot(&f->b, &s, slots, 2);
	}
	const struct fix *fix = find_in(f, true);
	assert_int_equal(fix_first(fix)->advice->facts.ndiffering, 1);
}

/* A copy of constants that somebody changes is needed, whichever caller's was looked at. */
static void test_changed_constants(void **state)
{
	struct fixture *f = *state;
	uint32_t id;

	ALLOCATE(f, "[Lcom/acme/Color;", 100, "Lcom/acme/Color; values 1", OWN);
	assert_fix(find(f), "enum-values", ADVICE_CERTAIN, 100);
	fixes_release(&f->fixes);
	rows_release(&f->lines);
	id = ALLOCATE(f, "[Lcom/acme/Color;", 100, "Lcom/acme/Color; values 1", OWN,
		      "Lcom/acme/Shop; sort 60");
	for (uint32_t i = 0; i < 2; i++) {
		const struct wire_snapshot s = { .context = id,
						 .array_length = 1,
						 .content = i,
						 .deep = i,
						 .weight = 1,
						 .ticket = i,
						 .flags = WIRE_DEEP };
		build_snapshot(&f->b, &s, &i, 1);
	}
	find(f);
	assert_int_equal(f->fixes.gains, 0);
}

int unit_fix_amount(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_filled_in_part),
		TEST(test_empty_and_large),
		TEST(test_unfilled),
		TEST(test_buffers),
		TEST(test_buffers_alive),
		TEST(test_buffers_between),
		TEST(test_as_small_as_can_be),
		TEST(test_cleared),
		TEST(test_large),
		TEST(test_held),
		TEST(test_restored),
		TEST(test_unchangeable),
		TEST(test_same_at_any_age),
		TEST(test_alike_arrays),
		TEST(test_emptied_tables),
		TEST(test_watches),
		TEST(test_not_looked_at),
		TEST(test_summary),
		TEST(test_changed_constants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

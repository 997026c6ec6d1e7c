/* SPDX-License-Identifier: Apache-2.0 */
/* test_fix_line.c - what parts of one line tell of each other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memtext.h"
#include "fix_fixture.h"

/* As certain as the expressions that come again; the others are other objects each time. */
static void test_expression(void **state)
{
	struct fixture *f = *state;
	uint32_t pattern = ALLOCATE(f, "Ljava/util/regex/Pattern;", 100, COMPILE, SPLIT, OWN);

	ALLOCATE(f, "[I", 300, COMPILE, SPLIT, OWN);
	for (uint32_t i = 0; i < 40; i++)
		look(f, pattern, i < 30 ? 7 : 1000 + i, 0);
	const struct fix *fix = find(f);
	assert_fix(fix, "regex-compile", ADVICE_CERTAIN, 300);
	assert_float_equal(fix->bytes, 400 * SIZE, 1e-6);
	assert_float_equal(fix->possible, 100 * SIZE, 1e-6);
	assert_true(fix->avoidable.range.low < 0.65 * fix->bytes);
	assert_true(fix->avoidable.range.high > 0.85 * fix->bytes);
}

/* Nothing is known of an expression of which no Pattern was looked at. */
static void test_unknown_expression(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "[I", 300, COMPILE, SPLIT, OWN);
	const struct fix *fix = find(f);
	assert_fix(fix, "regex-compile", ADVICE_POSSIBLE, 0);
	assert_float_equal(fix->possible, 300 * SIZE, 1e-6);
}

/* Expressions that are made for each call are other strings, though the Patterns are equal. */
static void test_equal_expressions(void **state)
{
	struct fixture *f = *state;
	uint32_t pattern = ALLOCATE(f, "Ljava/util/regex/Pattern;", 100, COMPILE, SPLIT, OWN);

	for (uint32_t i = 0; i < 40; i++) {
		const struct wire_snapshot s = { .context = pattern,
						 .content = i,
						 .deep = i < 30 ? 7 : 1000 + i,
						 .weight = 1,
						 .ticket = i,
						 .flags = WIRE_DEEP };
		build_snapshot(&f->b, &s, &i, 1);
	}
	const struct fix *fix = find(f);
	assert_fix(fix, "regex-compile", ADVICE_LIKELY, 75);
	assert_float_equal(fix->certain.value, 0, 1e-9);
	assert_float_equal(fix->possible, 25 * SIZE, 1e-6);
	assert_true(fix->avoidable.range.low < 0.65 * fix->bytes);
	assert_true(fix->avoidable.range.high > 0.85 * fix->bytes);
}

/* Sees 40 Patterns in 20 epochs, whose strings are at `places`, with so many different contents. */
static const struct fix *see_in_epochs(struct fixture *f, uint32_t places, uint32_t contents)
{
	uint32_t pattern = ALLOCATE(f, "Ljava/util/regex/Pattern;", 100, COMPILE, SPLIT, OWN);

	for (uint32_t i = 0; i < 40; i++) {
		uint32_t place = i % places;
		const struct wire_snapshot s = { .context = pattern,
						 .content = i,
						 .epoch = i % 20,
						 .deep = 1 + i % contents,
						 .weight = 1,
						 .ticket = i,
						 .flags = WIRE_DEEP };
		build_snapshot(&f->b, &s, &place, 1);
	}
	return find(f);
}

/* Another string can be where one was before a collection: then the Patterns differ. */
static void test_places_of_strings(void **state)
{
	const struct fix *fix = see_in_epochs(*state, 8, 40);

	assert_float_equal(fix->certain.value, 0, 1e-9);
	assert_float_equal(fix->likely.value, 0, 1e-9);
}

static void assert_constant(const struct fix *fix)
{

	assert_fix(fix, "regex-compile", ADVICE_CERTAIN, 100);
	assert_float_equal(fix->certain.value, 100 * SIZE, 1e-6);
}

/* Constants stay where they are, and the Patterns are equal. */
static void test_constant_strings(void **state)
{
	assert_constant(see_in_epochs(*state, 8, 8));
}

/* One that comes most often is a constant, if nothing else is known of the Patterns. */
static void test_one_constant_string(void **state)
{
	assert_constant(see_in_epochs(*state, 1, 40));
}

#define MATCHER "Ljava/util/regex/Pattern; matcher 1"
#define MATCHES "Ljava/lang/String; matches 1"
#define VARIES	"where the expression varies"

static void assert_sentence(const struct fix *fix, const char *holds, bool expected)
{
	const struct fix_part *part = fix_first(fix);
	struct memtext text;

	advice_put_of(memtext_begin(&text), &(struct style){ 0 }, part->row, &part->advice->facts,
		      fix->rule->fix);
	char *said = memtext_end(&text);
	if (!strstr(said, holds) == expected)
		fail_msg("'%s' %s '%s'", said, expected ? "lacks" : "has", holds);
	free(said);
}

/* A call that compiles and matches is one fix. Without a Pattern, its Matchers are needed, too. */
static void test_matches(void **state)
{
	struct fixture *f = *state;
	uint32_t pattern = ALLOCATE(f, "Ljava/util/regex/Pattern;", 100, COMPILE, MATCHES, OWN);

	ALLOCATE(f, "Ljava/util/regex/Matcher;", 300, MATCHER, MATCHES, OWN);
	for (uint32_t i = 0; i < 40; i++)
		look(f, pattern, i < 30 ? 7 : 1000 + i, 0);
	const struct fix *fix = find(f);
	assert_fix(fix, "regex-compile", ADVICE_CERTAIN, 300);
	assert_int_equal(fix->nparts, 2);
	assert_float_equal(fix->bytes, 400 * SIZE, 1e-6);
	assert_sentence(fix, VARIES, true);
	assert_sentence(fix, "reset(input)", true);
}

/* A Pattern that splits makes Matchers as well: that they remain is within the interval. */
static void test_split(void **state)
{
	struct fixture *f = *state;
	uint32_t pattern = ALLOCATE(f, "Ljava/util/regex/Pattern;", 100, COMPILE, SPLIT, OWN);

	ALLOCATE(f, "Ljava/util/regex/Matcher;", 300, MATCHER, "Ljava/util/regex/Pattern; split 1",
		 SPLIT, OWN);
	ALLOCATE(f, "Ljava/util/regex/Matcher;", 900, MATCHER, "Ljava/util/regex/Pattern; split 1",
		 NEXT);
	for (uint32_t i = 0; i < 400; i++)
		look(f, pattern, 7, 0);
	const struct fix *fix = find(f);
	assert_fix(fix, "regex-compile", ADVICE_CERTAIN, 100);
	assert_true(fix->avoidable.range.low > 80 * SIZE);
	assert_true(fix->avoidable.range.high > 400 * SIZE);
	assert_int_equal(f->fixes.gains, 1);
	assert_sentence(fix, VARIES, false);
	assert_sentence(fix, "reset(input)", false);
}

#define TO_STRING "Ljava/lang/StringBuilder; toString 1"

static void look_at_text(struct fixture *f, uint32_t text, uint32_t builder)
{
	for (uint32_t i = 0; i < 60; i++) {
		const uint32_t slots[1] = { 7 };
		struct wire_snapshot s = { .context = text,
					   .content = 7,
					   .deep = 7,
					   .weight = 1,
					   .ticket = i,
					   .flags = WIRE_DEEP };
		build_snapshot(&f->b, &s, slots, 1);
		s.context = builder;
		s.array_length = 1;
		build_snapshot(&f->b, &s, slots, 1);
	}
}

static void make_text(struct fixture *f, const char *line)
{
	uint32_t text = ALLOCATE(f, "Ljava/lang/String;", 1000, TO_STRING, line);
	uint32_t builder = ALLOCATE(f, "[B", 800, "Ljava/lang/AbstractStringBuilder; <init> 1",
				    "Ljava/lang/StringBuilder; <init> 1", OWN);

	look_at_text(f, text, builder);
}

/* A builder whose text is put together at the same line is there for that text. */
static void test_built_text(void **state)
{
	struct fixture *f = *state;

	make_text(f, OWN);
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(fix), "text");
	assert_int_equal(fix->nparts, 2);
	assert_string_equal(fix_first(fix)->class_name, "java.lang.String");
}

/* A builder that is filled over several lines can be used again. */
static void test_filled_builder(void **state)
{
	struct fixture *f = *state;

	make_text(f, NEXT);
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(&fix[0]), "text");
	assert_int_equal(fix[0].nparts, 1);
	assert_string_equal(fix_name(&fix[1]), "builder");
}

/* What the JVM joins has no frames but the line's: the array belongs to the text. */
static void test_joined_text(void **state)
{
	struct fixture *f = *state;

	look_at_text(f, ALLOCATE(f, "Ljava/lang/String;", 1000, OWN), ALLOCATE(f, "[B", 800, OWN));
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(fix), "text");
	assert_int_equal(fix->nparts, 2);
}

/* Where no text is joined, the array is the program's. */
static void test_array_beside_text(void **state)
{
	struct fixture *f = *state;

	look_at_text(f, ALLOCATE(f, "Ljava/lang/String;", 1000, TO_STRING, OWN),
		     ALLOCATE(f, "[B", 800, OWN));
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(&fix[0]), "text");
	assert_int_equal(fix[0].nparts, 1);
	assert_string_equal(fix_name(&fix[1]), "alike-at-end");
}

#define CREATED "Ljava/util/IdentityHashMap; <init> 1"

static void look_at_maps(struct fixture *f, uint32_t map, unsigned flags, unsigned fate, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t slots[2] = { 0, 0 };
		const struct wire_snapshot s = { .context = map,
						 .weight = 1,
						 .ticket = i,
						 .flags = (uint16_t)(flags | WIRE_FILLED) };
		*wire_snapshot_fill(build_snapshot(&f->b, &s, slots, 2)) =
			(struct wire_fill){ .kind = WIRE_FILL_IDENTITY,
					    .flags = (uint16_t)(WIRE_FILL_SIZE | WIRE_FILL_CHANGES |
								WIRE_FILL_NEVER | fate) };
	}
}

static void make_maps(struct fixture *f, unsigned flags)
{
	uint32_t map = ALLOCATE(f, "Ljava/util/IdentityHashMap;", 100, OWN);

	ALLOCATE(f, "[Ljava/lang/Object;", 800, "Ljava/util/IdentityHashMap; init 1", CREATED, OWN);
	look_at_maps(f, map, flags, 0, 20);
}

/* A map brings its table with it. Without a second look, nothing is promised. */
static void test_owner(void **state)
{
	struct fixture *f = *state;

	make_maps(f, 0);
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(fix), "empty-collection");
	assert_int_equal(fix->kind, ADVICE_POSSIBLE);
	assert_float_equal(fix->expected, 0, 1e-9);
	assert_true(fix->possible >= 100 * SIZE);
}

/* What was dead when it was looked at is certain, and its table with it; what lived on is not. */
static void test_ended_empty(void **state)
{
	struct fixture *f = *state;
	uint32_t map = ALLOCATE(f, "Ljava/util/IdentityHashMap;", 100, OWN);

	ALLOCATE(f, "[Ljava/lang/Object;", 800, "Ljava/util/IdentityHashMap; init 1", CREATED, OWN);
	look_at_maps(f, map, 0, WIRE_FILL_DIED, 30);
	look_at_maps(f, map, 0, WIRE_FILL_SURVIVED, 10);
	look_at_maps(f, map, 0, 0, 20);
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(fix), "empty-collection");
	assert_int_equal(fix->kind, ADVICE_CERTAIN);
	assert_float_equal(fix->certain.value, 0.75 * 900 * SIZE, 1e-6);
	assert_float_equal(fix->possible, 0.25 * 900 * SIZE, 1e-6);
	assert_true(fix->certain.range.low < 0.7 * 900 * SIZE);
	assert_true(fix->certain.range.high > 0.8 * 900 * SIZE);
}

/* The owner of an owner comes first, though the parts are larger. */
static void test_owner_of_owner(void **state)
{
	struct fixture *f = *state;
	uint32_t map = ALLOCATE(f, "Ljava/util/IdentityHashMap;", 100, OWN);

	ALLOCATE(f, "Ljava/util/Node;", 400, "Ljava/util/IdentityHashMap; init 1", CREATED, OWN);
	ALLOCATE(f, "[Ljava/lang/Object;", 800, "Ljava/util/Node; <init> 1", OWN);
	look_at_maps(f, map, WIRE_TWICE, 0, 20);
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(fix), "empty-collection");
	assert_int_equal(fix->nparts, 3);
	assert_float_equal(fix->possible, 1300 * SIZE, 1e-6);
}

/* With second looks, as much as these tell: the limit of 20 of 20 at 80 %. */
static void test_looked_at_twice(void **state)
{
	struct fixture *f = *state;

	make_maps(f, WIRE_TWICE);
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(fix), "empty-collection");
	assert_int_equal(fix->kind, ADVICE_POSSIBLE);
	assert_float_equal(fix->expected / fix->possible, pow(0.2, 1 / 20.0), 1e-6);
	assert_float_equal(fix->avoidable.value, 0, 1e-9);
	bool table = false;
	for (size_t i = 0; i < fix->nparts; i++)
		table |= strcmp(fix->part[i].class_name, "java.lang.Object[]") == 0;
	assert_true(table);
	assert_string_equal(fix_first(fix)->class_name, "java.util.IdentityHashMap");
}

static void make_owned(struct fixture *f, bool with_part, const char *line)
{
	uint32_t id = ALLOCATE(f, "Ljava/util/Name;", 1000, line);

	if (with_part)
		ALLOCATE(f, "[C", 1000, "Ljava/util/Name; <init> 3", line);
	for (uint32_t i = 0; i < 60; i++)
		look(f, id, i < 40 ? 7 : i, 0);
}

/* The share of an owner is that of its part: two errors that are one do not cancel each other. */
static void test_same_error(void **state)
{
	struct fixture *f = *state;

	make_owned(f, true, OWN);
	make_owned(f, false, "Lcom/acme/Shop; store 7");
	const struct fix *fix = find(f);
	assert_int_equal(fix[0].nparts, 2);
	assert_int_equal(fix[1].nparts, 1);
	assert_float_equal(fix[0].likely.value, 2 * fix[1].likely.value, 1e-6);
	assert_float_equal(fix[0].likely.range.low, 2 * fix[1].likely.range.low, 1e-6);
	assert_float_equal(fix[0].likely.range.high, 2 * fix[1].likely.range.high, 1e-6);
	assert_true(fix[1].likely.range.low < fix[1].likely.value);
}

int unit_fix_line(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_owner_of_owner),
		TEST(test_ended_empty),
		TEST(test_expression),
		TEST(test_unknown_expression),
		TEST(test_equal_expressions),
		TEST(test_places_of_strings),
		TEST(test_constant_strings),
		TEST(test_one_constant_string),
		TEST(test_matches),
		TEST(test_split),
		TEST(test_built_text),
		TEST(test_filled_builder),
		TEST(test_joined_text),
		TEST(test_array_beside_text),
		TEST(test_owner),
		TEST(test_looked_at_twice),
		TEST(test_same_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

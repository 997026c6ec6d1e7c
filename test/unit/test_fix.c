/* SPDX-License-Identifier: Apache-2.0 */
/* test_fix.c - what is one fix, and how many bytes it avoids, of allocations that are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memtext.h"
#include "fix_fixture.h"

/* All classes and lines of a method, whatever their verdicts; the result is not avoided. */
static void test_call(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "[I", 100, HELPERS, FORMAT, OWN);
	ALLOCATE(f, "Ljava/util/regex/Matcher;", 200, HELPERS, FORMAT, OWN);
	ALLOCATE(f, "[I", 400, HELPERS, FORMAT, NEXT);
	ALLOCATE(f, "[B", 1000, "Ljava/lang/StringBuilder; toString 1",
		 "Ljava/util/Formatter; toString 1", FORMAT, OWN);
	ALLOCATE(f, "[B", 2000, "Ljava/lang/String; getBytes 1", OWN);
	const struct fix *fix = find(f);
	assert_fix(fix, "format", ADVICE_CERTAIN, 700);
	assert_int_equal(fix->nparts, 3);
	assert_float_equal(fix->bytes, 700 * SIZE, 1e-6);
	assert_int_equal(fix_first(fix)->line.line, 50);
	assert_true(fix->avoidable.range.low > 0.8 * fix->avoidable.value);
	assert_true(fix->avoidable.range.high < 1.2 * fix->avoidable.value);
	size_t n;
	int *lines = fix_lines_of(fix, &n);
	assert_int_equal(n, 2);
	assert_int_equal(lines[0], 49);
	assert_int_equal(lines[1], 50);
	free(lines);
	assert_int_equal(f->fixes.gains, 1);
	assert_float_equal(f->fixes.bytes, 3700 * SIZE, 1e-6);
}

/* Whether a fix needs a builder is not known: the interval has it, the estimate does not. */
static void test_remains(void **state)
{
	struct fixture *f = *state;

	f->samples = 80;
	ALLOCATE(f, "[I", 100, HELPERS, FORMAT, OWN);
	ALLOCATE(f, "Ljava/lang/StringBuilder;", 100, "Ljava/util/Formatter; <init> 1", FORMAT,
		 OWN);
	ALLOCATE(f, "[B", 200, "Ljava/lang/StringBuilder; <init> 1",
		 "Ljava/util/Formatter; <init> 1", FORMAT, OWN);
	const struct fix *fix = find(f);
	assert_fix(fix, "format", ADVICE_CERTAIN, 100);
	assert_float_equal(fix->bytes, 400 * SIZE, 1e-6);
	assert_true(fix->certain.range.low > 80 * SIZE && fix->certain.range.low < 100 * SIZE);
	assert_true(fix->certain.range.high > 400 * SIZE && fix->certain.range.high < 480 * SIZE);
	assert_float_equal(fix->avoidable.range.high, fix->certain.range.high, 1e-6);
	assert_float_equal(f->fixes.certain.range.high, fix->certain.range.high, 1e-6);
}

/* The interval is that of all samples together, in how many parts they may be. */
static void test_many_parts(void **state)
{
	struct fixture *f = *state;
	const char *const classes[] = { "[I", "[B", "[C", "[J", "[D" };

	f->samples = 2;
	for (size_t i = 0; i < 5; i++)
		allocate(f, classes[i], 20, (const char *const[FRAMES]){ HELPERS, FORMAT, OWN });
	f->samples = 10;
	ALLOCATE(f, "[I", 100, HELPERS, FORMAT, "Lcom/acme/Shop; store 7");
	const struct fix *fix = find(f);
	assert_int_equal(fix[0].nparts + fix[1].nparts, 6);
	assert_float_equal(fix[0].avoidable.range.low, fix[1].avoidable.range.low, 1e-6);
	assert_float_equal(fix[0].avoidable.range.high, fix[1].avoidable.range.high, 1e-6);
}

/* Where no frame is the program's, nobody can change anything. */
static void test_no_place(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "[I", 100, HELPERS, FORMAT);
	ALLOCATE(f, "Ljava/util/ArrayList$Itr;", 900, "Ljava/util/ArrayList; iterator 1");
	ALLOCATE(f, "[I", 50, HELPERS, FORMAT, OWN);
	assert_fix(find(f), "format", ADVICE_CERTAIN, 50);
	assert_int_equal(f->fixes.gains, 1);
}

/* The same rule in two methods is two fixes; the larger comes first. */
static void test_methods(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "[I", 100, HELPERS, FORMAT, OWN);
	ALLOCATE(f, "[I", 300, HELPERS, FORMAT, "Lcom/acme/Shop; store 7");
	const struct fix *fix = find(f);
	assert_int_equal(f->fixes.n, 2);
	assert_fix(&fix[0], "format", ADVICE_CERTAIN, 300);
	assert_fix(&fix[1], "format", ADVICE_CERTAIN, 100);
}

/* A list that nobody can change meanwhile is read by index; a set is not. */
static void test_iterator(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "Ljava/util/ArrayList$Itr;", 100, "Ljava/util/ArrayList; iterator 1", OWN);
	ALLOCATE(f, "Ljava/util/HashMap$KeyIterator;", 900, "Ljava/util/HashMap$KeySet; iterator 1",
		 NEXT);
	ALLOCATE(f, "Ljava/util/concurrent/CopyOnWriteArrayList$COWIterator;", 900,
		 "Ljava/util/concurrent/CopyOnWriteArrayList; iterator 1", NEXT);
	assert_fix(find(f), "iterator", ADVICE_CERTAIN, 100);
	assert_int_equal(f->fixes.gains, 1);
}

/* Whoever gets the iterator of an Iterable sees no list to read by index. */
static void test_handed_iterator(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "Ljava/util/ArrayList$Itr;", 100, "Ljava/util/ArrayList; iterator 1",
		 "Lcom/acme/Shop; iterator 12", OWN);
	find(f);
	assert_int_equal(f->fixes.gains, 0);
}

/* A Spliterator that a program reads from by itself is no stream. */
static void test_spliterator(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "Ljava/util/ArrayList$ArrayListSpliterator;", 900,
		 "Ljava/util/ArrayList; spliterator 1", NEXT);
	ALLOCATE(f, "Ljava/util/ArrayList$ArrayListSpliterator;", 100,
		 "Ljava/util/ArrayList; spliterator 1", "Ljava/util/Collection; stream 1", OWN);
	assert_fix(find(f), "stream", ADVICE_CERTAIN, 100);
	assert_int_equal(f->fixes.gains, 1);
}

/* The iterator of a wrapper goes with that of its list, which an index replaces, too. */
static void test_wrapped(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "Ljava/util/Collections$UnmodifiableCollection$1;", 200,
		 "Ljava/util/Collections$UnmodifiableCollection; iterator 1", OWN);
	ALLOCATE(f, "Ljava/util/ArrayList$Itr;", 150, "Ljava/util/ArrayList; iterator 1",
		 "Ljava/util/Collections$UnmodifiableCollection$1; <init> 1",
		 "Ljava/util/Collections$UnmodifiableCollection; iterator 1", OWN);
	assert_fix(find(f), "iterator", ADVICE_CERTAIN, 300);
}

/* Nobody changes a loop of the JDK. */
static void test_loop_of_jdk(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "Ljava/util/ArrayList$Itr;", 100, "Ljava/util/ArrayList; iterator 1",
		 "Ljava/lang/String; join 1", OWN);
	find(f);
	assert_int_equal(f->fixes.gains, 0);
}

/* A formatter that is made is avoided; its work is not, whoever made it. */
static void test_kept_formatter(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "[C", 100, "Ljava/text/DigitList; <init> 1",
		 "Ljava/text/DecimalFormat; <init> 1", OWN);
	ALLOCATE(f, "[B", 900, "Ljava/lang/StringBuffer; <init> 1",
		 "Ljava/text/NumberFormat; format 1", OWN);
	assert_fix(find(f), "text-format", ADVICE_CERTAIN, 100);
	assert_int_equal(f->fixes.gains, 1);
}

/* What a MessageFormat returns is not avoided, nor the buffer in which it comes about. */
static void test_message(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "[I", 100, "Ljava/text/MessageFormat; <init> 1",
		 "Ljava/text/MessageFormat; format 1", OWN);
	ALLOCATE(f, "Ljava/lang/StringBuffer;", 500, "Ljava/text/Format; format 1",
		 "Ljava/text/MessageFormat; format 1", OWN);
	ALLOCATE(f, "[B", 900, "Ljava/lang/StringBuffer; <init> 1", "Ljava/text/Format; format 1",
		 "Ljava/text/MessageFormat; format 1", OWN);
	ALLOCATE(f, "Ljava/lang/StringBuilder;", 200, "Ljava/text/MessageFormat; applyPattern 1",
		 "Ljava/text/MessageFormat; <init> 1", "Ljava/text/MessageFormat; format 1", OWN);
	assert_fix(find(f), "format", ADVICE_CERTAIN, 300);
}

/* An array of length 0 that a constructor of the JDK makes is there for its object. */
static void test_empty_part(void **state)
{
	struct fixture *f = *state;

	f->length = 0;
	ALLOCATE(f, "[J", 900, "Ljava/util/BitSet; <init> 1", OWN);
	ALLOCATE(f, "[J", 100, "Ljava/util/BitSet; toLongArray 1", NEXT);
	assert_fix(find(f), "empty-result", ADVICE_CERTAIN, 100);
	assert_int_equal(f->fixes.gains, 1);
}

static void assert_key(const struct fix *fix, const char *expected)
{
	struct memtext text;

	fix_put_key(memtext_begin(&text), fix);
	char *key = memtext_end(&text);
	assert_string_equal(key, expected);
	free(key);
}

/* A key tells methods apart, and does not depend on lines. */
static void test_key(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "[I", 100, HELPERS, FORMAT, OWN);
	ALLOCATE(f, "[I", 500, HELPERS, FORMAT, NEXT);
	ALLOCATE(f, "[I", 300, HELPERS, FORMAT, "Lcom/acme/Shop; store 7");
	const struct fix *fix = find(f);
	assert_int_equal(f->fixes.n, 2);
	assert_true(fix_has_key(&fix[0]));
	assert_key(&fix[0], "format com.acme.Shop.load");
	assert_key(&fix[1], "format com.acme.Shop.store");
}

/* Where much is made and no rule applies, the line is told. */
static void test_no_fix(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "Lcom/acme/Big;", 900, OWN);
	ALLOCATE(f, "Lcom/acme/Small;", 10, NEXT);
	const struct fix *fix = find(f);
	assert_null(fix[0].rule);
	assert_false(fix_has_key(&fix[0]));
	assert_true(fix_is_shown(&f->fixes, 0));
	assert_false(fix_is_shown(&f->fixes, 1));
	assert_int_equal(f->fixes.gains, 0);
}

/* Four samples may be of what was made once; those of the parts of one fix count together. */
static void test_few(void **state)
{
	struct fixture *f = *state;

	f->samples = 4;
	ALLOCATE(f, "[I", 300, HELPERS, FORMAT, "Lcom/acme/Shop; store 7");
	ALLOCATE(f, "Lcom/acme/Big;", 900, "Lcom/acme/Shop; make 8");
	f->samples = 3;
	ALLOCATE(f, "[I", 50, HELPERS, FORMAT, OWN);
	ALLOCATE(f, "[B", 50, HELPERS, FORMAT, NEXT);
	const struct fix *fix = find(f);
	assert_fix(&fix[0], "format", ADVICE_CERTAIN, 100);
	assert_fix(&fix[1], "format", ADVICE_POSSIBLE, 0);
	assert_float_equal(fix[1].possible, 300 * SIZE, 1e-6);
	assert_float_equal(fix[1].avoidable.range.high, 0, 1e-9);
	assert_null(fix[2].rule);
	assert_false(fix_is_shown(&f->fixes, 2));
	assert_int_equal(f->fixes.gains, 1);
}

/* Of large lines without a fix, three are enough. */
static void test_many_unfixed(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "Lcom/acme/A;", 100, "Lcom/acme/Shop; a 1");
	ALLOCATE(f, "Lcom/acme/B;", 101, "Lcom/acme/Shop; b 2");
	ALLOCATE(f, "Lcom/acme/C;", 102, "Lcom/acme/Shop; c 3");
	ALLOCATE(f, "Lcom/acme/D;", 103, "Lcom/acme/Shop; d 4");
	const struct fix *fix = find(f);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(fix_is_shown(&f->fixes, i), i < 3);
	assert_string_equal(fix_first(&fix[0])->line.method, "d");
}

/* These are the largest, though something that may be avoidable ranks before them. */
static void test_largest_unfixed(void **state)
{
	static const char *const method[] = { "Lcom/acme/Shop; a 1", "Lcom/acme/Shop; b 2",
					      "Lcom/acme/Shop; c 3", "Lcom/acme/Shop; d 4" };
	struct fixture *f = *state;

	for (int i = 0; i < 4; i++)
		ALLOCATE(f, "[I", 50 + i, COMPILE, SPLIT, method[i]);
	for (int i = 0; i < 4; i++)
		ALLOCATE(f, "Lcom/acme/A;", 100 + i, method[i]);
	const struct fix *fix = find(f);
	assert_string_equal(fix_name(&fix[0]), "regex-compile");
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(fix[i].large, i >= 4 && i < 7);
	assert_int_equal(f->fixes.n, 8);
}

/* What is avoided is shared out by bytes; of what is doubted, nothing. */
static void test_contexts(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "[I", 100, HELPERS, FORMAT, OWN, "Lcom/acme/Shop; main 1");
	ALLOCATE(f, "[I", 300, HELPERS, FORMAT, OWN, "Lcom/acme/Shop; main 2");
	f->samples = 4;
	ALLOCATE(f, "[I", 50, HELPERS, FORMAT, "Lcom/acme/Shop; store 7");
	const struct fix *fix = find(f);
	const struct fix_part *part = &fix[0].part[0];
	assert_int_equal(part->ncontexts, 2);
	for (size_t i = 0; i < 2; i++)
		assert_float_equal(fix_avoids_of(&fix[0], part, part->contexts[i]),
				   part->contexts[i]->bytes, 1e-6);
	part = &fix[1].part[0];
	assert_true(part->certain.value > 0);
	assert_float_equal(fix_avoids_of(&fix[1], part, part->contexts[0]), 0, 1e-9);
}

/* No byte is in two fixes. */
static void test_sum(void **state)
{
	struct fixture *f = *state;
	double bytes = 0;

	ALLOCATE(f, "[B", 100, HELPERS, FORMAT, OWN);
	ALLOCATE(f, "[B", 100, "Ljava/lang/String; getBytes 1", OWN);
	ALLOCATE(f, "[B", 100, COMPILE, SPLIT, OWN);
	ALLOCATE(f, "[B", 100, OWN);
	find(f);
	for (size_t i = 0; i < f->fixes.n; i++)
		bytes += f->fixes.fix[i].bytes;
	assert_float_equal(bytes, f->fixes.bytes, 1e-6);
	assert_float_equal(bytes, 400 * SIZE, 1e-6);
}

/* A process id that comes again is of another JVM. */
static void test_reused_pid(void **state)
{
	struct fixture *f = *state;

	ALLOCATE(f, "[B", 100, HELPERS, FORMAT, OWN);
	size_t len = f->b.len;
	assert_int_equal(builder_feed(&f->b, f->model, 2), 0);
	f->b.len = len; /* the same once more */
	find(f);
	assert_int_equal(f->fixes.n, 2);
	assert_int_equal(f->fixes.fix[0].pid, f->fixes.fix[1].pid);
	assert_int_equal(fix_jvm(&f->fixes.fix[0]) + fix_jvm(&f->fixes.fix[1]), 1 + 2);
}

int unit_fix(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_call),
		TEST(test_remains),
		TEST(test_many_parts),
		TEST(test_no_place),
		TEST(test_methods),
		TEST(test_iterator),
		TEST(test_handed_iterator),
		TEST(test_spliterator),
		TEST(test_wrapped),
		TEST(test_loop_of_jdk),
		TEST(test_kept_formatter),
		TEST(test_message),
		TEST(test_empty_part),
		TEST(test_key),
		TEST(test_no_fix),
		TEST(test_few),
		TEST(test_many_unfixed),
		TEST(test_largest_unfixed),
		TEST(test_sum),
		TEST(test_reused_pid),
		TEST(test_contexts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

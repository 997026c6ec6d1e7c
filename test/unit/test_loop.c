/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The accesses of loops: from each instruction at which an interrupt may fall, the same accesses
 * are found, with the addresses that they will have. On code of compilers, and on small loops of
 * the kinds that are understood and that are not.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../agent/code/loop_accesses.h"
#include "../../agent/code/next_access.h"
#include "../../agent/core/peek.h"
#include "loop_code.h"

#define ROOM 8192

/* Stands for a code cache; the rest is filled with bytes that are no instruction. */
static uint8_t code[ROOM] __attribute__((aligned(4096)));

static uint64_t put(const uint8_t *bytes, size_t n)
{
	memset(code, 0x06, sizeof code);
	memcpy(code + 3000, bytes, n);
	return (uint64_t)(code + 3000);
}

/* The accesses from `ip` on, as a handler gets them; also the body. */
static bool accesses_at(uint64_t ip, struct loop_search *s, struct loop_accesses *to)
{
	loop_table_begin(s, ip);
	return loop_table_answer(s, ip) && loop_table_find(ip, false, to);
}

static int compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * Writes, sorted, where the accesses of a kind are within a stride, if all registers are 0; returns
 * their number. All must have this stride.
 */
static uint32_t offsets_of(const struct loop_accesses *a, bool store, int64_t stride,
			   int64_t to[LOOP_ACCESSES])
{
	const uint64_t frame[NEXT_ACCESS_WORDS] = { 0 };
	const struct next_access_state s = { .frame = frame, .words = NEXT_ACCESS_WORDS };
	uint32_t n = 0;

	for (uint8_t i = 0; i < a->n; i++) {
		if (a->store[i] != store)
			continue;
		assert_int_equal(a->of[i].stride, stride);
		int64_t at = (int64_t)next_access_address(&s, &a->of[i].operand) - 16;
		to[n++] = (at % stride + stride) % stride;
	}
	qsort(to, n, sizeof *to, compare);
	return n;
}

static void check_side_by_side(const struct loop_accesses *a, bool store, uint32_t n, uint32_t same,
			       const struct loop_truth *t)
{
	int64_t at[LOOP_ACCESSES];

	assert_int_equal(offsets_of(a, store, t->stride, at), n);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(at[i], i / same * (uint32_t)t->size);
}

static void check_loop(const struct loop_truth *t)
{
	static struct loop_search s, each;
	static struct loop_accesses a;
	const uint64_t ip = put(t->bytes, t->len) + t->inside;

	assert_true(accesses_at(ip, &s, &a));
	assert_true(s.body.n > 3);
	for (uint32_t i = 0; i < s.body.n; i++) {
		uint64_t at = s.code.base + s.code.step[s.body.order[i]].at;
		assert_true(accesses_at(at, &each, &a));
		assert_true(a.all_loads && a.all_stores);
		check_side_by_side(&a, true, t->stores, t->same_stores, t);
		check_side_by_side(&a, false, t->loads, t->same_loads, t);
	}
}

/* From each of their instructions on, whatever lies behind the jump back. */
static void test_compiled(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
		check_loop(&loops[i]);
}

/* ---- loops that are not understood, and others --------------------------------------------- */

static bool is_in_loop(const uint8_t *bytes, size_t n, size_t inside, struct loop_accesses *a)
{
	static struct loop_search s;

	return accesses_at(put(bytes, n) + inside, &s, a);
}

/* The body calls: what is accessed there is not known. */
static void test_call(void **state)
{
	struct loop_accesses a;

	(void)state;
	assert_false(is_in_loop(calls_code, sizeof calls_code, 0, &a));
}

/* Behind the loop is none. */
static void test_outside(void **state)
{
	struct loop_accesses a;

	(void)state;
	assert_true(is_in_loop(plain_code, sizeof plain_code, PLAIN_SECOND, &a));
	assert_int_equal(a.n, 1);
	assert_int_equal(a.of[0].stride, 4);
	assert_int_equal(a.of[0].operand.disp, 20);
	assert_false(is_in_loop(plain_code, sizeof plain_code, PLAIN_BEHIND, &a));
}

/* A list is followed: the address of the next load is not known in time, that of the store is. */
static void test_chase(void **state)
{
	struct loop_accesses a;

	(void)state;
	assert_true(is_in_loop(chase_code, sizeof chase_code, 0, &a));
	assert_false(a.all_loads);
	assert_true(a.all_stores);
	assert_int_equal(a.n, 1);
	assert_true(a.store[0]);
	assert_int_equal(a.of[0].stride, 0);
}

/* A loop in a loop: from the inner one, the inner one; the outer one sets its register anew. */
static void test_nested(void **state)
{
	struct loop_accesses a;

	(void)state;
	assert_true(is_in_loop(nested_code, sizeof nested_code, NESTED_INNER, &a));
	assert_int_equal(a.n, 1);
	assert_true(a.all_stores && a.all_loads && a.store[0]);
	assert_int_equal(a.of[0].stride, 4);
}

/* A poll of the JVM is no access of the program; a value may be kept in a vector register. */
static void test_poll_and_vector(void **state)
{
	struct next_access_state s = { .vectors = { 0x5000 } };
	struct loop_accesses a;

	(void)state;
	assert_true(is_in_loop(polls_code, sizeof polls_code, 0, &a));
	assert_int_equal(a.n, 1);
	assert_true(a.all_stores && a.all_loads && a.store[0]);
	assert_int_equal(a.of[0].stride, 4);
	assert_int_equal(next_access_address(&s, &a.of[0].operand), 0x5010);
}

/* Changed code has no loop; the answer comes back with the code. */
static void test_changed(void **state)
{
	static struct loop_search s;
	struct loop_accesses a;
	const uint64_t ip = put(loops[0].bytes, loops[0].len) + loops[0].inside;

	(void)state;
	assert_true(accesses_at(ip, &s, &a));
	uint8_t *one = (uint8_t *)ip + 5;
	*one ^= 1;
	assert_false(loop_table_find(ip, false, &a));
	*one ^= 1;
	assert_true(loop_table_find(ip, false, &a));
	assert_false(loop_table_find(ip + 1, false, &a));
}

int unit_loop(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_compiled), cmocka_unit_test(test_call),
		cmocka_unit_test(test_outside),	 cmocka_unit_test(test_chase),
		cmocka_unit_test(test_nested),	 cmocka_unit_test(test_poll_and_vector),
		cmocka_unit_test(test_changed),
	};

	if (!peek_init(true)) {
		print_message("skipped: memory cannot be read through the kernel\n");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}

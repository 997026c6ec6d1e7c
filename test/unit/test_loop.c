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

/* What a loop is: `stores` and `loads` of `size` bytes, side by side in an iteration. */
struct truth {
	const uint8_t *bytes;
	size_t len, inside; /* offset of one of its instructions */
	uint32_t stores, loads;
	int64_t stride, size;
	uint32_t same_stores, same_loads; /* stores, loads of each place */
};

static void check_side_by_side(const struct loop_accesses *a, bool store, uint32_t n, uint32_t same,
			       const struct truth *t)
{
	int64_t at[LOOP_ACCESSES];

	assert_int_equal(offsets_of(a, store, t->stride, at), n);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(at[i], i / same * (uint32_t)t->size);
}

static void check_loop(const struct truth *t)
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

static void test_unrolled(void **state)
{
	(void)state;
	check_loop(&(struct truth){ choose2_code, sizeof choose2_code, 0x25c - 0x80, 16, 0, 64, 4,
				    1, 0 });
}

static void test_by_hand(void **state)
{
	(void)state;
	check_loop(
		&(struct truth){ hand3_code, sizeof hand3_code, 0x77 - 0x5f, 3, 0, 12, 4, 1, 0 });
}

/* Two iterations with two arms each; one of the arms lies behind the jump back. */
static void test_arms(void **state)
{
	(void)state;
	check_loop(&(struct truth){ jump_code, sizeof jump_code, 0x1f6 - 0x8f, 4, 0, 8, 4, 2, 0 });
}

static void test_vector(void **state)
{
	(void)state;
	check_loop(&(struct truth){ vector_code, sizeof vector_code, 0x1a8 - 0x13a, 4, 8, 256, 64,
				    1, 2 });
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
	static const uint8_t calls[] = {
		0x89, 0x47, 0x10,	      /* mov [rdi + 16], eax */
		0xe8, 0x00, 0x01, 0x00, 0x00, /* call */
		0x48, 0x83, 0xc7, 0x04,	      /* add rdi, 4 */
		0x39, 0xf7,		      /* cmp edi, esi */
		0x7c, 0xf0,		      /* jl to the start */
		0xc3,			      /* ret */
	};
	struct loop_accesses a;

	(void)state;
	assert_false(is_in_loop(calls, sizeof calls, 0, &a));
}

/* Behind the loop is none. */
static void test_outside(void **state)
{
	static const uint8_t plain[] = {
		0x89, 0x47, 0x10,	/* mov [rdi + 16], eax */
		0x48, 0x83, 0xc7, 0x04, /* add rdi, 4 */
		0x39, 0xf7,		/* cmp edi, esi */
		0x7c, 0xf5,		/* jl to the start */
		0x89, 0x02,		/* mov [rdx], eax */
		0xc3,			/* ret */
	};
	struct loop_accesses a;

	(void)state;
	assert_true(is_in_loop(plain, sizeof plain, 3, &a));
	assert_int_equal(a.n, 1);
	assert_int_equal(a.of[0].stride, 4);
	assert_int_equal(a.of[0].operand.disp, 20);
	assert_false(is_in_loop(plain, sizeof plain, 11, &a));
}

/* A list is followed: the address of the next load is not known in time, that of the store is. */
static void test_chase(void **state)
{
	static const uint8_t chase[] = {
		0x48, 0x8b, 0x7f, 0x10, /* mov rdi, [rdi + 16] */
		0x03, 0x47, 0x18,	/* add eax, [rdi + 24] */
		0x89, 0x03,		/* mov [rbx], eax */
		0x48, 0x85, 0xff,	/* test rdi, rdi */
		0x75, 0xf2,		/* jne to the start */
		0xc3,			/* ret */
	};
	struct loop_accesses a;

	(void)state;
	assert_true(is_in_loop(chase, sizeof chase, 0, &a));
	assert_false(a.all_loads);
	assert_true(a.all_stores);
	assert_int_equal(a.n, 1);
	assert_true(a.store[0]);
	assert_int_equal(a.of[0].stride, 0);
}

/* A loop in a loop: from the inner one, the inner one; the outer one sets its register anew. */
static void test_nested(void **state)
{
	static const uint8_t nested[] = {
		0x48, 0x8b, 0x3b,	/* mov rdi, [rbx] */
		0x89, 0x47, 0x10,	/* inner: mov [rdi + 16], eax */
		0x48, 0x83, 0xc7, 0x04, /* add rdi, 4 */
		0x39, 0xf7,		/* cmp edi, esi */
		0x7c, 0xf5,		/* jl inner */
		0x48, 0x83, 0xc3, 0x08, /* add rbx, 8 */
		0x39, 0xcb,		/* cmp ebx, ecx */
		0x7c, 0xea,		/* jl to the start */
		0xc3,			/* ret */
	};
	struct loop_accesses a;

	(void)state;
	assert_true(is_in_loop(nested, sizeof nested, 3, &a));
	assert_int_equal(a.n, 1);
	assert_true(a.all_stores && a.all_loads && a.store[0]);
	assert_int_equal(a.of[0].stride, 4);
}

/* A poll of the JVM is no access of the program; a value may be kept in a vector register. */
static void test_poll_and_vector(void **state)
{
	static const uint8_t polls[] = {
		0x66, 0x48, 0x0f, 0x7e, 0xc7,		  /* movq rdi, xmm0 */
		0x89, 0x47, 0x10,			  /* mov [rdi + 16], eax */
		0x4d, 0x8b, 0x97, 0x48, 0x03, 0x00, 0x00, /* mov r10, [r15 + 0x348] */
		0x41, 0x85, 0x02,			  /* test [r10], eax */
		0x48, 0x83, 0xc7, 0x04,			  /* add rdi, 4 */
		0x66, 0x48, 0x0f, 0x6e, 0xc7,		  /* movq xmm0, rdi */
		0x39, 0xf7,				  /* cmp edi, esi */
		0x7c, 0xe1,				  /* jl to the start */
		0xc3,					  /* ret */
	};
	struct next_access_state s = { .vectors = { 0x5000 } };
	struct loop_accesses a;

	(void)state;
	assert_true(is_in_loop(polls, sizeof polls, 0, &a));
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
	const uint64_t ip = put(hand3_code, sizeof hand3_code) + 0x77 - 0x5f;

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
		cmocka_unit_test(test_unrolled),
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_arms),
		cmocka_unit_test(test_vector),
		cmocka_unit_test(test_call),
		cmocka_unit_test(test_outside),
		cmocka_unit_test(test_chase),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_poll_and_vector),
		cmocka_unit_test(test_changed),
	};

	if (!peek_init(true)) {
		print_message("skipped: memory cannot be read through the kernel\n");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}

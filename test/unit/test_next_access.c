/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The next access of code, from registers saved at an interrupt: addresses that depend on
 * registers, on a word of the frame, or on a value that was not saved; and code that is gone.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../agent/code/next_access.h"
#include "../../agent/core/peek.h"
#include "next_code.h"

#define PAGE 4096

enum { FIRST, SECOND, THIRD }; /* numbers of registers */

/* One page stands for a code cache. */
static uint8_t code[PAGE] __attribute__((aligned(PAGE)));

static uint64_t put(size_t at, const uint8_t *bytes, size_t n)
{
	memset(code, 0x90, sizeof code);
	memcpy(code + at, bytes, n);
	return (uint64_t)(code + at);
}

/* Decodes at `ip`. A handler would have saved the CODE_BYTES from there on. */
static bool learn(uint64_t ip, struct next_access *to)
{
	return next_access_learn(ip, (const uint8_t *)ip, CODE_BYTES, to);
}

static void test_registers(void **state)
{
	const uint64_t ip = put(64, plain_code, sizeof plain_code);
	struct next_access_state s = { .ip = ip };
	struct next_access a;

	(void)state;
	s.registers[FIRST] = 0x1000;
	s.registers[SECOND] = 5;
	s.registers[THIRD] = 0x2000;
	assert_true(learn(ip, &a));
	assert_int_equal(a.load[0].size, 4);
	assert_int_equal(a.load[0].step, 0);
	assert_int_equal(next_access_address(&s, &a.load[0]), 0x1000 + 5 * 4 + ELEMENTS);
	assert_int_equal(next_access_object(&s, &a.load[0]), 0x1000);
	assert_int_equal(a.store[0].step, 1);
	assert_int_equal(a.store[0].end, sizeof plain_code - RETURN);
	assert_int_equal(next_access_address(&s, &a.store[0]), 0x2000 + 12);
}

/* The instruction behind the requested one is known, too. */
static void test_next(void **state)
{
	const uint64_t ip = put(128, plain_code, sizeof plain_code);
	struct next_access a;

	(void)state;
	assert_true(learn(ip, &a));
	assert_true(next_access_at(ip + 4, &a));
	assert_int_equal(a.load[0].size, 0);
	assert_int_equal(a.store[0].step, 0);
	assert_false(next_access_at(ip + 1, &a));
}

static void test_frame(void **state)
{
	const uint64_t ip = put(192, spilled_code, sizeof spilled_code);
	const uint64_t frame[] = { 1, 2, 3, 0x5000 };
	struct next_access_state s = { .ip = ip, .frame = frame, .words = 4 };
	struct next_access a;

	(void)state;
	s.registers[SECOND] = 6;
	s.registers[THIRD] = 0x77777777;
	assert_true(learn(ip, &a));
	assert_int_equal(a.load[0].size, 4);
	assert_int_equal(next_access_address(&s, &a.load[0]), 0x5000 + 7 * 4 + ELEMENTS);
	s.words = 3;
	assert_int_equal(next_access_address(&s, &a.load[0]), 0);
	assert_int_equal(next_access_object(&s, &a.load[0]), 0);
}

static void test_gone(void **state)
{
	uint8_t saved[CODE_BYTES];
	const uint64_t ip = put(320, plain_code, sizeof plain_code);
	struct next_access a;

	(void)state;
	memcpy(saved, (const void *)ip, sizeof saved);
	code[320] = 0x90;
	assert_false(next_access_learn(ip, saved, sizeof saved, &a));
	code[320] = plain_code[0];
	assert_true(next_access_learn(ip, saved, sizeof saved, &a));
	code[322] ^= 1;
	assert_false(next_access_at(ip, &a));
}

int unit_next_access(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_next),
		cmocka_unit_test(test_frame),
		cmocka_unit_test(test_gone),
	};

	if (!peek_init(true)) {
		print_message("skipped: memory cannot be read through the kernel\n");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}

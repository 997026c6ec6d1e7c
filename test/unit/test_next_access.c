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

#define PAGE 4096

enum { RAX, RCX, RDX };

/* One page stands for a code cache. */
static uint8_t code[PAGE] __attribute__((aligned(PAGE)));

static const uint8_t plain[] = {
	0x8b, 0x44, 0x88, 0x10, /* mov eax, [rax + rcx * 4 + 16] */
	0x89, 0x42, 0x0c,	/* mov [rdx + 12], eax */
	0xc3,			/* ret */
};

static const uint8_t spilled[] = {
	0x48, 0x8b, 0x54, 0x24, 0x18, /* mov rdx, [rsp + 24] */
	0xff, 0xc1,		      /* inc ecx */
	0x8b, 0x44, 0x8a, 0x10,	      /* mov eax, [rdx + rcx * 4 + 16] */
	0xc3,			      /* ret */
};

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
	const uint64_t ip = put(64, plain, sizeof plain);
	struct next_access_state s = { .ip = ip };
	struct next_access a;

	(void)state;
	s.registers[RAX] = 0x1000;
	s.registers[RCX] = 5;
	s.registers[RDX] = 0x2000;
	assert_true(learn(ip, &a));
	assert_int_equal(a.load[0].size, 4);
	assert_int_equal(a.load[0].step, 0);
	assert_int_equal(next_access_address(&s, &a.load[0]), 0x1000 + 5 * 4 + 16);
	assert_int_equal(next_access_object(&s, &a.load[0]), 0x1000);
	assert_int_equal(a.store[0].step, 1);
	assert_int_equal(a.store[0].end, 7);
	assert_int_equal(next_access_address(&s, &a.store[0]), 0x2000 + 12);
}

/* The instruction behind the requested one is known, too. */
static void test_next(void **state)
{
	const uint64_t ip = put(128, plain, sizeof plain);
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
	const uint64_t ip = put(192, spilled, sizeof spilled);
	const uint64_t frame[] = { 1, 2, 3, 0x5000 };
	struct next_access_state s = { .ip = ip, .frame = frame, .words = 4 };
	struct next_access a;

	(void)state;
	s.registers[RCX] = 6;
	s.registers[RDX] = 0x77777777;
	assert_true(learn(ip, &a));
	assert_int_equal(a.load[0].size, 4);
	assert_int_equal(next_access_address(&s, &a.load[0]), 0x5000 + 7 * 4 + 16);
	s.words = 3;
	assert_int_equal(next_access_address(&s, &a.load[0]), 0);
	assert_int_equal(next_access_object(&s, &a.load[0]), 0);
}

static void test_gone(void **state)
{
	uint8_t saved[CODE_BYTES];
	const uint64_t ip = put(320, plain, sizeof plain);
	struct next_access a;

	(void)state;
	memcpy(saved, (const void *)ip, sizeof saved);
	code[320] = 0x90;
	assert_false(next_access_learn(ip, saved, sizeof saved, &a));
	code[320] = plain[0];
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

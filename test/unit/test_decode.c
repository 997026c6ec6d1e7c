/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kind of an access whose trap a debug register reported, from the code before it: unrolled
 * loops, whose code can be decoded in several ways; instructions that overwrite their address
 * register; and cases without an answer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../agent/code/decode.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

#define C(bytes) bytes, sizeof(bytes) - 1

/* Typical code before an access: mov eax, [rdx+4]; add rcx, 8; cmp rcx, rsi; ... */
#define BEFORE                                                                     \
	"\x8b\x42\x04\x48\x83\xc1\x08\x48\x3b\xce\x0f\x8c\x10\x00\x00\x00\x48\x89" \
	"\x5c\x24\x08\x4c\x8b\xc7\x41\xff\xc1\x45\x85\xd2\x74\x09\x33\xc0"

static struct decode_trap trap_after(const char *code, size_t len, uint64_t address, uint32_t size)
{
	struct decode_trap t = { .ip = 0x700000, .address = address, .size = size };

	assert_true(len <= DECODE_WINDOW);
	t.len = (uint8_t)len;
	memcpy(t.code, code, len);
	return t;
}

static void expect(const struct decode_trap *t, enum access_kind kind, uint8_t len)
{
	uint8_t found;

	assert_int_equal(decode_trap(t, &found), kind);
	assert_int_equal(found, len);
}

/* A store in an AVX-512 loop; any eight bytes of it are watched. */
static void test_evex(void **state)
{
	struct decode_trap t =
		trap_after(C(BEFORE "\x62\x91\x7e\x48\x7f\x9c\xd6\x10\0\0\0"), 0x10030, 8);

	(void)state;
	t.registers[R14] = 0xff20;
	t.registers[R10] = 0x1e;
	expect(&t, ACCESS_STORE, 11);
	t.address = 0x10058;
	expect(&t, ACCESS_STORE, 11);
	t.address = 0x10060; /* behind it */
	expect(&t, ACCESS_UNKNOWN, 0);
}

/*
 * vaddsd xmm1, xmm1, [r13+r11*8+n], nine times. Decoded from another start it is jae and x87 loads,
 * which more starts give.
 */
static void test_unrolled(void **state)
{
	struct decode_trap t = trap_after(
		C("\x73\x58\x4c\xdd\x40\xc4\x81\x73\x58\x4c\xdd\x48\xc4\x81\x73\x58\x4c\xdd\x50\xc4"
		  "\x81\x73"
		  "\x58\x4c\xdd\x58\xc4\x81\x73\x58\x4c\xdd\x60\xc4\x81\x73\x58\x4c\xdd\x68\xc4\x81"
		  "\x73\x58"
		  "\x4c\xdd\x70\xc4\x81\x73\x58\x4c\xdd\x78\xc4\x81\x73\x58\x8c\xdd\x80\0\0\0"),
		0x69ec1c4b8, 8);

	(void)state;
	t.registers[R11] = 0x531;
	t.registers[R13] = 0x69ec19ab0;
	expect(&t, ACCESS_LOAD, 10);
	t.registers[R13] += 8;
	expect(&t, ACCESS_UNKNOWN, 0);
}

/* mov rax, [rax+16]: the value shows that it was a load. */
static void test_clobbered(void **state)
{
	struct decode_trap t = trap_after(C(BEFORE "\x48\x8b\x40\x10"), 0x10010, 8);
	const uint64_t value = 0x1122334455667788;

	(void)state;
	t.registers[RAX] = value;
	expect(&t, ACCESS_UNKNOWN, 0);
	t.readable = true;
	expect(&t, ACCESS_UNKNOWN, 0);
	memcpy(t.memory, &value, sizeof value);
	expect(&t, ACCESS_LOAD, 4);
}

/* mov eax, [rax+12], which loads the upper half of a word. */
static void test_clobbered_half(void **state)
{
	struct decode_trap t = trap_after(C(BEFORE "\x8b\x40\x0c"), 0x1000c, 4);

	(void)state;
	t.readable = true;
	memcpy(t.memory, "\1\2\3\4\5\6\7\x08", 8);
	t.registers[RAX] = 0x08070605;
	expect(&t, ACCESS_LOAD, 3);
	t.registers[RAX] = 0x04030201;
	expect(&t, ACCESS_UNKNOWN, 0);
}

static void test_kinds(void **state)
{
	static const struct {
		const char *code;
		size_t len;
		enum access_kind kind;
		uint8_t insn_len;
	} cases[] = {
		{ C(BEFORE "\xf0\x48\x0f\xb1\x56\x10"), ACCESS_OTHER,
		  6 },						   /* lock cmpxchg [rsi+16], rdx */
		{ C(BEFORE "\x48\x01\x56\x10"), ACCESS_OTHER, 4 }, /* add [rsi+16], rdx */
		{ C(BEFORE "\x48\x3b\x56\x10"), ACCESS_LOAD, 4 },  /* cmp rdx, [rsi+16] */
		/*
		 * test dword [rsi+16], 0x75d0: by ZGC, before a store; with another mask it belongs
		 * to the program
		 */
		{ C(BEFORE "\xf7\x46\x10\xd0\x75\0\0"), ACCESS_OTHER, 7 },
		{ C(BEFORE "\x40\xf7\x46\x10\xe0\xea\0\0"), ACCESS_OTHER, 8 },
		{ C(BEFORE "\xf7\x46\x10\xf0\x75\0\0"), ACCESS_LOAD, 7 },
		{ C(BEFORE "\xf7\x46\x10\x10\0\0\0"), ACCESS_LOAD, 7 },
		{ C(BEFORE "\xc5\xfb\x11\x46\x10"), ACCESS_STORE, 5 },	 /* vmovsd [rsi+16], xmm0 */
		{ C(BEFORE "\xc5\xfe\x7f\x06"), ACCESS_STORE, 4 },	 /* vmovdqu [rsi], ymm0 */
		{ C(BEFORE "\xc7\x46\x10\x07\0\0\0"), ACCESS_STORE, 7 }, /* mov dword [rsi+16], 7 */
		{ C(BEFORE "\x48\x8d\x56\x10"), ACCESS_UNKNOWN, 0 },	 /* lea rdx, [rsi+16] */
		{ C(BEFORE "\x65\x48\x8b\x56\x10"), ACCESS_UNKNOWN, 0 }, /* mov rdx, gs:[rsi+16] */
		{ C(BEFORE "\x48\x0f\xa3\x56\x10"), ACCESS_UNKNOWN, 0 }, /* bt [rsi+16], rdx */
		/* vpgatherdd zmm1{k1}, [rsi+zmm2*4+64] */
		{ C(BEFORE "\x62\xf2\x7d\x49\x90\x4c\x96\x10"), ACCESS_UNKNOWN, 0 },
		{ C(BEFORE "\x33\xc0\x90"), ACCESS_UNKNOWN, 0 },
		{ C("\xcc\xcc"), ACCESS_UNKNOWN, 0 },
		{ C(""), ACCESS_UNKNOWN, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct decode_trap t = trap_after(cases[i].code, cases[i].len, 0x10010, 8);
		t.registers[RSI] = 0x10000;
		expect(&t, cases[i].kind, cases[i].insn_len);
	}
}

/* After the last step of a string instruction, its registers point behind the string. */
static void test_string(void **state)
{
	struct decode_trap t = trap_after(C(BEFORE "\xf3\x48\xa5"), 0x10010, 8);

	(void)state;
	t.registers[RDI] = 0x10018;
	t.registers[RSI] = 0x20018;
	expect(&t, ACCESS_STORE, 3);
	t.registers[RDI] = 0x20018;
	t.registers[RSI] = 0x10018;
	expect(&t, ACCESS_LOAD, 3);
	t.registers[RDI] = 0x10018; /* source and destination are the same: both */
	expect(&t, ACCESS_UNKNOWN, 0);
}

int unit_decode(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_evex),	  cmocka_unit_test(test_unrolled),
		cmocka_unit_test(test_clobbered), cmocka_unit_test(test_clobbered_half),
		cmocka_unit_test(test_kinds),	  cmocka_unit_test(test_string),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instruction decoder: against the truth about thousands of assembled instructions
 * (insn_truth.txt); results in registers and jump targets; what is not understood; random bytes at
 * the end of a page.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "base/rng.h"
#include "insn/x86_64/insn_private.h"
#include "insn_truth.h"

#define PAGE   4096
#define RANDOM 2000000

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10 };

static void test_truth(void **state)
{
	FILE *f = fopen("test/unit/insn_truth.txt", "r");

	(void)state;
	assert_non_null(f);
	struct insn_tally t = insn_truth_check(&insn_x86_64_reading, f, stdout);
	fclose(f);
	assert_int_equal(t.wrong, 0);
	assert_true(t.instructions > 7000);
	assert_true(t.loads > 6000 && t.stores > 300 && t.updates > 300 && t.unknown > 30);
}

/* A store and a load whose displacement counts in units of 64 bytes, in different forms. */
static void test_evex(void **state)
{
	const uint8_t far[] = { 0x62, 0x91, 0x7e, 0x48, 0x7f, 0x9c, 0xd6, 0x10, 0, 0, 0 };
	const uint8_t near[] = { 0x62, 0xf1, 0xfd, 0x48, 0x6f, 0x40, 0x02 };
	struct insn insn;

	(void)state;
	assert_true(insn_x86_64_decode(far, sizeof far, &insn));
	assert_int_equal(insn.len, sizeof far);
	assert_int_equal(insn.accesses, 1);
	assert_int_equal(insn.access[0].kind, INSN_STORE);
	assert_int_equal(insn.access[0].size, 64);
	assert_int_equal(insn.access[0].mem.base, 14);
	assert_int_equal(insn.access[0].mem.index, R10);
	assert_int_equal(insn.access[0].mem.scale, 8);
	assert_int_equal(insn.access[0].mem.disp, 0x10);
	assert_true(insn_x86_64_decode(near, sizeof near, &insn));
	assert_int_equal(insn.access[0].kind, INSN_LOAD);
	assert_int_equal(insn.access[0].mem.disp, 128);
}

struct result {
	const char *bytes;
	size_t len;
	enum insn_result what;
	uint8_t to, from, width;
	int64_t imm;
};

#define R(bytes) bytes, sizeof(bytes) - 1

static void test_results(void **state)
{
	static const struct result results[] = {
		{ R("\x48\x8b\xc1"), INSN_MOVE, RAX, RCX, 8, 0 }, /* mov rax, rcx */
		{ R("\x44\x89\xc6"), INSN_MOVE, RSI, R8, 4, 0 },  /* mov esi, r8d */
		{ R("\x48\x8b\x54\x24\x18"), INSN_READ, RDX, INSN_NONE, 8,
		  0 },							 /* mov rdx, [rsp+24] */
		{ R("\x0f\xb6\x03"), INSN_READ, RAX, INSN_NONE, 4, 0 },	 /* movzx eax, [rbx] */
		{ R("\x48\x63\xd1"), INSN_MOVE, RDX, RCX, 8, 0 },	 /* movsxd rdx, ecx */
		{ R("\x8d\x41\x08"), INSN_LEA, RAX, INSN_NONE, 4, 0 },	 /* lea eax, [rcx+8] */
		{ R("\xff\xc1"), INSN_ADD, RCX, INSN_NONE, 4, 1 },	 /* inc ecx */
		{ R("\x49\xff\xca"), INSN_SUB, R10, INSN_NONE, 8, 1 },	 /* dec r10 */
		{ R("\x83\xc0\xf8"), INSN_ADD, RAX, INSN_NONE, 4, -8 },	 /* add eax, -8 */
		{ R("\x2b\xd3"), INSN_SUB, RDX, RBX, 4, 0 },		 /* sub edx, ebx */
		{ R("\x01\xd8"), INSN_ADD, RAX, RBX, 4, 0 },		 /* add eax, ebx */
		{ R("\xc1\xe1\x03"), INSN_SHIFT, RCX, INSN_NONE, 4, 3 }, /* shl ecx, 3 */
		{ R("\xd1\xe0"), INSN_SHIFT, RAX, INSN_NONE, 4, 1 },	 /* shl eax, 1 */
		{ R("\xc1\xe9\x03"), INSN_OTHER, 0, 0, 0, 3 },		 /* shr ecx, 3 */
		{ R("\x66\x8b\xc1"), INSN_OTHER, 0, 0, 0, 0 },		 /* mov ax, cx */
		{ R("\xb8\x05\x00\x00\x00"), INSN_MOVE, RAX, INSN_NONE, 4, 5 },
		{ R("\x49\xba\xf0\xde\xbc\x9a\x78\x56\x34\x12"), INSN_MOVE, R10, INSN_NONE, 8,
		  0x123456789abcdef0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
		const struct result *r = &results[i];
		struct insn insn;
		assert_true(insn_x86_64_decode((const uint8_t *)r->bytes, r->len, &insn));
		assert_int_equal(insn.len, r->len);
		assert_int_equal(insn.result, r->what);
		assert_int_equal(insn.to, r->to);
		assert_int_equal(insn.from, r->from);
		assert_int_equal(insn.width, r->width);
		assert_int_equal(insn.imm, r->imm);
		if (r->what != INSN_OTHER)
			assert_int_equal(insn.written, 1 << r->to);
	}
}

static void test_flow(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		enum insn_flow flow;
		bool direct;
		int32_t target;
	} flows[] = {
		{ R("\x74\xfe"), INSN_BRANCH, true, -2 },
		{ R("\x0f\x8c\x00\x01\x00\x00"), INSN_BRANCH, true, 256 },
		{ R("\xeb\x10"), INSN_JUMP, true, 16 },
		{ R("\xe9\xf0\xff\xff\xff"), INSN_JUMP, true, -16 },
		{ R("\xff\x24\xc8"), INSN_JUMP, false, 0 },
		{ R("\xe8\x00\x00\x00\x00"), INSN_CALL, true, 0 },
		{ R("\xff\xd0"), INSN_CALL, false, 0 },
		{ R("\xc3"), INSN_LEAVES, false, 0 },
		{ R("\xcc"), INSN_LEAVES, false, 0 },
		{ R("\x0f\x0b"), INSN_LEAVES, false, 0 },
		{ R("\x90"), INSN_NEXT, false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof flows / sizeof *flows; i++) {
		struct insn insn;
		assert_true(
			insn_x86_64_decode((const uint8_t *)flows[i].bytes, flows[i].len, &insn));
		assert_int_equal(insn.len, flows[i].len);
		assert_int_equal(insn.flow, flows[i].flow);
		assert_int_equal(insn.direct, flows[i].direct);
		assert_int_equal(insn.target, flows[i].target);
	}
}

static void test_not_understood(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
	} codes[] = {
		{ R("\x06") },			       /* not valid in 64-bit mode */
		{ R("\xd5\x48\x89\x02") },	       /* APX */
		{ R("\x62\xf4\x7c\x08\x01\x42\x0c") }, /* likewise */
		{ R("\x66\xc5\xf8\x10\x00") },	       /* VEX behind a prefix */
		{ R("\x48\xc5\xf8\x10\x00") },
		{ R("\x62\xf1\xfd\xc8\x6f\x40\x02") }, /* zeroing without a mask */
		/* a broadcast that the instruction does not support */
		{ R("\x62\xf1\xfd\x58\x6f\x40\x02") },
		{ R("\xf0\x8b\x00") },		   /* a lock on a load */
		{ R("\xc4\xe2\x79\x49\x00") },	   /* AMX */
		{ R("\x0f\x6f\x00") },		   /* MMX */
		{ R("\x8b\x84\x88\x10\x00\x00") }, /* truncated */
		{ R("") },
	};

	(void)state;
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
		struct insn insn;
		assert_false(
			insn_x86_64_decode((const uint8_t *)codes[i].bytes, codes[i].len, &insn));
		assert_int_equal(insn.len, 0);
		assert_int_equal(insn.accesses, 0);
	}
}

/* Instructions that compute with floating-point numbers are marked. */
static void test_floating(void **state)
{
	struct insn insn;

	(void)state;
	assert_true(insn_x86_64_decode((const uint8_t *)"\xf2\x0f\x11\x02", 4, &insn)); /* movsd */
	assert_int_equal(insn.floating, 8);
	assert_true(insn_x86_64_decode((const uint8_t *)"\xc5\xfa\x58\x02", 4, &insn)); /* vaddss */
	assert_int_equal(insn.floating, 4);
	assert_true(
		insn_x86_64_decode((const uint8_t *)"\xf2\x0f\x2a\x02", 4, &insn)); /* cvtsi2sd */
	assert_int_equal(insn.floating, 0);
	assert_true(insn_x86_64_decode((const uint8_t *)"\xc5\xf9\x58\x02", 4, &insn)); /* vaddpd */
	assert_int_equal(insn.floating, 0);
}

/*
 * The binary search needs ordered rows: each ends before the next begins, unless both have the same
 * opcodes.
 */
static void test_order(void **state)
{
	const struct {
		const struct insn_row *row;
		size_t n;
	} tables[] = { { insn_rows_0f, insn_nrows_0f },
		       { insn_rows_0f38, insn_nrows_0f38 },
		       { insn_rows_0f3a, insn_nrows_0f3a },
		       { insn_rows_fp16, insn_nrows_fp16 } };

	(void)state;
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
		for (size_t i = 0; i + 1 < tables[t].n; i++) {
			const struct insn_row *a = &tables[t].row[i], *b = a + 1;
			bool same = a->map == b->map && a->first == b->first && a->last == b->last;
			assert_true(a->first <= a->last);
			assert_true(same || a->map < b->map ||
				    (a->map == b->map && a->last < b->first));
			assert_true(!same || !(a->pp & b->pp) || !(a->enc & b->enc));
		}
}

/*
 * Nothing behind the end is read, whatever the bytes are; the result does not depend on what
 * follows.
 */
static void test_any_bytes(void **state)
{
	uint8_t *pages =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct rng random = { 1 };

	(void)state;
	assert_ptr_not_equal(pages, MAP_FAILED);
	assert_int_equal(mprotect(pages + PAGE, PAGE, PROT_NONE), 0);
	for (int i = 0; i < RANDOM; i++) {
		size_t len = rng_below(&random, 18);
		uint8_t *code = pages + PAGE - len;
		struct insn insn, alone;
		for (size_t k = 0; k < len; k++)
			code[k] = (uint8_t)rng_below(&random, 256);
		if (len && i % 2) /* usually a vector instruction */
			code[0] = "\x62\xc4\xc5\x0f"[rng_below(&random, 4)];
		if (!insn_x86_64_decode(code, len, &insn))
			continue;
		assert_true(insn.len >= 1 && insn.len <= len && insn.len <= INSN_X86_64_LONGEST);
		assert_true(insn.accesses <= INSN_OPERANDS);
		memmove(pages + PAGE - insn.len, code, insn.len);
		assert_true(insn_x86_64_decode(pages + PAGE - insn.len, insn.len, &alone));
		assert_memory_equal(&insn, &alone, sizeof insn);
		if (insn.len > 1)
			assert_false(
				insn_x86_64_decode(pages + PAGE - insn.len, insn.len - 1u, &alone));
	}
	munmap(pages, 2 * PAGE);
}

static void test_text(void **state)
{
	const uint8_t store[] = { 0x62, 0x91, 0x7e, 0x48, 0x7f, 0x9c, 0xd6, 0x10, 0, 0, 0 };
	char text[64];

	(void)state;
	insn_x86_64_effect(text, sizeof text, store, sizeof store);
	assert_string_equal(text, "64-byte store to [r14 + r10*8 + 0x10]");
	insn_x86_64_effect(text, sizeof text, store, sizeof store - 1);
	assert_string_equal(text, "62 91 7e 48 7f 9c d6 10 00 00");
	insn_x86_64_effect(text, 8, store, sizeof store - 1);
	assert_string_equal(text, "62 91");
	insn_x86_64_effect(text, sizeof text, (const uint8_t *)"\x62\xf1\x7e\x4b\x7f\x40\xff", 7);
	assert_string_equal(text, "64-byte masked store to [rax - 0x40]");
}

int unit_insn(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truth),	       cmocka_unit_test(test_evex),
		cmocka_unit_test(test_results),	       cmocka_unit_test(test_flow),
		cmocka_unit_test(test_not_understood), cmocka_unit_test(test_floating),
		cmocka_unit_test(test_order),	       cmocka_unit_test(test_any_bytes),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

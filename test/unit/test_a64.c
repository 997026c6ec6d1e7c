/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of A64 instructions: against the truth about assembled ones (a64_truth.txt); results
 * in registers and targets of branches; what traps need to know; random words, against Capstone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <capstone/capstone.h>
#include <cmocka.h>

#include "base/rng.h"
#include "insn/aarch64/insn_aarch64.h"
#include "insn_truth.h"

#define RANDOM 300000

static void test_truth(void **state)
{
	FILE *f = fopen("test/unit/a64_truth.txt", "r");

	(void)state;
	assert_non_null(f);
	struct insn_tally t = insn_truth_check(&insn_aarch64_reading, f, stdout);
	fclose(f);
	assert_int_equal(t.wrong, 0);
	assert_true(t.loads > 600 && t.stores > 400 && t.updates > 150);
	assert_true(t.none > 80 && t.unknown == 5);
}

static struct insn decode(uint32_t word)
{
	struct insn insn;

	assert_true(insn_aarch64_decode((const uint8_t *)&word, sizeof word, &insn));
	assert_int_equal(insn.len, 4);
	return insn;
}

struct result {
	uint32_t word;
	enum insn_result what;
	uint8_t to, from, width;
	int64_t imm;
};

static void test_results(void **state)
{
	static const struct result results[] = {
		{ 0xaa0403e3, INSN_MOVE, 3, 4, 8, 0 },			/* mov x3, x4 */
		{ 0x2a0403e3, INSN_MOVE, 3, 4, 4, 0 },			/* mov w3, w4 */
		{ 0xaa1f03e3, INSN_MOVE, 3, INSN_NONE, 8, 0 },		/* mov x3, xzr */
		{ 0xd2a00023, INSN_MOVE, 3, INSN_NONE, 8, 0x10000 },	/* movz x3, #1, lsl #16 */
		{ 0x92800083, INSN_MOVE, 3, INSN_NONE, 8, -5 },		/* movn x3, #4 */
		{ 0x12800083, INSN_MOVE, 3, INSN_NONE, 4, 0xfffffffb }, /* movn w3, #4 */
		{ 0x93407c83, INSN_MOVE, 3, 4, 8, 0 },			/* sxtw x3, w4 */
		{ 0xcb050063, INSN_SUB, 3, 5, 8, 0 },			/* sub x3, x3, x5 */
		{ 0xf9400483, INSN_READ, 3, INSN_NONE, 8, 0 },		/* ldr x3, [x4, #8] */
		{ 0x39400483, INSN_READ, 3, INSN_NONE, 4, 0 },		/* ldrb w3, [x4, #1] */
		{ 0xb9800483, INSN_READ, 3, INSN_NONE, 8, 0 },		/* ldrsw x3, [x4, #4] */
		{ 0x9e670083, INSN_TO_VECTOR, 3, 4, 8, 0 },		/* fmov d3, x4 */
		{ 0x9e660083, INSN_FROM_VECTOR, 3, 4, 8, 0 },		/* fmov x3, d4 */
		{ 0x53007c83, INSN_MOVE, 3, 4, 4, 0 },			/* lsr w3, w4, #0 */
		{ 0x531d7c83, INSN_OTHER, 0, 0, 0, 0 },			/* lsr w3, w4, #29 */
		{ 0x131f7c83, INSN_OTHER, 0, 0, 0, 0 },			/* asr w3, w4, #31 */
		{ 0xcb0500c3, INSN_OTHER, 0, 0, 0, 0 },			/* sub x3, x6, x5 */
		{ 0xf280002b, INSN_OTHER, 0, 0, 0, 0 },			/* movk x11, #1 */
		{ 0xeb05007f, INSN_OTHER, 0, 0, 0, 0 },			/* cmp x3, x5 */
	};

	(void)state;
	for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
		const struct result *r = &results[i];
		struct insn insn = decode(r->word);
		assert_int_equal(insn.result, r->what);
		if (r->what == INSN_OTHER)
			continue;
		assert_int_equal(insn.to, r->to);
		assert_int_equal(insn.from, r->from);
		assert_int_equal(insn.width, r->width);
		assert_int_equal(insn.imm, r->imm);
	}
}

/* Sums: of a number, of two registers, of a shifted one, of what a store writes back. */
static void test_sums(void **state)
{
	static const struct {
		uint32_t word;
		uint8_t to, base, index, scale;
		int64_t disp;
	} sums[] = {
		{ 0x91004083, 3, 4, INSN_NONE, 0, 16 },	      /* add x3, x4, #16 */
		{ 0xd1404083, 3, 4, INSN_NONE, 0, -0x10000 }, /* sub x3, x4, #16, lsl #12 */
		{ 0x910083ff, INSN_AARCH64_SP, 31, INSN_NONE, 0, 32 }, /* add sp, sp, #32 */
		{ 0x8b050c83, 3, 4, 5, 8, 0 },			       /* add x3, x4, x5, lsl #3 */
		{ 0x8b25c883, 3, 4, 5, 4, 0 },			       /* add x3, x4, w5, sxtw #2 */
		{ 0xd37df083, 3, INSN_NONE, 4, 8, 0 },		       /* lsl x3, x4, #3 */
		{ 0x937d7c83, 3, INSN_NONE, 4, 8, 0 },		       /* sbfiz x3, x4, #3, #32 */
		{ 0xf81f8e83, 20, 20, INSN_NONE, 0, -8 },	       /* str x3, [x20, #-8]! */
		{ 0x10000203, 3, INSN_PC, INSN_NONE, 0, 60 },	       /* adr x3, . + 64 */
	};

	(void)state;
	for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
		struct insn insn = decode(sums[i].word);
		assert_int_equal(insn.result, INSN_LEA);
		assert_int_equal(insn.to, sums[i].to);
		assert_int_equal(insn.written, 1u << sums[i].to);
		assert_int_equal(insn.lea.base, sums[i].base);
		assert_int_equal(insn.lea.index, sums[i].index);
		assert_int_equal(insn.lea.scale, sums[i].scale);
		assert_int_equal(insn.lea.disp, sums[i].disp);
	}
}

static void test_flow(void **state)
{
	static const struct {
		uint32_t word;
		enum insn_flow flow;
		bool direct;
		int32_t target;
	} flows[] = {
		{ 0x14000010, INSN_JUMP, true, 60 },	/* b . + 64 */
		{ 0x17fffff0, INSN_JUMP, true, -68 },	/* b . - 64 */
		{ 0x94000010, INSN_CALL, true, 60 },	/* bl . + 64 */
		{ 0x54fffe01, INSN_BRANCH, true, -68 }, /* b.ne . - 64 */
		{ 0xb4000203, INSN_BRANCH, true, 60 },	/* cbz x3, . + 64 */
		{ 0xb7400203, INSN_BRANCH, true, 60 },	/* tbnz x3, #40, . + 64 */
		{ 0xd61f0060, INSN_JUMP, false, 0 },	/* br x3 */
		{ 0xd63f0060, INSN_CALL, false, 0 },	/* blr x3 */
		{ 0xd65f03c0, INSN_LEAVES, false, 0 },	/* ret */
		{ 0xd4200020, INSN_LEAVES, false, 0 },	/* brk #1 */
		{ 0xd503201f, INSN_NEXT, false, 0 },	/* nop */
	};

	(void)state;
	for (size_t i = 0; i < sizeof flows / sizeof flows[0]; i++) {
		struct insn insn = decode(flows[i].word);
		assert_int_equal(insn.flow, flows[i].flow);
		assert_int_equal(insn.direct, flows[i].direct);
		assert_int_equal(insn.target, flows[i].target);
	}
}

static void test_special(void **state)
{
	struct insn insn;
	const uint32_t udf = 0, load = 0xf9400483;

	(void)state;
	assert_true(insn_aarch64_exclusive(0xc85f7c83));  /* ldxr x3, [x4] */
	assert_true(insn_aarch64_exclusive(0xc805fc83));  /* stlxr w5, x3, [x4] */
	assert_true(insn_aarch64_exclusive(0xc87f1483));  /* ldxp x3, x5, [x4] */
	assert_false(insn_aarch64_exclusive(0xc8dffc83)); /* ldar x3, [x4] */
	assert_false(insn_aarch64_exclusive(0xc8e37c85)); /* casa x3, x5, [x4] */
	assert_false(insn_aarch64_exclusive(0x48207c82)); /* casp x0, x1, x2, x3, [x4] */
	assert_true(insn_aarch64_zeroes(0xd50b7423));	  /* dc zva, x3 */
	assert_false(insn_aarch64_zeroes(0xd50b7a23));	  /* dc cvac, x3 */
	assert_false(insn_aarch64_decode((const uint8_t *)&udf, sizeof udf, &insn));
	assert_int_equal(insn.len, 0);
	assert_false(insn_aarch64_decode((const uint8_t *)&load, 3, &insn));
}

/* What a store writes, in its order; register 31 is zero. */
static void test_stored(void **state)
{
	static const struct {
		uint32_t word;
		uint8_t first, second, size;
		bool vectors;
	} stores[] = {
		{ 0xf9000483, 3, INSN_NONE, 8, false },		 /* str x3, [x4, #8] */
		{ 0x3900049f, 31, INSN_NONE, 1, false },	 /* strb wzr, [x4, #1] */
		{ 0xa9000883, 3, 2, 16, false },		 /* stp x3, x2, [x4] */
		{ 0xa90008df, 31, 2, 16, false },		 /* stp xzr, x2, [x6] */
		{ 0x3d800483, 3, INSN_NONE, 16, true },		 /* str q3, [x4, #16] */
		{ 0xad000883, 3, 2, 32, true },			 /* stp q3, q2, [x4] */
		{ 0xc8250883, 3, 2, 16, false },		 /* stxp w5, x3, x2, [x4] */
		{ 0xf9400483, INSN_NONE, INSN_NONE, 8, false },	 /* ldr x3, [x4, #8] */
		{ 0xc8a37c85, INSN_NONE, INSN_NONE, 8, false },	 /* cas x3, x5, [x4] */
		{ 0x4c9f7083, INSN_NONE, INSN_NONE, 16, false }, /* st1 {v3.16b}, [x4], #16 */
	};

	(void)state;
	for (size_t i = 0; i < sizeof stores / sizeof stores[0]; i++) {
		struct insn insn = decode(stores[i].word);
		assert_int_equal(insn.stored[0], stores[i].first);
		assert_int_equal(insn.stored[1], stores[i].second);
		assert_int_equal(insn.access[0].size, stores[i].size);
		if (stores[i].first != INSN_NONE)
			assert_int_equal(insn.stored_vectors, stores[i].vectors);
	}
}

static void test_text(void **state)
{
	const uint8_t load[] = { 0x83, 0x04, 0x40, 0xf9 }, none[] = { 0, 0, 0, 0 };
	char text[64];

	(void)state;
	insn_aarch64_text(text, sizeof text, load, sizeof load);
	assert_string_equal(text, "ldr x3, [x4, #8]");
	insn_aarch64_text(text, sizeof text, none, sizeof none);
	assert_string_equal(text, "00000000");
	insn_aarch64_text(text, sizeof text, load, 2);
	assert_string_equal(text, "0483");
	insn_aarch64_text(text, 4, load, 2);
	assert_string_equal(text, "04");
}

/* ---- random words ------------------------------------------------------------------------ */

/* Capstone's number for the general register of an operand; -1 if it is none. */
static int general(unsigned reg)
{
	if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
		return (int)(reg - ARM64_REG_X0);
	if (reg == ARM64_REG_X29 || reg == ARM64_REG_X30)
		return reg == ARM64_REG_X29 ? 29 : 30;
	if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
		return (int)(reg - ARM64_REG_W0);
	return reg == ARM64_REG_SP || reg == ARM64_REG_WSP ? INSN_AARCH64_SP : -1;
}

static const cs_arm64_op *memory_operand(const cs_insn *c)
{
	const cs_arm64 *a = &c->detail->arm64;

	for (int i = 0; i < a->op_count; i++)
		if (a->operands[i].type == ARM64_OP_MEM)
			return &a->operands[i];
	return NULL;
}

/*
 * Whether base, index and number are the same. A literal's address is a number for Capstone, and
 * not compared. False if there is nothing to compare.
 */
static bool compare(uint32_t word, const cs_insn *c, const struct insn *insn)
{
	const cs_arm64_op *op = memory_operand(c);

	if (!op || insn->unknown || strncmp(c->mnemonic, "prf", 3) == 0)
		return false;
	if (insn->accesses != 1)
		fail_msg("%08x is %s %s: no access", word, c->mnemonic, c->op_str);
	const struct insn_mem *mem = &insn->access[0].mem;
	bool load = strncmp(c->mnemonic, "ld", 2) == 0, store = strncmp(c->mnemonic, "st", 2) == 0;
	bool update = insn->access[0].kind == INSN_UPDATE;
	if (general(op->mem.base) != mem->base ||
	    (op->mem.index != ARM64_REG_INVALID && op->mem.index != ARM64_REG_XZR &&
	     op->mem.index != ARM64_REG_WZR && general(op->mem.index) != mem->index) ||
	    op->mem.disp != mem->disp || (!update && load && insn->access[0].kind != INSN_LOAD) ||
	    (!update && store && insn->access[0].kind != INSN_STORE))
		fail_msg("%08x is %s %s: base %u, index %u, %ld", word, c->mnemonic, c->op_str,
			 mem->base, mem->index, (long)mem->disp);
	return true;
}

/*
 * A word that Capstone reads as a load or store is one for us, with the same address. It knows
 * Armv8.0 and 8.1.
 */
static void test_any_words(void **state)
{
	struct rng rng = { .state = 1 };
	csh cs;
	cs_insn *c;
	unsigned compared = 0;

	(void)state;
	assert_int_equal(cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &cs), CS_ERR_OK);
	cs_option(cs, CS_OPT_DETAIL, CS_OPT_ON);
	for (int i = 0; i < RANDOM; i++) {
		/* half of them of the group of loads and stores */
		uint32_t word = (uint32_t)rng_next(&rng);
		struct insn insn;
		if (i % 2)
			word = (word & ~0x0a000000u) | 0x08000000;
		bool read = insn_aarch64_decode((const uint8_t *)&word, sizeof word, &insn);
		if (cs_disasm(cs, (const uint8_t *)&word, sizeof word, 0, 1, &c) != 1)
			continue;
		const cs_arm64_op *op = memory_operand(c);
		if (op && !read)
			fail_msg("%08x is %s %s", word, c->mnemonic, c->op_str);
		compared += read && compare(word, c, &insn);
		cs_free(c, 1);
	}
	cs_close(&cs);
	assert_true(compared > RANDOM / 10);
}

int unit_a64(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truth),	cmocka_unit_test(test_results),
		cmocka_unit_test(test_sums),	cmocka_unit_test(test_flow),
		cmocka_unit_test(test_special), cmocka_unit_test(test_stored),
		cmocka_unit_test(test_text),	cmocka_unit_test(test_any_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

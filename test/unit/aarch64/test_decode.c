/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An access that has trapped before it takes place: its kind, whether its watch must end, and what
 * a store will write, from the context of the signal.
 */
#include <asm/sigcontext.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include <cmocka.h>

#include "../../../agent/code/decode.h"

#define X(n)	  (0x1122334455667700u + (n)) /* the values of registers that are no address */
#define V_LOW(n)  (0xa0a1a2a3a4a5a600u + (n))
#define V_HIGH(n) (0xb0b1b2b3b4b5b600u + (n))

static void test_kinds(void **state)
{
	static const struct {
		uint32_t word;
		enum access_kind kind;
		uint8_t len;
	} rows[] = {
		{ 0xf9400483, ACCESS_LOAD, 4 },	   /* ldr x3, [x4, #8] */
		{ 0xf9000483, ACCESS_STORE, 4 },   /* str x3, [x4, #8] */
		{ 0xa9400883, ACCESS_LOAD, 4 },	   /* ldp x3, x2, [x4] */
		{ 0xc85f7c83, ACCESS_LOAD, 4 },	   /* ldxr x3, [x4] */
		{ 0xc8a37c85, ACCESS_OTHER, 4 },   /* cas x3, x5, [x4] */
		{ 0xf8230085, ACCESS_OTHER, 4 },   /* ldadd x3, x5, [x4] */
		{ 0xd50b7423, ACCESS_STORE, 4 },   /* dc zva, x3 */
		{ 0xa5e0a000, ACCESS_LOAD, 4 },	   /* ld1d {z0.d}, p0/z, [x0] */
		{ 0xe5e0e000, ACCESS_STORE, 4 },   /* st1d {z0.d}, p0, [x0] */
		{ 0xd503201f, ACCESS_UNKNOWN, 0 }, /* nop */
		{ 0x00000000, ACCESS_UNKNOWN, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct decode_trap trap = { .here = (const uint8_t *)&rows[i].word,
						  .here_len = sizeof rows[i].word };
		uint8_t len = 9;
		assert_int_equal(decode_trap(&trap, &len), rows[i].kind);
		assert_int_equal(len, rows[i].len);
	}
}

/* The context of a signal at an instruction; vectors are behind another record of the kernel. */
static ucontext_t context_at(const uint32_t *word)
{
	ucontext_t context;
	mcontext_t *m = &context.uc_mcontext;
	struct esr_context other = { .head = { ESR_MAGIC, sizeof other } };
	struct fpsimd_context vectors = { .head = { FPSIMD_MAGIC, sizeof vectors } };

	memset(&context, 0, sizeof context);
	m->pc = (uintptr_t)word;
	for (unsigned i = 0; i < 31; i++)
		m->regs[i] = X(i);
	m->regs[4] = 0x20000;
	m->regs[5] = 3;
	m->regs[20] = 0x30008;
	m->sp = 0x40000;
	for (unsigned i = 0; i < 32; i++)
		vectors.vregs[i] = (__uint128_t)V_HIGH(i) << 64 | V_LOW(i);
	memcpy(m->__reserved, &other, sizeof other);
	memcpy(m->__reserved + sizeof other, &vectors, sizeof vectors);
	return context;
}

static void test_must_end(void **state)
{
	static const uint32_t stlxr = 0xc805fc83, str = 0xf9000483;
	ucontext_t context = context_at(&stlxr);

	(void)state;
	assert_true(decode_must_end(&context));
	context = context_at(&str);
	assert_false(decode_must_end(&context));
}

static void test_stored(void **state)
{
	static const struct {
		uint32_t word, size;
		uintptr_t address;
		bool known;
		uint64_t value;
	} rows[] = {
		{ 0xf9000483, 8, 0x20008, true, X(3) },		  /* str x3, [x4, #8] */
		{ 0xf9000483, 4, 0x2000c, true, X(3) >> 32 },	  /* its upper half */
		{ 0xf9000483, 8, 0x20010, false, 0 },		  /* behind it */
		{ 0xf9000483, 8, 0x20000, false, 0 },		  /* before it */
		{ 0x3900049f, 1, 0x20001, true, 0 },		  /* strb wzr, [x4, #1] */
		{ 0xf90003ff, 8, 0x40000, true, 0 },		  /* str xzr, [sp] */
		{ 0xa9000883, 8, 0x20000, true, X(3) },		  /* stp x3, x2, [x4] */
		{ 0xa9000883, 8, 0x20008, true, X(2) },		  /* its second register */
		{ 0x3d800483, 8, 0x20018, true, V_HIGH(3) },	  /* str q3, [x4, #16] */
		{ 0xad000883, 8, 0x20010, true, V_LOW(2) },	  /* stp q3, q2, [x4] */
		{ 0xb8257880, 4, 0x2000c, true, (uint32_t)X(0) }, /* str w0, [x4, x5, lsl #2] */
		{ 0xf81f8e83, 8, 0x30000, true, X(3) },		  /* str x3, [x20, #-8]! */
		{ 0xf8008683, 8, 0x30008, true, X(3) },		  /* str x3, [x20], #8 */
		{ 0xf9400483, 8, 0x20008, false, 0 },		  /* ldr x3, [x4, #8] */
		{ 0xc8a37c85, 8, 0x20000, false, 0 },		  /* cas x3, x5, [x4] */
		{ 0x4c9f7083, 8, 0x20000, false, 0 },		  /* st1 {v3.16b}, [x4], #16 */
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const ucontext_t context = context_at(&rows[i].word);
		uint64_t value = 0;
		assert_int_equal(decode_stored(&context, rows[i].address, rows[i].size, &value),
				 rows[i].known);
		assert_int_equal(value, rows[i].value);
	}
}

/* A context without vectors: what is stored of them is not known. */
static void test_no_vectors(void **state)
{
	static const uint32_t str = 0x3d800483;
	ucontext_t context = context_at(&str);
	uint64_t value;

	(void)state;
	memset(context.uc_mcontext.__reserved, 0, sizeof context.uc_mcontext.__reserved);
	assert_false(decode_stored(&context, 0x20018, 8, &value));
}

int unit_decode(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_must_end),
		cmocka_unit_test(test_stored),
		cmocka_unit_test(test_no_vectors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* test_bytecodes.c - what the lines of a method load, by its bytecodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hotspot/metadata/bytecodes.h"

/* Instructions of a class file, and the same as HotSpot may have replaced them. */
static void loads_by_line(void **state)
{
	static const unsigned char plain[] = {
		42,  180, 0,   1,    /* 0: aload_0, getfield */
		27,  51,	     /* 4: iload_1, baload */
		182, 0,	  2,	     /* 6: invokevirtual */
		42,  3,	  181, 0, 3, /* 9: aload_0, iconst_0, putfield */
		190, 84,	     /* 14: arraylength, bastore */
		50,  177,	     /* 16: aaload, return */
	};
	static const unsigned char fast[] = {
		221, 204, 0, 1, 27, 51, 227, 0, 2, 236, 3, 214, 0, 3, 190, 84, 50, 177,
	};
	static const struct wire_line lines[] = { { 0, 1 }, { 6, 2 }, { 9, 3 }, { 16, 4 } };
	uint16_t loads[4];

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_true(bytecodes_loads(i ? fast : plain, sizeof plain, lines, 4, loads));
		assert_int_equal(loads[0], WIRE_LOADED_FIELD | WIRE_LOADED_BYTE);
		assert_int_equal(loads[1], 0);
		assert_int_equal(loads[2], 0);
		assert_int_equal(loads[3], WIRE_LOADED_REF);
	}
}

/* What is compared at start: other numbers than are known show in lengths or in what is loaded. */
static void own_numbers(void **state)
{
	static const struct {
		unsigned char code[8], plain[8];
		uint32_t size, replaced;
		bool agree;
	} rows[] = {
		{ { 42, 177 }, { 42, 177 }, 2, 0, true },
		{ { 221, 204, 0, 1, 177 }, { 42, 180, 0, 1, 177 }, 5, 2, true },
		{ { 227, 0, 2, 236, 177 }, { 182, 0, 2, 42, 177 }, 5, 2, true },
		{ { 228, 0, 2, 236, 177 }, { 182, 0, 2, 42, 177 }, 5, 0, false }, /* one later */
		{ { 211, 0, 1 }, { 180, 0, 1 }, 3, 0, false },
		{ { 210, 0, 1 }, { 181, 0, 1 }, 3, 0, false },
		{ { 220, 0, 1 }, { 181, 0, 1 }, 3, 0, false },
		{ { 202, 0, 1 }, { 181, 0, 1 }, 3, 0, false }, /* a breakpoint */
		{ { 238 }, { 42 }, 1, 0, false },
		{ { 236 }, { 236 }, 1, 0, false }, /* no class file has that */
		{ { 227, 0 }, { 182, 0 }, 2, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint32_t replaced = 0;
		bool agree = bytecodes_agree(rows[i].code, rows[i].plain, rows[i].size, &replaced);
		assert_int_equal(agree, rows[i].agree);
		if (agree)
			assert_int_equal(replaced, rows[i].replaced);
	}
}

/* Instructions whose length is in them, at each place of a word. */
static void switches(void **state)
{
	static const struct wire_line lines[] = { { 0, 1 } };
	uint16_t loads[1];

	(void)state;
	for (uint32_t before = 0; before < 4; before++)
		for (int lookup = 0; lookup < 3; lookup++) {
			unsigned char code[64] = { 0 };
			uint32_t at = before, operands = (before + 4) & ~3u;
			code[at] = (const unsigned char[]){ 170, 171, 229 }[lookup];
			if (lookup) {
				code[operands + 7] = 2; /* pairs */
				at = operands + 8 + 16;
			} else {
				code[operands + 7] = 1; /* low */
				code[operands + 11] = 3;
				at = operands + 12 + 12;
			}
			code[at] = 46; /* iaload */
			assert_true(bytecodes_loads(code, at + 1, lines, 1, loads));
			assert_int_equal(loads[0], WIRE_LOADED_INT);
			assert_false(bytecodes_loads(code, at - 1, lines, 1, loads)); /* cut */
		}
}

static void wide(void **state)
{
	static const unsigned char code[] = { 196, 132, 0, 1, 0, 180, 196, 21, 1, 0, 52 };
	static const struct wire_line lines[] = { { 0, 1 } };
	uint16_t loads[1];

	(void)state;
	assert_true(bytecodes_loads(code, sizeof code, lines, 1, loads));
	assert_int_equal(loads[0], WIRE_LOADED_CHAR); /* 180 was an operand */
}

/* Of code that is not understood nothing is said, whatever it is. */
static void unknown(void **state)
{
	static const unsigned char breakpoint[] = { 42, 202, 0, 1, 177 };
	static const unsigned char huge[] = { 171, 0, 0, 0, 0, 0, 0, 0, 127, 255, 255, 255 };
	static const struct wire_line lines[] = { { 0, 1 }, { 3, 2 } };
	uint16_t loads[2];
	uint32_t seed = 1;

	(void)state;
	assert_false(bytecodes_loads(breakpoint, sizeof breakpoint, lines, 2, loads));
	assert_false(bytecodes_loads(huge, sizeof huge, lines, 2, loads));
	assert_true(bytecodes_loads(NULL, 0, lines, 0, loads));
	for (int round = 0; round < 20000; round++) {
		uint32_t size = (uint32_t)round % 40;
		unsigned char *code = malloc(size ? size : 1);
		for (uint32_t i = 0; i < size; i++) {
			seed = seed * 1664525 + 1013904223;
			code[i] = (unsigned char)(seed >> 24);
		}
		bytecodes_loads(code, size, lines, 2, loads);
		free(code);
	}
}

int unit_bytecodes(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(loads_by_line),
					    cmocka_unit_test(own_numbers),
					    cmocka_unit_test(switches), cmocka_unit_test(wide),
					    cmocka_unit_test(unknown) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}

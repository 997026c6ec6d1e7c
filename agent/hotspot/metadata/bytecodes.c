/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bytecodes.c - see bytecodes.h.
 *
 * The code is what the interpreter runs: HotSpot replaces some instructions by faster ones, which
 * it numbers from 203 on, in the same order since JDK 9. No table of HotSpot tells these numbers,
 * so they are compared at start with what JVMTI says (metadata_names.c). One that stands for two
 * instructions has only the opcode of the first replaced, so each has the length of what it was.
 */
#include "hotspot/metadata/bytecodes.h"

#include <stddef.h>
#include <string.h>

enum {
	TABLESWITCH = 170,
	LOOKUPSWITCH = 171,
	IINC = 132,
	WIDE = 196,
	LAST_PLAIN = 201,   /* of the class file's */
	LINEARSWITCH = 228, /* a LOOKUPSWITCH, as is the next one */
	BINARYSWITCH = 229,
};

/* Opcodes up to `last` after those of the row before. */
static const struct {
	uint8_t last;
	uint8_t len; /* 0: it is in the instruction, or the opcode is not known */
	uint16_t loads;
} opcodes[] = {
	{ 15, 1, 0 },		       /* constants */
	{ 16, 2, 0 },		       /* bipush */
	{ 17, 3, 0 },		       /* sipush */
	{ 18, 2, 0 },		       /* ldc */
	{ 20, 3, 0 },		       /* ldc_w, ldc2_w */
	{ 25, 2, 0 },		       /* iload to aload */
	{ 45, 1, 0 },		       /* iload_0 to aload_3 */
	{ 46, 1, WIRE_LOADED_INT },    /* iaload */
	{ 47, 1, WIRE_LOADED_LONG },   /* laload */
	{ 48, 1, WIRE_LOADED_FLOAT },  /* faload */
	{ 49, 1, WIRE_LOADED_DOUBLE }, /* daload */
	{ 50, 1, WIRE_LOADED_REF },    /* aaload */
	{ 51, 1, WIRE_LOADED_BYTE },   /* baload */
	{ 52, 1, WIRE_LOADED_CHAR },   /* caload */
	{ 53, 1, WIRE_LOADED_SHORT },  /* saload */
	{ 58, 2, 0 },		       /* istore to astore */
	{ 131, 1, 0 },		       /* stores, the stack, arithmetic */
	{ IINC, 3, 0 },
	{ 152, 1, 0 }, /* conversions, comparisons */
	{ 168, 3, 0 }, /* branches */
	{ 169, 2, 0 }, /* ret */
	{ LOOKUPSWITCH, 0, 0 },
	{ 177, 1, 0 },		       /* returns */
	{ 179, 3, 0 },		       /* getstatic, putstatic: no object's */
	{ 180, 3, WIRE_LOADED_FIELD }, /* getfield */
	{ 184, 3, 0 },		       /* putfield, calls */
	{ 186, 5, 0 },		       /* invokeinterface, invokedynamic */
	{ 187, 3, 0 },		       /* new */
	{ 188, 2, 0 },		       /* newarray */
	{ 189, 3, 0 },		       /* anewarray */
	{ 191, 1, 0 },		       /* arraylength: of the header; athrow */
	{ 193, 3, 0 },		       /* checkcast, instanceof */
	{ 195, 1, 0 },		       /* monitors */
	{ WIDE, 0, 0 },
	{ 197, 4, 0 },		       /* multianewarray */
	{ 199, 3, 0 },		       /* ifnull, ifnonnull */
	{ 201, 5, 0 },		       /* goto_w, jsr_w */
	{ 202, 0, 0 },		       /* breakpoint */
	{ 210, 3, WIRE_LOADED_FIELD }, /* getfield, by type */
	{ 219, 3, 0 },		       /* putfield, by type */
	{ 223, 1, 0 },		       /* aload_0, alone or before a getfield */
	{ 226, 2, 0 },		       /* iload, alone or before another one or a caload */
	{ 227, 3, 0 },		       /* invokevirtual of a final method */
	{ BINARYSWITCH, 0, 0 },
	{ 230, 2, 0 },		       /* ldc */
	{ 231, 3, 0 },		       /* ldc_w */
	{ 232, 1, 0 },		       /* return of Object's constructor */
	{ 233, 3, 0 },		       /* invokevirtual of a method handle */
	{ 234, 3, WIRE_LOADED_FIELD }, /* getfield that stays as it is */
	{ 235, 3, 0 },		       /* putfield, the same */
	{ 236, 1, 0 },		       /* aload_0 */
	{ 237, 2, 0 },		       /* iload */
	{ UINT8_MAX, 0, 0 },
};

static size_t row_of(uint8_t opcode)
{
	size_t i = 0;

	while (opcodes[i].last < opcode)
		i++;
	return i;
}

/* A number of the class file's; 0 behind the end. */
static int64_t number_at(const unsigned char *code, uint32_t size, uint64_t at)
{
	if (at + 4 > size)
		return 0;
	return (int32_t)((uint32_t)code[at] << 24 | (uint32_t)code[at + 1] << 16 |
			 (uint32_t)code[at + 2] << 8 | code[at + 3]);
}

/* The length of an instruction; 0: it is not known. */
static uint64_t length_at(const unsigned char *code, uint32_t size, uint32_t bci)
{
	uint8_t opcode = code[bci];
	uint64_t operands = ((uint64_t)bci + 4) & ~UINT64_C(3);

	if (opcodes[row_of(opcode)].len)
		return opcodes[row_of(opcode)].len;
	if (opcode == WIDE)
		return bci + 1 < size && code[bci + 1] == IINC ? 6 : 4;
	if (opcode == TABLESWITCH) {
		int64_t n = number_at(code, size, operands + 8) -
			    number_at(code, size, operands + 4) + 1;
		return n > 0 ? operands + 12 + 4 * (uint64_t)n - bci : 0;
	}
	if (opcode == LOOKUPSWITCH || opcode == LINEARSWITCH || opcode == BINARYSWITCH) {
		int64_t n = number_at(code, size, operands + 4);
		return n >= 0 ? operands + 8 + 8 * (uint64_t)n - bci : 0;
	}
	return 0;
}

bool bytecodes_agree(const unsigned char *code, const unsigned char *plain, uint32_t size,
		     uint32_t *replaced)
{
	for (uint64_t bci = 0, len; bci < size; bci += len) {
		len = length_at(code, size, (uint32_t)bci);
		if (len == 0 || len > size - bci || len != length_at(plain, size, (uint32_t)bci) ||
		    plain[bci] > LAST_PLAIN ||
		    opcodes[row_of(code[bci])].loads != opcodes[row_of(plain[bci])].loads)
			return false;
		*replaced += code[bci] > LAST_PLAIN;
	}
	return true;
}

bool bytecodes_loads(const unsigned char *code, uint32_t size, const struct wire_line *lines,
		     uint32_t n, uint16_t *loads)
{
	uint32_t line = 0;

	memset(loads, 0, n * sizeof *loads);
	for (uint64_t bci = 0, len; bci < size; bci += len) {
		len = length_at(code, size, (uint32_t)bci);
		if (len == 0 || len > size - bci)
			return false;
		while (line + 1 < n && lines[line + 1].bci <= bci)
			line++;
		if (n > 0 && lines[line].bci <= bci)
			loads[line] |= opcodes[row_of(code[bci])].loads;
	}
	return true;
}

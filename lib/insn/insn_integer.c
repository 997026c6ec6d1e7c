/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn_integer.c - integer instructions of the one-byte map and of the map 0F: rows and results.
 * See insn_private.h.
 */
#include "insn/insn_private.h"

/*
 * Instructions whose opcode ModRM does not extend. Arithmetic, string instructions and jumps are
 * elsewhere.
 */
static const struct insn_row rows[] = {
	/* map, first, last, prefixes, encodings, operand, size, element, flags */
	{ MAP_ONE, 0x50, 0x57, 0, 0, NO_MEMORY, 0, 0, NO_MODRM | WRITES_RSP },
	{ MAP_ONE, 0x63, 0x63, 0, 0, LOAD, SIZE_4, 0, RG },
	{ MAP_ONE, 0x68, 0x68, 0, 0, NO_MEMORY, 0, 0, NO_MODRM | WRITES_RSP | IMM_Z },
	{ MAP_ONE, 0x69, 0x69, 0, 0, LOAD, SIZE_V, 0, RG | IMM_Z },
	{ MAP_ONE, 0x6a, 0x6a, 0, 0, NO_MEMORY, 0, 0, NO_MODRM | WRITES_RSP | IMM8 },
	{ MAP_ONE, 0x6b, 0x6b, 0, 0, LOAD, SIZE_V, 0, RG | IMM8 },
	{ MAP_ONE, 0x84, 0x84, 0, 0, LOAD, SIZE_1, 0, 0 },
	{ MAP_ONE, 0x85, 0x85, 0, 0, LOAD, SIZE_V, 0, 0 },
	{ MAP_ONE, 0x86, 0x86, 0, 0, UPDATE, SIZE_1, 0, RG | RM | EB | GB },
	{ MAP_ONE, 0x87, 0x87, 0, 0, UPDATE, SIZE_V, 0, RG | RM },
	{ MAP_ONE, 0x88, 0x88, 0, 0, STORE, SIZE_1, 0, RM | EB },
	{ MAP_ONE, 0x89, 0x89, 0, 0, STORE, SIZE_V, 0, RM },
	{ MAP_ONE, 0x8a, 0x8a, 0, 0, LOAD, SIZE_1, 0, RG | GB },
	{ MAP_ONE, 0x8b, 0x8b, 0, 0, LOAD, SIZE_V, 0, RG },
	{ MAP_ONE, 0x8c, 0x8c, 0, 0, STORE, SIZE_2, 0, RM },
	{ MAP_ONE, 0x8d, 0x8d, 0, 0, ADDRESS, SIZE_V, 0, RG },
	{ MAP_ONE, 0x8e, 0x8e, 0, 0, LOAD, SIZE_2, 0, 0 },
	{ MAP_ONE, 0x98, 0x98, 0, 0, NO_MEMORY, 0, 0, NO_MODRM | AX },
	{ MAP_ONE, 0x99, 0x99, 0, 0, NO_MEMORY, 0, 0, NO_MODRM | DX },
	{ MAP_ONE, 0x9b, 0x9b, 0, 0, NO_MEMORY, 0, 0, NO_MODRM },
	{ MAP_ONE, 0x9c, 0x9d, 0, 0, NO_MEMORY, 0, 0, NO_MODRM | WRITES_RSP },
	{ MAP_ONE, 0x9e, 0x9e, 0, 0, NO_MEMORY, 0, 0, NO_MODRM },
	{ MAP_ONE, 0x9f, 0x9f, 0, 0, NO_MEMORY, 0, 0, NO_MODRM | AX },
	{ MAP_ONE, 0xa8, 0xa8, 0, 0, NO_MEMORY, 0, 0, NO_MODRM | IMM8 },
	{ MAP_ONE, 0xa9, 0xa9, 0, 0, NO_MEMORY, 0, 0, NO_MODRM | IMM_Z },
	{ MAP_ONE, 0xc0, 0xc0, 0, 0, UPDATE, SIZE_1, 0, RM | EB | IMM8 },
	{ MAP_ONE, 0xc1, 0xc1, 0, 0, UPDATE, SIZE_V, 0, RM | IMM8 },
	{ MAP_ONE, 0xc9, 0xc9, 0, 0, NO_MEMORY, 0, 0, NO_MODRM | WRITES_ALL },
	{ MAP_ONE, 0xd0, 0xd0, 0, 0, UPDATE, SIZE_1, 0, RM | EB },
	{ MAP_ONE, 0xd1, 0xd1, 0, 0, UPDATE, SIZE_V, 0, RM },
	{ MAP_ONE, 0xd2, 0xd2, 0, 0, UPDATE, SIZE_1, 0, RM | EB },
	{ MAP_ONE, 0xd3, 0xd3, 0, 0, UPDATE, SIZE_V, 0, RM },
	{ MAP_ONE, 0xf5, 0xf5, 0, 0, NO_MEMORY, 0, 0, NO_MODRM },
	{ MAP_ONE, 0xf8, 0xf9, 0, 0, NO_MEMORY, 0, 0, NO_MODRM },
	{ MAP_ONE, 0xfc, 0xfd, 0, 0, NO_MEMORY, 0, 0, NO_MODRM },
	{ MAP_0F, 0x0d, 0x0d, 0, 0, ADDRESS, SIZE_NONE, 0, 0 },
	/* includes rdssp, if the operand is a register */
	{ MAP_0F, 0x18, 0x1f, 0, 0, ADDRESS, SIZE_NONE, 0, RM },
	{ MAP_0F, 0x31, 0x31, 0, 0, NO_MEMORY, 0, 0, NO_MODRM | AX | DX },
	{ MAP_0F, 0x40, 0x4f, 0, 0, LOAD, SIZE_V, 0, RG },
	{ MAP_0F, 0x90, 0x9f, 0, 0, STORE, SIZE_1, 0, RM | EB },
	{ MAP_0F, 0xa0, 0xa1, 0, 0, NO_MEMORY, 0, 0, NO_MODRM | WRITES_RSP },
	{ MAP_0F, 0xa2, 0xa2, 0, 0, NO_MEMORY, 0, 0, NO_MODRM | WRITES_ALL },
	/* a bit string extends as far as the register says */
	{ MAP_0F, 0xa3, 0xa3, 0, 0, HIDDEN, SIZE_V, 0, 0 },
	{ MAP_0F, 0xa4, 0xa4, 0, 0, UPDATE, SIZE_V, 0, RM | IMM8 },
	{ MAP_0F, 0xa5, 0xa5, 0, 0, UPDATE, SIZE_V, 0, RM },
	{ MAP_0F, 0xa8, 0xa9, 0, 0, NO_MEMORY, 0, 0, NO_MODRM | WRITES_RSP },
	{ MAP_0F, 0xab, 0xab, 0, 0, HIDDEN, SIZE_V, 0, RM },
	{ MAP_0F, 0xac, 0xac, 0, 0, UPDATE, SIZE_V, 0, RM | IMM8 },
	{ MAP_0F, 0xad, 0xad, 0, 0, UPDATE, SIZE_V, 0, RM },
	{ MAP_0F, 0xaf, 0xaf, 0, 0, LOAD, SIZE_V, 0, RG },
	{ MAP_0F, 0xb0, 0xb0, 0, 0, UPDATE, SIZE_1, 0, RM | EB | AX },
	{ MAP_0F, 0xb1, 0xb1, 0, 0, UPDATE, SIZE_V, 0, RM | AX },
	{ MAP_0F, 0xb3, 0xb3, 0, 0, HIDDEN, SIZE_V, 0, RM },
	{ MAP_0F, 0xb6, 0xb6, 0, 0, LOAD, SIZE_1, 0, RG },
	{ MAP_0F, 0xb7, 0xb7, 0, 0, LOAD, SIZE_2, 0, RG },
	{ MAP_0F, 0xb8, 0xb8, 0, 0, LOAD, SIZE_V, 0, RG },
	{ MAP_0F, 0xbb, 0xbb, 0, 0, HIDDEN, SIZE_V, 0, RM },
	{ MAP_0F, 0xbc, 0xbd, 0, 0, LOAD, SIZE_V, 0, RG },
	{ MAP_0F, 0xbe, 0xbe, 0, 0, LOAD, SIZE_1, 0, RG },
	{ MAP_0F, 0xbf, 0xbf, 0, 0, LOAD, SIZE_2, 0, RG },
	{ MAP_0F, 0xc0, 0xc0, 0, 0, UPDATE, SIZE_1, 0, RM | RG | EB | GB },
	{ MAP_0F, 0xc1, 0xc1, 0, 0, UPDATE, SIZE_V, 0, RM | RG },
	{ MAP_0F, 0xc3, 0xc3, 0, 0, STORE, SIZE_Y, 0, 0 },
};

/* ---- what the rows do not say ---------------------------------------------------------- */

/* Moves: the result in a register. */
static void moves(const struct insn_reader *r, struct insn *insn)
{
	bool memory = r->mod != 3;

	if (r->map == MAP_ONE && r->opcode == 0x8b)
		insn_result_is(r, insn, memory ? INSN_READ : INSN_MOVE, r->reg,
			       memory ? INSN_NONE : r->rm);
	else if (r->map == MAP_ONE && r->opcode == 0x89 && !memory)
		insn_result_is(r, insn, INSN_MOVE, r->rm, r->reg);
	else if (r->map == MAP_ONE && r->opcode == 0x8d && !r->addr32)
		insn_result_is(r, insn, INSN_LEA, r->reg, INSN_NONE);
	else if (r->map == MAP_ONE && r->opcode == 0x63)
		insn_result_is(r, insn, memory ? INSN_READ : INSN_MOVE, r->reg,
			       memory ? INSN_NONE : r->rm);
	else if (r->map == MAP_0F && memory && (r->opcode | 9) == 0xbf)
		insn_result_is(r, insn, INSN_READ, r->reg, INSN_NONE);
}

/* Shifts to the left by an immediate. */
static void shifts(const struct insn_reader *r, struct insn *insn)
{
	bool one = r->opcode == 0xd1;

	if (r->map != MAP_ONE || r->mod != 3 || (r->reg & 5) != 4 || (!one && r->opcode != 0xc1))
		return;
	insn_result_is(r, insn, INSN_SHIFT, r->rm, INSN_NONE);
	if (one)
		insn->imm = 1;
}

/* Encodings that are invalid or that processors treat differently. */
static bool odd(const struct insn_reader *r)
{
	if (r->map == MAP_ONE && r->opcode == 0x8d)
		return r->mod == 3;
	if (r->map == MAP_ONE && r->opcode == 0x63)
		return r->opsize;
	if (r->map == MAP_0F && r->opcode == 0xb8)
		return !r->rep;
	if (r->map == MAP_0F && r->opcode == 0xc3)
		return r->mod == 3 || r->pp;
	return false;
}

bool insn_integer(struct insn_reader *r, struct insn *insn)
{
	const struct insn_row *row = insn_find_row(r, rows, sizeof rows / sizeof *rows);

	if (!row)
		return insn_group(r, insn) || insn_special(r, insn);
	if (!(row->flags & NO_MODRM))
		insn_modrm(r);
	insn_use_row(r, insn, row);
	moves(r, insn);
	shifts(r, insn);
	r->bad = r->bad || odd(r);
	return true;
}

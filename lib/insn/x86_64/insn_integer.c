/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn_integer.c - integer instructions of the one-byte map and of the map 0F: rows and results.
 * See insn_private.h.
 */
#include "insn/x86_64/insn_private.h"

/* ---- arithmetic, x87, and other opcodes that ModRM extends. See insn_private.h. */

/* ---- arithmetic ------------------------------------------------------------------------ */

/* The result of add, or, adc, sbb, and, sub, xor, cmp (`which`), with a register or a number. */
static void arithmetic_result(const struct insn_reader *r, struct insn *insn, uint8_t which,
			      uint8_t to, uint8_t from)
{
	if (which == 0)
		insn_result_is(r, insn, INSN_ADD, to, from);
	else if (which == 5)
		insn_result_is(r, insn, INSN_SUB, to, from);
}

/* Opcodes 00 to 3f: each eight are one operation with different operands. */
static bool arithmetic(struct insn_reader *r, struct insn *insn)
{
	uint8_t which = r->opcode >> 3, form = r->opcode & 7;
	bool compares = which == 7;
	uint16_t byte = form & 1 ? 0 : EB | GB;
	struct insn_row row = { .size = form & 1 ? SIZE_V : SIZE_1, .flags = byte };

	if (form >= 6)
		return false;
	if (form >= 4) {
		row.flags = (form & 1 ? IMM_Z : IMM8) | (compares ? 0 : AX) | NO_MODRM;
		insn_use_row(r, insn, &row);
		if (form & 1)
			arithmetic_result(r, insn, which, 0, INSN_NONE);
		return true;
	}
	bool to_rm = form < 2;
	row.operand = to_rm && !compares ? UPDATE : LOAD;
	row.flags |= compares ? 0 : to_rm ? RM : RG;
	insn_modrm(r);
	insn_use_row(r, insn, &row);
	if (r->mod == 3 && form & 1)
		arithmetic_result(r, insn, which, to_rm ? r->rm : r->reg, to_rm ? r->reg : r->rm);
	return true;
}

/* Opcodes 80, 81, 83: the same with an immediate. */
static void arithmetic_immediate(struct insn_reader *r, struct insn *insn)
{
	bool byte = r->opcode == 0x80;

	insn_modrm(r);
	uint8_t which = r->reg & 7;
	const struct insn_row row = {
		.operand = which == 7 ? LOAD : UPDATE,
		.size = byte ? SIZE_1 : SIZE_V,
		.flags = (which == 7 ? 0 : RM) | (byte ? EB : 0) |
			 (r->opcode == 0x81 ? IMM_Z : IMM8),
	};
	insn_use_row(r, insn, &row);
	if (r->mod == 3 && !byte)
		arithmetic_result(r, insn, which, r->rm, INSN_NONE);
}

/* ---- opcodes that ModRM goes on with --------------------------------------------------- */

/*
 * Opcode, the field reg, and their row. Rows with operand NO_MEMORY are valid only for registers.
 */
static const struct {
	uint8_t map, opcode, reg;
	struct insn_row row;
} groups[] = {
	{ MAP_ONE, 0x8f, 0, { .operand = STORE, .size = SIZE_V64, .flags = RM | WRITES_RSP } },
	{ MAP_ONE, 0xc6, 0, { .operand = STORE, .size = SIZE_1, .flags = RM | EB | IMM8 } },
	{ MAP_ONE, 0xc7, 0, { .operand = STORE, .size = SIZE_V, .flags = RM | IMM_Z } },
	{ MAP_ONE, 0xf6, 0, { .operand = LOAD, .size = SIZE_1, .flags = IMM8 } },
	{ MAP_ONE, 0xf6, 1, { .operand = LOAD, .size = SIZE_1, .flags = IMM8 } },
	{ MAP_ONE, 0xf6, 2, { .operand = UPDATE, .size = SIZE_1, .flags = RM | EB } },
	{ MAP_ONE, 0xf6, 3, { .operand = UPDATE, .size = SIZE_1, .flags = RM | EB } },
	{ MAP_ONE, 0xf6, 4, { .operand = LOAD, .size = SIZE_1, .flags = AX } },
	{ MAP_ONE, 0xf6, 5, { .operand = LOAD, .size = SIZE_1, .flags = AX } },
	{ MAP_ONE, 0xf6, 6, { .operand = LOAD, .size = SIZE_1, .flags = AX } },
	{ MAP_ONE, 0xf6, 7, { .operand = LOAD, .size = SIZE_1, .flags = AX } },
	{ MAP_ONE, 0xf7, 0, { .operand = LOAD, .size = SIZE_V, .flags = IMM_Z } },
	{ MAP_ONE, 0xf7, 1, { .operand = LOAD, .size = SIZE_V, .flags = IMM_Z } },
	{ MAP_ONE, 0xf7, 2, { .operand = UPDATE, .size = SIZE_V, .flags = RM } },
	{ MAP_ONE, 0xf7, 3, { .operand = UPDATE, .size = SIZE_V, .flags = RM } },
	{ MAP_ONE, 0xf7, 4, { .operand = LOAD, .size = SIZE_V, .flags = AX | DX } },
	{ MAP_ONE, 0xf7, 5, { .operand = LOAD, .size = SIZE_V, .flags = AX | DX } },
	{ MAP_ONE, 0xf7, 6, { .operand = LOAD, .size = SIZE_V, .flags = AX | DX } },
	{ MAP_ONE, 0xf7, 7, { .operand = LOAD, .size = SIZE_V, .flags = AX | DX } },
	{ MAP_ONE, 0xfe, 0, { .operand = UPDATE, .size = SIZE_1, .flags = RM | EB } },
	{ MAP_ONE, 0xfe, 1, { .operand = UPDATE, .size = SIZE_1, .flags = RM | EB } },
	{ MAP_ONE, 0xff, 0, { .operand = UPDATE, .size = SIZE_V, .flags = RM } },
	{ MAP_ONE, 0xff, 1, { .operand = UPDATE, .size = SIZE_V, .flags = RM } },
	{ MAP_ONE, 0xff, 2, { .operand = LOAD, .size = SIZE_8, .flags = WRITES_ALL } },
	{ MAP_ONE, 0xff, 4, { .operand = LOAD, .size = SIZE_8 } },
	{ MAP_ONE, 0xff, 6, { .operand = LOAD, .size = SIZE_V64, .flags = WRITES_RSP } },
	{ MAP_0F, 0xae, 2, { .operand = LOAD, .size = SIZE_4 } },
	{ MAP_0F, 0xae, 3, { .operand = STORE, .size = SIZE_4 } },
	{ MAP_0F, 0xba, 4, { .operand = LOAD, .size = SIZE_V, .flags = IMM8 } },
	{ MAP_0F, 0xba, 5, { .operand = UPDATE, .size = SIZE_V, .flags = RM | IMM8 } },
	{ MAP_0F, 0xba, 6, { .operand = UPDATE, .size = SIZE_V, .flags = RM | IMM8 } },
	{ MAP_0F, 0xba, 7, { .operand = UPDATE, .size = SIZE_V, .flags = RM | IMM8 } },
};

static const struct insn_row *group_row(const struct insn_reader *r, uint8_t reg)
{
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		if (groups[i].map == r->map && groups[i].opcode == r->opcode &&
		    groups[i].reg == reg)
			return &groups[i].row;
	return NULL;
}

static void use_group(struct insn_reader *r, struct insn *insn)
{
	insn_modrm(r);
	const struct insn_row *row = group_row(r, r->reg & 7);
	if (!row) {
		r->bad = true;
		return;
	}
	insn_use_row(r, insn, row);
	if (r->map == MAP_ONE && r->opcode == 0xff && r->mod == 3 && (r->reg & 7) < 2) {
		insn_result_is(r, insn, r->reg & 7 ? INSN_SUB : INSN_ADD, r->rm, INSN_NONE);
		insn->imm = 1;
	}
	if (r->map == MAP_ONE && r->opcode == 0xff && (r->reg & 6) == 2)
		insn->flow = INSN_CALL;
	if (r->map == MAP_ONE && r->opcode == 0xff && (r->reg & 6) == 4)
		insn->flow = INSN_JUMP;
}

/* ---- fences, saves of the state, flushes ----------------------------------------------- */

/* 0F AE: mostly rare; the size of the memory depends on the processor. */
static void state(struct insn_reader *r, struct insn *insn)
{
	size_t at = r->at;
	uint8_t modrm = insn_byte(r), reg = modrm >> 3 & 7;

	r->at = at;
	if (modrm >> 6 != 3 && group_row(r, reg) && r->pp == 0) {
		use_group(r, insn);
		return;
	}
	insn_modrm(r);
	if (r->mod == 3) {
		/* fences; the bases of fs and gs */
		insn->written = r->pp == 2 && reg < 4 ? (1u << r->rm) : 0;
		r->bad = r->bad || (r->pp != 0 && reg < 4 && r->pp != 2);
	} else {
		bool flush = (reg == 7 && r->pp < 2) || (reg == 6 && r->pp == 1);
		insn_operand(r, insn, flush ? ADDRESS : HIDDEN, 0);
	}
}

/* 0F C7: compare-and-exchange of 8 and 16 bytes, random numbers. */
static void wide(struct insn_reader *r, struct insn *insn)
{
	insn_modrm(r);
	if (r->mod == 3) {
		insn->written = (1u << r->rm);
		r->bad = r->bad || (r->reg & 7) < 6;
	} else if ((r->reg & 7) == 1) {
		insn_operand(r, insn, UPDATE, r->rex & 8 ? 16 : 8);
		insn_writes(r, insn, AX | DX);
	} else {
		insn_operand(r, insn, HIDDEN, 0);
	}
}

/* 0F 01: system instructions, which may write any register. */
static void of_system(struct insn_reader *r, struct insn *insn)
{
	insn_modrm(r);
	if (r->mod != 3)
		insn_operand(r, insn, HIDDEN, 0);
	insn_writes(r, insn, WRITES_ALL);
}

/* ---- x87 ------------------------------------------------------------------------------- */

/* Loads by opcode - d8 and the field reg; 0: invalid; 255: more than one number. */
static const uint8_t x87_loads[8][8] = {
	{ 4, 4, 4, 4, 4, 4, 4, 4 },  { 4, 0, 0, 0, 255, 2, 255, 0 }, { 4, 4, 4, 4, 4, 4, 4, 4 },
	{ 4, 0, 0, 0, 0, 10, 0, 0 }, { 8, 8, 8, 8, 8, 8, 8, 8 },     { 8, 0, 0, 0, 255, 0, 255, 0 },
	{ 2, 2, 2, 2, 2, 2, 2, 2 },  { 2, 0, 0, 0, 10, 8, 0, 0 },
};

/* Stores, in the same way. */
static const uint8_t x87_stores[8][8] = {
	{ 0 }, { 0, 0, 4, 4, 0, 0, 0, 2 }, { 0 }, { 0, 4, 4, 4, 0, 0, 0, 10 },
	{ 0 }, { 0, 8, 8, 8, 0, 0, 0, 2 }, { 0 }, { 0, 2, 2, 2, 0, 0, 10, 8 },
};

static void x87(struct insn_reader *r, struct insn *insn)
{
	uint8_t op = r->opcode - 0xd8;

	insn_modrm(r);
	if (r->mod == 3) {
		insn->written = op == 7 && (r->reg & 7) == 4 ? 1 : 0; /* fnstsw ax */
		return;
	}
	uint8_t load = x87_loads[op][r->reg & 7], store = x87_stores[op][r->reg & 7];
	if (load == 255)
		insn_operand(r, insn, HIDDEN, 0);
	else if (load || store)
		insn_operand(r, insn, load ? LOAD : STORE, load ? load : store);
	else
		r->bad = true;
}

/* ---------------------------------------------------------------------------------------- */

bool insn_group(struct insn_reader *r, struct insn *insn)
{
	uint8_t op = r->opcode;

	if (r->map == MAP_0F) {
		if (op == 0x01)
			of_system(r, insn);
		else if (op == 0xae)
			state(r, insn);
		else if (op == 0xba)
			use_group(r, insn);
		else if (op == 0xc7)
			wide(r, insn);
		else
			return false;
		return true;
	}
	if (r->map != MAP_ONE)
		return false;
	if (op < 0x40)
		return arithmetic(r, insn);
	if (op == 0x80 || op == 0x81 || op == 0x83)
		arithmetic_immediate(r, insn);
	else if (op == 0x8f || op == 0xc6 || op == 0xc7 || (op | 1) == 0xf7 || op >= 0xfe)
		use_group(r, insn);
	else if (op >= 0xd8 && op <= 0xdf)
		x87(r, insn);
	else
		return false;
	return true;
}

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

/* SPDX-License-Identifier: Apache-2.0 */
/* insn_group.c - arithmetic, x87, and other opcodes that ModRM extends. See insn_private.h. */
#include "insn/insn_private.h"

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
		insn->written = r->pp == 2 && reg < 4 ? (uint16_t)(1u << r->rm) : 0;
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
		insn->written = (uint16_t)(1u << r->rm);
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

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * a64_compute.c - instructions that do not access memory: which registers they write, which results
 * are sums of others, and where branches lead.
 */
#include "insn/aarch64/a64_private.h"

/* ---- results ----------------------------------------------------------------------------- */

static uint8_t width_of(uint32_t code)
{
	return a64_bit(code, 31) ? 8 : 4;
}

static void result_is(struct insn *insn, uint32_t code, enum insn_result what, uint8_t to)
{
	insn->result = what;
	insn->to = to;
	insn->from = INSN_NONE;
	insn->width = width_of(code);
}

/* to = base + index * scale + disp */
static void sum_is(struct insn *insn, uint32_t code, uint8_t to, struct insn_mem sum)
{
	result_is(insn, code, INSN_LEA, to);
	insn->lea = sum;
}

static void move_is(struct insn *insn, uint32_t code, uint8_t to, uint8_t from, int64_t imm)
{
	result_is(insn, code, INSN_MOVE, to);
	insn->from = from;
	insn->imm = imm;
}

/* ---- with a number ----------------------------------------------------------------------- */

static bool address_of(uint32_t code, struct insn *insn)
{
	int64_t imm = (int64_t)a64_signed(code, 5, 19) * 4 + a64_bits(code, 29, 2);

	a64_writes(insn, a64_rd(code));
	if (a64_bit(code, 31) || a64_rd(code) == 31)
		return true; /* ADRP: of a page */
	sum_is(insn, code, a64_rd(code),
	       (struct insn_mem){
		       .base = INSN_PC, .index = INSN_NONE, .disp = imm - INSN_AARCH64_LEN });
	insn->width = 8;
	return true;
}

static bool add_number(uint32_t code, struct insn *insn)
{
	int64_t imm = (int64_t)a64_bits(code, 10, 12) << (a64_bit(code, 22) ? 12 : 0);
	uint8_t rd = a64_rd(code);

	if (rd == 31 && a64_bit(code, 29))
		return true; /* compares */
	insn->written = 1u << rd;
	sum_is(insn, code, rd,
	       (struct insn_mem){ .base = a64_rn(code),
				  .index = INSN_NONE,
				  .disp = a64_bit(code, 30) ? -imm : imm });
	return true;
}

static bool logical_number(uint32_t code, struct insn *insn)
{
	/* all but the one that sets flags can write to the stack pointer */
	if (a64_rd(code) != 31 || a64_bits(code, 29, 2) != 3)
		insn->written = 1u << a64_rd(code);
	return a64_bit(code, 31) || !a64_bit(code, 22);
}

static bool move_number(uint32_t code, struct insn *insn)
{
	uint32_t opc = a64_bits(code, 29, 2), shift = a64_bits(code, 21, 2) * 16;
	uint64_t imm = (uint64_t)a64_bits(code, 5, 16) << shift;
	uint8_t rd = a64_rd(code);

	if (opc == 1 || (!a64_bit(code, 31) && shift > 16))
		return false;
	a64_writes(insn, rd);
	if (opc == 3 || rd == 31)
		return true; /* keeps the other bits */
	imm = opc == 0 ? ~imm : imm;
	move_is(insn, code, rd, INSN_NONE, (int64_t)(a64_bit(code, 31) ? imm : (uint32_t)imm));
	return true;
}

/*
 * Shifts to the left and extensions of 32 bits are sums: indices are not negative and do not
 * overflow.
 */
static bool bit_field(uint32_t code, struct insn *insn)
{
	uint32_t immr = a64_bits(code, 16, 6), imms = a64_bits(code, 10, 6);
	uint32_t bits = a64_bit(code, 31) ? 64 : 32, shift = (bits - immr) % bits;
	uint8_t rd = a64_rd(code), rn = a64_rn(code);
	/* of 32 bits, the last of which is 31: a shift to the right, or a move */
	bool whole = (bits == 64 && imms == 31) || imms + 1 == bits - shift;

	if (a64_bits(code, 29, 2) == 3 || a64_bit(code, 22) != a64_bit(code, 31) ||
	    (bits == 32 && (immr > 31 || imms > 31)))
		return false;
	a64_writes(insn, rd);
	if (a64_bits(code, 29, 2) == 1 || rd == 31 || !whole || shift > 7)
		return true;
	if (rn == 31)
		move_is(insn, code, rd, INSN_NONE, 0);
	else if (shift == 0)
		move_is(insn, code, rd, rn, 0);
	else
		sum_is(insn, code, rd,
		       (struct insn_mem){
			       .base = INSN_NONE, .index = rn, .scale = (uint8_t)(1u << shift) });
	return true;
}

/* A part of two registers; or a sum with tags, which can be the stack pointer. */
static bool others_with_number(uint32_t code, struct insn *insn)
{
	if (a64_bit(code, 25))
		a64_writes(insn, a64_rd(code));
	else
		insn->written = 1u << a64_rd(code);
	return true;
}

bool a64_immediate(uint32_t code, struct insn *insn)
{
	static bool (*const read[8])(uint32_t code, struct insn * insn) = {
		address_of,	address_of,  add_number, others_with_number,
		logical_number, move_number, bit_field,	 others_with_number
	};

	return read[a64_bits(code, 23, 3)](code, insn);
}

/* ---- branches and the system ------------------------------------------------------------- */

static void branches(struct insn *insn, enum insn_flow flow, int64_t words)
{
	insn->flow = flow;
	insn->direct = true;
	insn->target = (int32_t)(words * 4 - INSN_AARCH64_LEN);
}

static bool branch_to_register(uint32_t code, struct insn *insn)
{
	static const enum insn_flow flows[] = { INSN_JUMP, INSN_CALL, INSN_LEAVES };
	uint32_t which = a64_bits(code, 21, 4) & 7; /* bit 3: the address is authenticated */

	insn->flow = which < 3 ? flows[which] : INSN_LEAVES;
	if (which == 1)
		insn->written = 1u << 30;
	return true;
}

static bool of_the_system(uint32_t code, struct insn *insn)
{
	if (insn_aarch64_zeroes(code)) {
		insn->unknown = true;
		return true;
	}
	if ((code & 0xfffff01f) == 0xd503201f) {
		/* a hint; some sign or strip the address in x30 or x17 */
		if (a64_bits(code, 5, 7) > 6)
			insn->written = 1u << 30 | 1u << 17;
		return true;
	}
	if (a64_bit(code, 21))
		a64_writes(insn, a64_rd(code));
	return true;
}

bool a64_branch(uint32_t code, struct insn *insn)
{
	if ((code & 0x7c000000) == 0x14000000) {
		bool call = a64_bit(code, 31);
		branches(insn, call ? INSN_CALL : INSN_JUMP, a64_signed(code, 0, 26));
		insn->written = call ? 1u << 30 : 0;
		return true;
	}
	if ((code & 0xfe000000) == 0x54000000 || (code & 0x7e000000) == 0x34000000) {
		branches(insn, INSN_BRANCH, a64_signed(code, 5, 19));
		return true;
	}
	if ((code & 0x7e000000) == 0x36000000) {
		branches(insn, INSN_BRANCH, a64_signed(code, 5, 14));
		return true;
	}
	if ((code & 0xfe000000) == 0xd6000000)
		return branch_to_register(code, insn);
	if ((code & 0xff000000) == 0xd5000000)
		return of_the_system(code, insn);
	if ((code & 0xff000000) == 0xd4000000) {
		insn->flow = INSN_LEAVES;
		return true;
	}
	return false;
}

bool insn_aarch64_zeroes(uint32_t code)
{
	return (code & 0xffffffe0) == 0xd50b7420;
}

/* ---- with registers ---------------------------------------------------------------------- */

static bool logical(uint32_t code, struct insn *insn)
{
	uint8_t rd = a64_rd(code);
	/* ORR with zero, not shifted */
	bool move = (code & 0x7fe0ffe0) == 0x2a0003e0;

	a64_writes(insn, rd);
	if (move && rd != 31)
		move_is(insn, code, rd, a64_or_none(a64_rm(code)), 0);
	return a64_bit(code, 31) || !a64_bit(code, 15);
}

/* Rd = Rn + (Rm << shift); of a difference only what changes one register. */
static void sum_of_registers(uint32_t code, struct insn *insn, uint8_t rn, uint32_t shift)
{
	uint8_t rd = a64_rd(code), rm = a64_or_none(a64_rm(code));

	if (a64_bit(code, 30)) {
		if (shift == 0 && rn == rd && rm != INSN_NONE) {
			result_is(insn, code, INSN_SUB, rd);
			insn->from = rm;
		}
		return;
	}
	if (shift <= 7)
		sum_is(insn, code, rd,
		       (struct insn_mem){ .base = rn,
					  .index = rm,
					  .scale = rm == INSN_NONE ? 0 : (uint8_t)(1u << shift) });
}

static bool add_shifted(uint32_t code, struct insn *insn)
{
	uint32_t shift = a64_bits(code, 10, 6);

	a64_writes(insn, a64_rd(code));
	if (a64_rd(code) != 31 && a64_bits(code, 22, 2) == 0)
		sum_of_registers(code, insn, a64_or_none(a64_rn(code)), shift);
	return a64_bits(code, 22, 2) != 3 && (a64_bit(code, 31) || shift < 32);
}

static bool add_extended(uint32_t code, struct insn *insn)
{
	uint32_t shift = a64_bits(code, 10, 3);

	if (a64_bits(code, 22, 2) || shift > 4)
		return false;
	if (a64_rd(code) == 31 && a64_bit(code, 29))
		return true; /* compares */
	insn->written = 1u << a64_rd(code);
	if (a64_bit(code, 14)) /* a whole register, or 32 bits of it */
		sum_of_registers(code, insn, a64_rn(code), shift);
	return true;
}

static bool others_with_registers(uint32_t code, struct insn *insn)
{
	uint32_t which = a64_bits(code, 21, 4);
	/* compares conditionally; changes flags alone */
	bool flags = which == 2 || (which == 0 && a64_bits(code, 10, 6));

	if (!flags)
		a64_writes(insn, a64_rd(code));
	return true;
}

bool a64_register(uint32_t code, struct insn *insn)
{
	if (a64_bit(code, 28))
		return others_with_registers(code, insn);
	if (!a64_bit(code, 24))
		return logical(code, insn);
	return a64_bit(code, 21) ? add_extended(code, insn) : add_shifted(code, insn);
}

/* ---- vectors ----------------------------------------------------------------------------- */

/* Whether a conversion or a move leaves its result in a general register. */
static bool to_general(uint32_t code)
{
	uint32_t opcode = a64_bits(code, 16, 3);

	if ((code & 0x5f20fc00) == 0x1e200000) /* conversions, FMOV */
		return opcode != 2 && opcode != 3 && opcode != 7;
	if ((code & 0x5f200000) == 0x1e000000) /* to fixed point */
		return opcode < 2;
	if ((code & 0x9fe08400) == 0x0e000400) /* SMOV, UMOV */
		return (a64_bits(code, 11, 4) & 13) == 5;
	return false;
}

bool a64_vector(uint32_t code, struct insn *insn)
{
	uint8_t rd = a64_rd(code), rn = a64_rn(code);

	if (!to_general(code)) {
		insn->vectors = 1u << rd;
		if ((code & 0xfffffc00) == 0x9e670000 && rn != 31) { /* FMOV Dd, Xn */
			insn->result = INSN_TO_VECTOR;
			insn->to = rd;
			insn->from = rn;
			insn->width = 8;
		}
		return true;
	}
	a64_writes(insn, rd);
	if (rd != 31 && ((code & 0xfffffc00) == 0x9e660000 ||  /* FMOV Xd, Dn */
			 (code & 0xfffffc00) == 0x4e083c00)) { /* UMOV Xd, Vn.D[0] */
		insn->result = INSN_FROM_VECTOR;
		insn->to = rd;
		insn->from = rn;
		insn->width = 8;
	}
	return true;
}

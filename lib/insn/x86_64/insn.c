/* SPDX-License-Identifier: Apache-2.0 */
/* insn.c - one instruction; see insn_x86_64.h. */
#include <string.h>

#include "insn/x86_64/insn_private.h"

/* ---- vectors --------------------------------------------------------------------------- */

/* Whether an element can be broadcast. */
static bool broadcasts(const struct insn_reader *r, const struct insn_row *row)
{
	return row->size == FULL || row->size == HALF || row->size == QUARTER ||
	       row->size == HALF_OR_FULL || (row->size == PACKED && r->pp < 2);
}

/* Compilers keep general registers in vector registers if they have too few. */
static void move_low_part(const struct insn_reader *r, struct insn *insn)
{
	bool to = r->opcode == 0x6e;

	insn->result = to ? INSN_TO_VECTOR : INSN_FROM_VECTOR;
	insn->to = to ? r->reg : r->rm;
	insn->from = to ? r->rm : r->reg;
	insn->width = r->rex & 8 ? 8 : 4;
	insn->vectors = to ? (1u << r->reg) : 0;
}

static void find_vectors(const struct insn_reader *r, struct insn *insn)
{
	bool low = r->map == MAP_0F && r->pp == 1 && (r->opcode == 0x6e || r->opcode == 0x7e);

	if (low && r->mod == 3 && r->enc != ENC_EVEX) {
		move_low_part(r, insn);
		return;
	}
	insn->vectors = (1u << (r->reg & 15));
	if (r->mod == 3)
		insn->vectors |= (1u << (r->rm & 15));
	if (r->enc != ENC_LEGACY)
		insn->vectors |= (1u << (r->vvvv & 15));
}

/* Reads the instruction of a row, whose opcode has been read. */
static void read_vector(struct insn_reader *r, const struct insn_row *row, struct insn *insn)
{
	bool only_register =
		row->operand == NO_MEMORY || (row->flags & REGISTER_SSE && r->enc != ENC_EVEX);

	insn->vectors = UINT16_MAX;
	if (row->flags & NO_MODRM)
		return;
	insn_modrm(r);
	find_vectors(r, insn);
	if (r->mod != 3 && (only_register || (r->broadcast && !broadcasts(r, row))))
		r->bad = true;
	/*
	 * with a register operand, the broadcast bit selects rounding, and the length bits are free
	 */
	if (r->vector > 64 && !(r->mod == 3 && r->broadcast) && row->size != SCALAR)
		r->bad = true;
	if (r->mod != 3 && !r->bad) {
		uint8_t size = insn_vector_size(r, row);
		if (r->enc == ENC_EVEX && r->short_disp)
			r->mem.disp *= size;
		r->masked = r->masked || (row->flags & MASKED_VEX);
		insn_operand(r, insn, (enum insn_operand)row->operand, size);
		bool scalar = row->size != PACKED || r->pp >= 2;
		insn->floating = row->flags & NUMBER && scalar ? size : 0;
	}
	if (row->flags & IMM8)
		insn_immediate(r, 1);
	insn_writes(r, insn, row->flags);
	if (r->enc == ENC_LEGACY && r->lock)
		r->bad = true;
}

/* ---- one instruction ------------------------------------------------------------------- */

static bool whole(const struct insn_reader *r, const struct insn *insn)
{
	bool lockable = insn->accesses == 1 && insn->access[0].kind == INSN_UPDATE;

	return !r->bad && r->at <= INSN_X86_64_LONGEST && (!r->lock || lockable);
}

bool insn_x86_64_decode(const uint8_t *code, size_t len, struct insn *insn)
{
	struct insn_reader r = { .code = code,
				 .room = len < INSN_X86_64_LONGEST ? len : INSN_X86_64_LONGEST };
	const struct insn_row *row;

	memset(insn, 0, sizeof *insn);
	insn_opcode(&r);
	if (!r.bad && (r.enc != ENC_LEGACY || !insn_integer(&r, insn))) {
		row = insn_vector_row(&r);
		if (row)
			read_vector(&r, row, insn);
		else
			r.bad = true;
	}
	if (!whole(&r, insn)) {
		memset(insn, 0, sizeof *insn);
		return false;
	}
	insn->len = (uint8_t)r.at;
	return true;
}

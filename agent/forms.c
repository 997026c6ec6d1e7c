/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forms.c - see forms.h. Sums of 32 bits are taken for sums of 64: indices of arrays are neither negative nor do they
 * overflow.
 */
#include "forms.h"

#include <string.h>

#define FACTOR_MAX 255
#define SHIFT_MAX  6
#define RSP	   4
#define SPILL_MAX  1016 /* bytes from the stack pointer */

void forms_begin(struct forms *forms)
{
	memset(forms, 0, sizeof *forms);
	forms->spill = FORMS_NO_SPILL;
	for (int i = 0; i < INSN_REGISTERS; i++) {
		forms->of[i].factor[i] = 1;
		forms->of[i].known = true;
	}
}

/* to += scale * from */
static void add(struct form *to, const struct form *from, int64_t scale)
{
	to->known = to->known && from->known;
	to->add += scale * from->add;
	for (int i = 0; i < FORMS_TERMS; i++) {
		int64_t factor = to->factor[i] + scale * from->factor[i];
		to->known = to->known && llabs(factor) <= FACTOR_MAX;
		to->factor[i] = (int16_t)factor;
	}
}

/* The number of a general register of 32 or 64 bits that an operand is; -1: it is none. */
static int register_of(const cs_x86_op *op)
{
	if (op->type != X86_OP_REG || op->size < 4 || op->size > 8)
		return -1;
	int number = insn_part_of(op->reg);
	return number < INSN_REGISTERS ? number : -1;
}

bool forms_address(const struct forms *forms, const x86_op_mem *mem, struct form *to)
{
	int base = insn_register(mem->base), index = insn_register(mem->index);

	*to = (struct form){ .add = mem->disp, .known = true };
	if (base < 0 || index < 0 || base == INSN_RIP)
		return false;
	if (base < INSN_REGISTERS)
		add(to, &forms->of[base], 1);
	if (index < INSN_REGISTERS)
		add(to, &forms->of[index], mem->scale);
	return to->known;
}

/* A register, or a number; false for anything else. */
static bool value_of(const struct forms *forms, const cs_x86_op *op, struct form *to)
{
	int number = register_of(op);

	if (op->type == X86_OP_IMM) {
		*to = (struct form){ .add = op->imm, .known = true };
		return true;
	}
	if (number < 0)
		return false;
	*to = forms->of[number];
	return to->known;
}

/* A word that was spilled into the frame is loaded again; one of them can be followed. */
static bool reload(struct forms *forms, const cs_x86_op *op, struct form *to)
{
	const struct form *sp = &forms->of[RSP];
	bool same = sp->known && sp->add == 0 && sp->factor[RSP] == 1;
	int64_t at = op->mem.disp;

	if (op->type != X86_OP_MEM || op->size != 8 || insn_register(op->mem.base) != RSP ||
	    op->mem.index != X86_REG_INVALID || !same || forms->stored || at < 0 ||
	    at > SPILL_MAX || at % 8 != 0 ||
	    (forms->spill != FORMS_NO_SPILL && forms->spill != (uint32_t)at))
		return false;
	forms->spill = (uint32_t)at;
	*to = (struct form){ .known = true };
	to->factor[FORMS_SPILLED] = 1;
	return true;
}

/* What the instruction leaves in its first operand; false where that is no sum. */
static bool result_of(struct forms *forms, const cs_insn *insn, struct form *to)
{
	const cs_x86_op *op = insn->detail->x86.operands;
	struct form second = { .known = true };
	uint8_t n = insn->detail->x86.op_count;

	switch (insn->id) {
	case X86_INS_LEA:
		return n == 2 && forms_address(forms, &op[1].mem, to);
	case X86_INS_MOV:
		if (n == 2 && reload(forms, &op[1], to))
			return true;
		return n == 2 && value_of(forms, &op[1], to);
	case X86_INS_MOVABS:
	case X86_INS_MOVSXD:
		return n == 2 && value_of(forms, &op[1], to);
	case X86_INS_INC:
	case X86_INS_DEC:
		second.add = insn->id == X86_INS_INC ? 1 : -1;
		break;
	case X86_INS_ADD:
	case X86_INS_SUB:
		if (n != 2 || !value_of(forms, &op[1], &second))
			return false;
		break;
	case X86_INS_SHL:
	case X86_INS_SAL:
		if (n != 2 || op[1].type != X86_OP_IMM || op[1].imm < 0 || op[1].imm > SHIFT_MAX ||
		    !value_of(forms, &op[0], &second))
			return false;
		*to = (struct form){ .known = true };
		add(to, &second, 1 << op[1].imm);
		return to->known;
	default:
		return false;
	}
	if (!value_of(forms, &op[0], to))
		return false;
	add(to, &second, insn->id == X86_INS_SUB ? -1 : 1);
	return to->known;
}

void forms_apply(struct forms *forms, const cs_insn *insn, uint32_t writes)
{
	struct form result;
	const cs_x86 *x86 = &insn->detail->x86;
	int to = x86->op_count ? register_of(&x86->operands[0]) : -1;
	bool known = to >= 0 && writes == 1u << to && result_of(forms, insn, &result);

	for (int i = 0; i < INSN_REGISTERS; i++)
		if (writes & 1u << i)
			forms->of[i].known = false;
	if (known)
		forms->of[to] = result;
	for (uint8_t i = 0; i < x86->op_count; i++)
		if (x86->operands[i].type == X86_OP_MEM &&
		    insn_register(x86->operands[i].mem.base) == RSP && insn_touches(insn, i) &&
		    insn_access(insn, i) != ACCESS_LOAD)
			forms->stored = true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbolic_registers.c - see symbolic_registers.h. Treats 32-bit sums as 64-bit sums: array indices
 * are not negative and do not overflow.
 */
#include "code/symbolic_registers.h"

#include <stdlib.h>
#include <string.h>

#define FACTOR_MAX 255
#define SHIFT_MAX  6
#define RSP	   4
#define SPILL_MAX  1016 /* bytes from the stack pointer */

void symbolic_registers_begin(struct symbolic_registers *forms)
{
	memset(forms, 0, sizeof *forms);
	forms->spill = SYMBOLIC_NO_SPILL;
	for (int i = 0; i < INSN_REGISTERS; i++) {
		forms->of[i].factor[i] = 1;
		forms->of[i].known = true;
	}
}

/* to += scale * from */
static void add(struct symbolic_value *to, const struct symbolic_value *from, int64_t scale)
{
	to->known = to->known && from->known;
	to->add += scale * from->add;
	for (int i = 0; i < SYMBOLIC_TERMS; i++) {
		int64_t factor = to->factor[i] + scale * from->factor[i];
		to->known = to->known && llabs(factor) <= FACTOR_MAX;
		to->factor[i] = (int16_t)factor;
	}
}

bool symbolic_registers_address(const struct symbolic_registers *forms, const struct insn_mem *mem,
				struct symbolic_value *to)
{
	*to = (struct symbolic_value){ .add = mem->disp, .known = true };
	if (mem->base == INSN_RIP)
		return false;
	if (mem->base < INSN_REGISTERS)
		add(to, &forms->of[mem->base], 1);
	if (mem->index < INSN_REGISTERS)
		add(to, &forms->of[mem->index], mem->scale);
	return to->known;
}

/* The source of an instruction: a register, or a number. */
static struct symbolic_value source_of(const struct symbolic_registers *forms,
				       const struct insn *insn)
{
	if (insn->from < INSN_REGISTERS)
		return forms->of[insn->from];
	return (struct symbolic_value){ .add = insn->imm, .known = true };
}

/* Loads a word that was spilled into the frame. Only one such word can be followed. */
static bool reload(struct symbolic_registers *forms, const struct insn_access *a,
		   struct symbolic_value *to)
{
	const struct symbolic_value *sp = &forms->of[RSP];
	bool same = sp->known && sp->add == 0 && sp->factor[RSP] == 1;
	int64_t at = a->mem.disp;

	if (a->size != 8 || a->mem.base != RSP || a->mem.index != INSN_NONE || a->mem.segment ||
	    !same || forms->stored || at < 0 || at > SPILL_MAX || at % 8 != 0 ||
	    (forms->spill != SYMBOLIC_NO_SPILL && forms->spill != (uint32_t)at))
		return false;
	forms->spill = (uint32_t)at;
	*to = (struct symbolic_value){ .known = true };
	to->factor[SYMBOLIC_SPILLED] = 1;
	return true;
}

/* The result of the instruction in insn->to; false if it is no sum. */
static bool result_of(struct symbolic_registers *forms, const struct insn *insn,
		      struct symbolic_value *to)
{
	const struct symbolic_value source = source_of(forms, insn);

	switch (insn->result) {
	case INSN_LEA:
		return symbolic_registers_address(forms, &insn->lea, to);
	case INSN_READ:
		return insn->accesses == 1 && reload(forms, &insn->access[0], to);
	case INSN_MOVE:
		*to = source;
		return to->known;
	case INSN_ADD:
	case INSN_SUB:
		*to = forms->of[insn->to];
		add(to, &source, insn->result == INSN_SUB ? -1 : 1);
		return to->known;
	case INSN_SHIFT:
		if (insn->imm < 0 || insn->imm > SHIFT_MAX)
			return false;
		*to = (struct symbolic_value){ .known = true };
		add(to, &forms->of[insn->to], 1 << insn->imm);
		return to->known;
	case INSN_OTHER:
		break;
	}
	return false;
}

void symbolic_registers_apply(struct symbolic_registers *forms, const struct insn *insn)
{
	struct symbolic_value result;
	bool known = insn->result != INSN_OTHER && insn->written == 1u << insn->to &&
		     result_of(forms, insn, &result);

	for (int i = 0; i < INSN_REGISTERS; i++)
		if (insn->written & 1u << i)
			forms->of[i].known = false;
	if (known)
		forms->of[insn->to] = result;
	if (insn->unknown)
		forms->stored = true;
	for (uint8_t i = 0; i < insn->accesses; i++)
		if (insn->access[i].mem.base == RSP && insn->access[i].kind != INSN_LOAD)
			forms->stored = true;
}

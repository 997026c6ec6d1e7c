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

void symbolic_registers_begin(struct symbolic_registers *forms)
{
	memset(forms, 0, sizeof *forms);
	forms->same = UINT32_MAX;
	for (int i = 0; i < ARCH_REGISTERS; i++) {
		forms->of[i].factor[i] = 1;
		forms->of[i].known = true;
	}
}

/* to += scale * from */
static void add(struct symbolic_value *to, const struct symbolic_value *from, int64_t scale)
{
	bool two = to->factor[SYMBOLIC_SPILLED] && from->factor[SYMBOLIC_SPILLED] &&
		   to->spill != from->spill;

	to->known = to->known && from->known && !two;
	if (from->factor[SYMBOLIC_SPILLED])
		to->spill = from->spill;
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
	if (mem->base == INSN_PC)
		return false;
	if (mem->base < ARCH_REGISTERS)
		add(to, &forms->of[mem->base], 1);
	if (mem->index < ARCH_REGISTERS)
		add(to, &forms->of[mem->index], mem->scale);
	return to->known;
}

/* The source of an instruction: a register, or a number. */
static struct symbolic_value source_of(const struct symbolic_registers *forms,
				       const struct insn *insn)
{
	if (insn->from < ARCH_REGISTERS)
		return forms->of[insn->from];
	return (struct symbolic_value){ .add = insn->imm, .known = true };
}

static bool spilled(uint32_t at, struct symbolic_value *to)
{
	*to = (struct symbolic_value){ .known = true, .spill = (uint16_t)at };
	to->factor[SYMBOLIC_SPILLED] = 1;
	return true;
}

/* Loads a word that was spilled into the frame. */
static bool reload(const struct symbolic_registers *forms, const struct insn_access *a,
		   struct symbolic_value *to)
{
	const struct symbolic_value *sp = &forms->of[ARCH_STACK_POINTER];
	bool same = sp->known && sp->add == 0 && sp->factor[ARCH_STACK_POINTER] == 1;
	int64_t at = a->mem.disp;

	if (a->size != 8 || a->mem.base != ARCH_STACK_POINTER || a->mem.index != INSN_NONE ||
	    a->mem.segment || !same || forms->stored || at < 0 || at >= SYMBOLIC_FRAME ||
	    at % 8 != 0)
		return false;
	return spilled((uint32_t)at, to);
}

static bool from_vector(const struct symbolic_registers *forms, uint8_t number,
			struct symbolic_value *to)
{
	if (forms->same & 1u << number)
		return spilled(SYMBOLIC_FRAME + 8u * number, to);
	*to = forms->vector[number];
	return to->known;
}

/* The result of the instruction in insn->to; false if it is no sum. */
static bool result_of(const struct symbolic_registers *forms, const struct insn *insn,
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
	case INSN_FROM_VECTOR:
		return from_vector(forms, insn->from, to);
	case INSN_TO_VECTOR:
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

	for (int i = 0; i < ARCH_REGISTERS; i++)
		if (insn->written & 1u << i)
			forms->of[i].known = false;
	for (int i = 0; i < ARCH_VECTORS; i++)
		if (insn->vectors & 1u << i)
			forms->vector[i].known = false;
	forms->same &= ~insn->vectors;
	if (insn->result == INSN_TO_VECTOR)
		forms->vector[insn->to] = forms->of[insn->from];
	if (known)
		forms->of[insn->to] = result;
	forms->of_thread &= ~insn->written;
	if (insn->result == INSN_READ && insn->accesses == 1 &&
	    insn->access[0].mem.base == ARCH_THREAD)
		forms->of_thread |= 1u << insn->to;
	if (insn->unknown)
		forms->stored = true;
	for (uint8_t i = 0; i < insn->accesses; i++)
		if (insn->access[i].mem.base == ARCH_STACK_POINTER &&
		    insn->access[i].kind != INSN_LOAD)
			forms->stored = true;
}

static bool same_value(const struct symbolic_value *a, const struct symbolic_value *b)
{
	return a->known && b->known && a->add == b->add &&
	       memcmp(a->factor, b->factor, sizeof a->factor) == 0 &&
	       (!a->factor[SYMBOLIC_SPILLED] || a->spill == b->spill);
}

void symbolic_registers_meet(struct symbolic_registers *forms,
			     const struct symbolic_registers *other)
{
	for (int i = 0; i < ARCH_REGISTERS; i++)
		forms->of[i].known = same_value(&forms->of[i], &other->of[i]);
	for (int i = 0; i < ARCH_VECTORS; i++)
		forms->vector[i].known = same_value(&forms->vector[i], &other->vector[i]);
	forms->same &= other->same;
	forms->stored |= other->stored;
	forms->of_thread &= other->of_thread;
}

/* ---- the next accesses as functions of registers; next_access.h finds them. */

bool next_access_operand_counts(const struct insn_access *op)
{
	return op->mem.base != ARCH_STACK_POINTER && op->mem.base != ARCH_THREAD &&
	       op->mem.base != INSN_PC && !op->mem.segment;
}

static uint8_t number_of(int term)
{
	return term == SYMBOLIC_SPILLED ? INSN_SPILLED : (uint8_t)term;
}

bool next_access_operand_encode(struct next_access_operand *a, const struct symbolic_value *form,
				int base)
{
	int16_t factor[SYMBOLIC_TERMS];

	if (form->factor[ARCH_STACK_POINTER] || form->factor[ARCH_THREAD])
		return false;
	memcpy(factor, form->factor, sizeof factor);
	for (int i = 0; i < SYMBOLIC_TERMS && (base >= ARCH_REGISTERS || factor[base] != 1); i++)
		if (factor[i] == 1)
			base = i;
	a->base = a->index = a->third = INSN_NONE;
	a->disp = form->add;
	a->spill = factor[SYMBOLIC_SPILLED] ? (uint8_t)(form->spill / 8) : 0;
	if (base < SYMBOLIC_TERMS && factor[base] == 1) {
		a->base = number_of(base);
		factor[base] = 0;
	}
	for (int i = 0; i < SYMBOLIC_TERMS; i++) {
		if (!factor[i])
			continue;
		bool first = a->index == INSN_NONE;
		if (factor[i] < 0 || (!first && a->third != INSN_NONE))
			return false;
		*(first ? &a->index : &a->third) = number_of(i);
		*(first ? &a->scale : &a->third_scale) = (uint8_t)factor[i];
	}
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* next_access_operand.c - see next_access_operand.h. */
#include "code/next_access_operand.h"

#include <string.h>

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

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbolic_registers.h - what registers will hold some instructions from now, as sums of what they
 * hold now.
 *
 * Code computes an address by copying, adding, scaling: an index is incremented, extended, added to
 * another one. As long as only that has happened to a register since an interrupt, its value
 * follows from the interrupt's registers. Loops are followed round their ends this way.
 */
#ifndef OJX_SYMBOLIC_REGISTERS_H
#define OJX_SYMBOLIC_REGISTERS_H

#include "insn/insn.h"

#define SYMBOLIC_SPILLED  INSN_REGISTERS /* the word of the frame, among the terms of a form */
#define SYMBOLIC_TERMS	  (INSN_REGISTERS + 1)
#define SYMBOLIC_NO_SPILL UINT32_MAX

/* The sum of `factor` times the registers and a word of the frame, and of `add`. */
struct symbolic_value {
	int64_t add;
	int16_t factor[SYMBOLIC_TERMS];
	bool known;
};

struct symbolic_registers {
	struct symbolic_value of[INSN_REGISTERS];
	/* which word of the frame: bytes from the stack pointer on; SYMBOLIC_NO_SPILL: none yet */
	uint32_t spill;
	bool stored; /* something was stored into the frame: what it holds is not known any more */
};

/* Every register is itself. */
void symbolic_registers_begin(struct symbolic_registers *forms);

/* An instruction was executed. */
void symbolic_registers_apply(struct symbolic_registers *forms, const struct insn *insn);

/* The address of a memory operand, segment and instruction pointer left aside; false where it is
 * not known. */
bool symbolic_registers_address(const struct symbolic_registers *forms, const struct insn_mem *mem,
				struct symbolic_value *to);

#endif

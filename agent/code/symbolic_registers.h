/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbolic_registers.h - the values of registers some instructions from now, as sums of their
 * current values.
 *
 * Code computes addresses by copying, adding and scaling: it increments an index, extends it, adds
 * it to another register. As long as a register has seen only such operations since an interrupt,
 * its value follows from the registers at the interrupt. This works also across the ends of loops.
 */
#ifndef OJX_SYMBOLIC_REGISTERS_H
#define OJX_SYMBOLIC_REGISTERS_H

#include "insn/insn.h"

#define SYMBOLIC_SPILLED  INSN_REGISTERS /* term for the word of the frame */
#define SYMBOLIC_TERMS	  (INSN_REGISTERS + 1)
#define SYMBOLIC_NO_SPILL UINT32_MAX

/* The sum of the registers and a word of the frame, each times its `factor`, and of `add`. */
struct symbolic_value {
	int64_t add;
	int16_t factor[SYMBOLIC_TERMS];
	bool known;
};

struct symbolic_registers {
	struct symbolic_value of[INSN_REGISTERS];
	/* the word of the frame, in bytes from the stack pointer; SYMBOLIC_NO_SPILL: none yet */
	uint32_t spill;
	bool stored; /* the frame was written to: its content is unknown */
};

/* Sets each register to its own current value. */
void symbolic_registers_begin(struct symbolic_registers *forms);

/* Applies an instruction. */
void symbolic_registers_apply(struct symbolic_registers *forms, const struct insn *insn);

/*
 * The address of a memory operand without its segment; false if unknown, or relative to the
 * instruction pointer.
 */
bool symbolic_registers_address(const struct symbolic_registers *forms, const struct insn_mem *mem,
				struct symbolic_value *to);

#endif

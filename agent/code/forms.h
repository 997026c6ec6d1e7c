/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forms.h - what registers will hold some instructions from now, as sums of what they hold now.
 *
 * Code computes an address by copying, adding, scaling: an index is incremented, extended, added to
 * another one. As long as only that has happened to a register since an interrupt, its value
 * follows from the interrupt's registers. Loops are followed round their ends this way.
 */
#ifndef OJX_FORMS_H
#define OJX_FORMS_H

#include "insn/insn.h"

#define FORMS_SPILLED  INSN_REGISTERS /* the word of the frame, among the terms of a form */
#define FORMS_TERMS    (INSN_REGISTERS + 1)
#define FORMS_NO_SPILL UINT32_MAX

/* The sum of `factor` times the registers and a word of the frame, and of `add`. */
struct form {
	int64_t add;
	int16_t factor[FORMS_TERMS];
	bool known;
};

struct forms {
	struct form of[INSN_REGISTERS];
	uint32_t spill; /* which word of the frame: bytes from the stack pointer on; FORMS_NO_SPILL:
			   none yet */
	bool stored; /* something was stored into the frame: what it holds is not known any more */
};

/* Every register is itself. */
void forms_begin(struct forms *forms);

/* An instruction was executed. */
void forms_apply(struct forms *forms, const struct insn *insn);

/* The address of a memory operand, segment and instruction pointer left aside; false where it is
 * not known. */
bool forms_address(const struct forms *forms, const struct insn_mem *mem, struct form *to);

#endif

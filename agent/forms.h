/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forms.h - what registers will hold some instructions from now, as sums of what they hold now.
 *
 * Code computes an address by copying, adding, scaling: an index is incremented, extended, added to another one. As
 * long as only that has happened to a register since an interrupt, its value follows from the interrupt's registers. Loops are
 * followed round their ends this way.
 */
#ifndef OJX_FORMS_H
#define OJX_FORMS_H

#include "insn.h"

/* The sum of `factor` times the registers, and of `add`. */
struct form {
	int64_t add;
	int16_t factor[INSN_REGISTERS];
	bool known;
};

struct forms {
	struct form of[INSN_REGISTERS];
};

/* Every register is itself. */
void forms_begin(struct forms *forms);

/* An instruction was executed. `writes`: bits of the registers that it writes. */
void forms_apply(struct forms *forms, const cs_insn *insn, uint32_t writes);

/* The address of a memory operand, segment and instruction pointer left aside; false where it is not known. */
bool forms_address(const struct forms *forms, const x86_op_mem *mem, struct form *to);

#endif

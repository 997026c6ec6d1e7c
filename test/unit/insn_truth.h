/* SPDX-License-Identifier: Apache-2.0 */
/* insn_truth.h - compares decoded instructions with the truth, as written by test/insn/truth.py. */
#ifndef OJX_INSN_TRUTH_H
#define OJX_INSN_TRUTH_H

#include <stdio.h>

struct insn_tally {
	unsigned instructions;
	unsigned loads, stores, updates; /* operands */
	unsigned none;			 /* instructions without a memory operand */
	unsigned unknown;		 /* instructions that are rightly reported as unknown */
	unsigned wrong;
};

/*
 * Reads all lines of `from`. For each wrong one, writes to `out` what was decoded and what is true.
 */
struct insn_tally insn_truth_check(FILE *from, FILE *out);

#endif

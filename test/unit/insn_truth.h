/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn_truth.h - compares what is read of instructions with what is true of them, as
 * test/insn/truth.py writes it.
 */
#ifndef OJX_INSN_TRUTH_H
#define OJX_INSN_TRUTH_H

#include <stdio.h>

struct insn_tally {
	unsigned instructions;
	unsigned loads, stores, updates; /* operands */
	unsigned none;			 /* instructions without an operand in memory */
	unsigned unknown;		 /* whose access is not told, as is right */
	unsigned wrong;
};

/* Reads all lines of `from`; says to `out` of each wrong one what is read and what is true. */
struct insn_tally insn_truth_check(FILE *from, FILE *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* insn_truth.h - compares decoded instructions with the truth that test/insn/truth*.py writes. */
#ifndef OJX_INSN_TRUTH_H
#define OJX_INSN_TRUTH_H

#include <stdio.h>

#include "insn/insn.h"

/* A reader, and what its truth calls the program counter and no register. */
struct insn_reading {
	bool (*decode)(const uint8_t *code, size_t len, struct insn *insn);
	unsigned pc, none;
};
extern const struct insn_reading insn_x86_64_reading, insn_aarch64_reading;

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
struct insn_tally insn_truth_check(const struct insn_reading *by, FILE *from, FILE *out);

#endif

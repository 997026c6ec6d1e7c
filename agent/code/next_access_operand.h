/* SPDX-License-Identifier: Apache-2.0 */
/* next_access_operand.h - the next accesses as functions of registers; next_access.h finds them. */
#ifndef OJX_NEXT_ACCESS_OPERAND_H
#define OJX_NEXT_ACCESS_OPERAND_H

#include <stdint.h>

#include "code/symbolic_registers.h"

#define NEXT_ACCESS_WORDS (SYMBOLIC_FRAME / 8) /* words of the frame that addresses may use */

/* One memory operand. */
struct next_access_operand {
	uint8_t size;	     /* bytes; 0: no access */
	uint8_t insn_len;    /* bytes of the accessing instruction */
	uint8_t base, index; /* register numbers, INSN_NONE, INSN_SPILLED */
	uint8_t third;	     /* one more register that is added */
	uint8_t scale, third_scale;
	uint8_t floating; /* bytes of a floating-point number; 0: other data */
	uint8_t step;	  /* number of instructions before it */
	/*
	 * word of the frame, in units of 8 bytes from the stack pointer; from NEXT_ACCESS_WORDS on
	 * a vector register
	 */
	uint8_t spill;
	int16_t end;  /* bytes from the interrupted instruction to the end of the accessing one */
	int64_t disp; /* an absolute address, if there are no registers */
};

/* Of each kind: the first may be to the stack or the interpreter's data. */
#define NEXT_ACCESS_ACCESSES 3

struct next_access {
	struct next_access_operand load[NEXT_ACCESS_ACCESSES],
		store[NEXT_ACCESS_ACCESSES]; /* in program order */
	bool in_loop;			     /* loop_accesses.h has all accesses of the loop */
};

/* Whether it may access the heap: neither the frame, the JVM's thread, nor a constant. */
bool next_access_operand_counts(const struct insn_access *op);

/*
 * Stores an address as an operand: at most three registers, the first with factor 1. That should be
 * the operand's own base. False if it cannot be stored.
 */
bool next_access_operand_encode(struct next_access_operand *a, const struct symbolic_value *form,
				int base);

#endif

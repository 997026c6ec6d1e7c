/* SPDX-License-Identifier: Apache-2.0 */
/* next_access_operand.h - the next accesses as functions of registers; next_access.h finds them. */
#ifndef OJX_NEXT_ACCESS_OPERAND_H
#define OJX_NEXT_ACCESS_OPERAND_H

#include <stdint.h>

/* One memory operand. */
struct next_access_operand {
	uint8_t size;	     /* bytes; 0: no access */
	uint8_t insn_len;    /* bytes of the accessing instruction */
	uint8_t base, index; /* register numbers, INSN_NONE, INSN_SPILLED */
	uint8_t third;	     /* one more register that is added */
	uint8_t scale, third_scale;
	uint8_t floating; /* bytes of a floating-point number; 0: other data */
	uint8_t step;	  /* number of instructions before it */
	uint8_t spill;	  /* word of the frame, in units of 8 bytes from the stack pointer */
	int16_t end; /* bytes from the interrupted instruction to the end of the accessing one */
	int32_t disp;
};

/* Of each kind: the first may be to the stack or the interpreter's data. */
#define NEXT_ACCESS_ACCESSES 3

struct next_access {
	struct next_access_operand load[NEXT_ACCESS_ACCESSES],
		store[NEXT_ACCESS_ACCESSES]; /* in program order */
};

#endif

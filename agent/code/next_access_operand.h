/* SPDX-License-Identifier: Apache-2.0 */
/*
 * next_access_operand.h - the accesses that come next, as they depend on registers; next_access.h
 * finds them out.
 */
#ifndef OJX_NEXT_ACCESS_OPERAND_H
#define OJX_NEXT_ACCESS_OPERAND_H

#include <stdint.h>

/* One memory operand. */
struct next_access_operand {
	uint8_t size;	     /* bytes; 0: there is no such access */
	uint8_t insn_len;    /* of the accessing instruction */
	uint8_t base, index; /* register numbers, INSN_NONE, INSN_SPILLED */
	uint8_t third;	     /* another one that is added */
	uint8_t scale, third_scale;
	uint8_t floating; /* bytes of a floating-point number that is moved; 0: it is none */
	uint8_t step;	  /* instructions that come before it */
	uint8_t spill;	  /* eights of bytes from the stack pointer on */
	int16_t end;	  /* from the interrupted instruction to the one after the access */
	int32_t disp;
};

#define NEXT_ACCESS_ACCESSES \
	3 /* of a kind: the first ones may be of the stack, or of the interpreter's own data */

struct next_access {
	struct next_access_operand load[NEXT_ACCESS_ACCESSES],
		store[NEXT_ACCESS_ACCESSES]; /* in their order */
};

#endif

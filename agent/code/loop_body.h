/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loop_body.h - the loop around an instruction.
 *
 * A body is the instructions from which, and to which, the code can go without a call. One of them,
 * the header, is on each way around: between two passes of the header, nothing runs twice.
 * Compilers lay bodies out in any order.
 */
#ifndef OJX_LOOP_BODY_H
#define OJX_LOOP_BODY_H

#include "insn/insn.h"

#define LOOP_BYTES 1024 /* most bytes from the first to the last instruction of a body */
#define LOOP_INSNS 400
#define LOOP_NONE  (-1)

/* The code around an instruction, decoded as far as was asked for. */
struct loop_code {
	uint64_t base;
	uint32_t low, high; /* the bytes from `low` to `high` could be read */
	uint8_t bytes[2 * LOOP_BYTES];
	int16_t index[2 * LOOP_BYTES]; /* of the instruction that begins at a byte; LOOP_NONE */
	uint32_t n;
	struct loop_step {
		uint32_t at; /* bytes from `base` */
		bool linked;
		int16_t next[2]; /* indices of the instructions that may follow; LOOP_NONE */
		struct insn insn;
	} step[LOOP_INSNS];
};

struct loop_body {
	uint64_t from; /* address and bytes of the code that the body lies in */
	uint32_t len;
	uint32_t n;		   /* instructions; 0: no body */
	int16_t order[LOOP_INSNS]; /* their indices; the header first, each before its successors */
	bool has[LOOP_INSNS];	   /* by index */
};

/* Service thread: reads the code around `ip`. */
void loop_code_read(struct loop_code *code, uint64_t ip);

/* The index of the instruction at an address; LOOP_NONE if it cannot be decoded. */
int16_t loop_code_at(struct loop_code *code, uint64_t address);

/*
 * The loop around the instruction at `ip`: all ways that lead back to it, or, if `inner`, those of
 * the innermost loop. False if there is none that is understood.
 */
bool loop_body_find(struct loop_code *code, uint64_t ip, bool inner, struct loop_body *to);

#endif

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

#include <stdint.h>

#include "arch/arch.h"

#define SYMBOLIC_SPILLED ARCH_REGISTERS /* term for the spilled word */
#define SYMBOLIC_TERMS	 (ARCH_REGISTERS + 1)
#define SYMBOLIC_FRAME	 1024 /* bytes of the frame in which the word may be */

/* The sum of the registers and one spilled word, each times its `factor`, and of `add`. */
struct symbolic_value {
	int64_t add;
	int16_t factor[SYMBOLIC_TERMS];
	/*
	 * where the spilled word is: in the frame, in bytes from the stack pointer; or, from
	 * SYMBOLIC_FRAME on, 8 bytes each, in a vector register
	 */
	uint16_t spill;
	bool known;
};

struct symbolic_registers {
	struct symbolic_value of[ARCH_REGISTERS];
	struct symbolic_value vector[ARCH_VECTORS]; /* low parts of vector registers */
	uint32_t same; /* bitmap of vector registers that have not been written */
	bool stored;   /* the frame was written to: its content is unknown */
	/* bitmap of the registers that were loaded from the JVM's thread: what polls read from */
	uint32_t of_thread;
};

/* Sets each register to its own current value. */
void symbolic_registers_begin(struct symbolic_registers *forms);

/* Applies an instruction. */
void symbolic_registers_apply(struct symbolic_registers *forms, const struct insn *insn);

/* What is known where two paths meet: the values that are the same on both. */
void symbolic_registers_meet(struct symbolic_registers *forms,
			     const struct symbolic_registers *other);

/*
 * The address of a memory operand without its segment; false if unknown, or relative to the
 * instruction pointer.
 */
bool symbolic_registers_address(const struct symbolic_registers *forms, const struct insn_mem *mem,
				struct symbolic_value *to);

/* ---- the next accesses as functions of registers; next_access.h finds them. */

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

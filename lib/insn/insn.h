/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn.h - a decoded instruction: its length, memory operands, and what is done to these.
 *
 * Each folder here reads the instructions of a processor. Agent and tool share them: the agent has
 * that of its own processor (agent/arch/arch.h), the tool has all.
 *
 * An instruction that is not understood has length 0. If the length is known, but not what the
 * instruction does to memory, `unknown` is set: gathers, scatters, saves of processor state, bit
 * strings. The result is a pure function of the bytes: no allocation, no lock, no state, so
 * handlers may call it.
 */
#ifndef OJX_INSN_H
#define OJX_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers beyond those of any processor's 32 registers: */
#define INSN_PC	      32 /* the program counter, which holds the address of the next instruction, */
#define INSN_NONE     33 /* no register, */
#define INSN_SPILLED  34 /* and the 8 bytes that the frame has at an offset */
#define INSN_OPERANDS 2
#define INSN_STORED   2

enum insn_kind {
	INSN_LOAD = 1,
	INSN_STORE,
	INSN_UPDATE, /* reads, then writes */
};

/* base + index * scale + disp */
struct insn_mem {
	int64_t disp;
	uint8_t base, index; /* register numbers in the order of the encoding, INSN_PC, INSN_NONE */
	uint8_t scale;
	bool segment; /* the base of a segment is added: it is no object */
};

struct insn_access {
	struct insn_mem mem;
	enum insn_kind kind;
	uint8_t size; /* bytes */
	bool masked;  /* a mask selects the bytes that are accessed */
};

enum insn_flow {
	INSN_NEXT,   /* the next instruction follows */
	INSN_BRANCH, /* the next one or the target */
	INSN_JUMP,   /* the target */
	INSN_CALL,   /* returns to the next one, normally */
	INSN_LEAVES, /* elsewhere: returns, interrupts */
};

/* What the instruction leaves in a general register, if that is simple. */
enum insn_result {
	INSN_OTHER, /* nothing, or nothing simple */
	INSN_MOVE,  /* to = from, or imm */
	INSN_READ,  /* to = the first operand in memory, extended if it is smaller */
	INSN_LEA,   /* to = the address of `lea` */
	INSN_ADD,   /* to += from, or imm */
	INSN_SUB,
	INSN_SHIFT,	  /* to <<= imm */
	INSN_TO_VECTOR,	  /* the low part of vector register `to` = general register `from` */
	INSN_FROM_VECTOR, /* to = the low part of vector register `from` */
};

struct insn {
	uint8_t len;	  /* bytes; 0: not understood */
	bool unknown;	  /* accesses memory in a way that is not described here */
	bool string;	  /* it moves its operands' registers by their size, normally forwards */
	uint8_t accesses; /* explicit memory operands; pushes, pops and calls also use the stack */
	struct insn_access access[INSN_OPERANDS];
	struct insn_mem lea;
	/*
	 * Registers whose content a store writes, one behind the other; INSN_NONE: no further one.
	 * Register 31 stands for zero. Only where traps come before an access
	 * (agent/arch/arch.h) are they filled in.
	 */
	uint8_t stored[INSN_STORED];
	bool stored_vectors; /* they are vector registers */
	uint8_t floating;    /* bytes of a floating-point number in memory; 0: it is not one */
	uint32_t written;    /* bitmap of the general registers that are written, even in part */
	uint32_t vectors;    /* of vector registers: all that are written, and maybe others */

	enum insn_flow flow;
	bool direct;	/* the target is known */
	int32_t target; /* relative to the next instruction */

	enum insn_result result;
	uint8_t to, from; /* register numbers; INSN_NONE: imm */
	uint8_t width;	  /* bytes of `to` that are computed: 4 or 8 */
	int64_t imm;
};

/*
 * Writes an instruction of a recording as an assembler would, or else what it does to memory, or
 * its bytes. `to` has room for `room` bytes. `machine`: the processor, as `uname -m` names it; of
 * one that is not known here, the bytes are written.
 */
void insn_text(char *to, size_t room, const char *machine, const uint8_t *code, size_t len);

/* Writes the bytes, in hexadecimal, as they lie in memory. */
void insn_bytes(char *to, size_t room, const uint8_t *code, size_t len);

#endif

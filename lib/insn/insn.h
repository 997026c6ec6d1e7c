/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn.h - reads x86-64 instructions: length, memory operands, and what is done to them.
 *
 * An instruction that is not understood has no length. One whose length is known, but not what it
 * does to memory, says so: gathers and scatters, saves of the processor's state, bit strings.
 * Nothing is guessed. What is read is a pure function of the bytes: no allocation, no lock, no
 * state, so that handlers may call it.
 *
 * Understood are the integer instructions, x87, SSE, AVX, AVX2, AVX-512 with FP16, BMI; not MMX,
 * AMX and APX.
 */
#ifndef OJX_INSN_H
#define OJX_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSN_LONGEST   15 /* bytes of an x86 instruction */
#define INSN_REGISTERS 16
#define INSN_RIP       16 /* numbers beyond the machine's own: the next instruction's address, */
#define INSN_NONE      17 /* no register, */
#define INSN_SPILLED   18 /* and the 8 bytes that the frame has at an offset */
#define INSN_OPERANDS  2

enum insn_kind {
	INSN_LOAD = 1,
	INSN_STORE,
	INSN_UPDATE, /* reads, then writes */
};

/* base + index * scale + disp */
struct insn_mem {
	int64_t disp;
	uint8_t base,
		index; /* register numbers in the order of the encoding, INSN_RIP, INSN_NONE */
	uint8_t scale;
	bool segment; /* fs or gs is added */
};

struct insn_access {
	struct insn_mem mem;
	enum insn_kind kind;
	uint8_t size; /* bytes */
	bool masked;  /* a mask decides which of them are touched */
};

enum insn_flow {
	INSN_NEXT,   /* the next instruction follows */
	INSN_BRANCH, /* the next one or the target */
	INSN_JUMP,   /* the target */
	INSN_CALL,   /* somewhere, and back as a rule */
	INSN_LEAVES, /* somewhere else: returns, interrupts */
};

/* What the instruction leaves in a general register, where that is simple. */
enum insn_result {
	INSN_OTHER, /* nothing, or nothing simple */
	INSN_MOVE,  /* to = from, or imm */
	INSN_READ,  /* to = the first operand in memory, extended if it is smaller */
	INSN_LEA,   /* to = the address of `lea` */
	INSN_ADD,   /* to += from, or imm */
	INSN_SUB,
	INSN_SHIFT, /* to <<= imm */
};

struct insn {
	uint8_t len;  /* bytes; 0: not understood */
	bool unknown; /* touches memory in a way that is not told here */
	bool string;  /* has stepped its operands' registers on by their size, forwards as a rule */
	uint8_t accesses; /* explicit operands in memory; pushes, pops and calls use the stack
			     besides */
	struct insn_access access[INSN_OPERANDS];
	struct insn_mem lea;
	uint8_t floating; /* bytes of the floating-point number in memory; 0: it is none */
	uint16_t written; /* bits of the general registers that it writes, or parts of them */

	enum insn_flow flow;
	bool direct;	/* it has a target: */
	int32_t target; /* from the next instruction on */

	enum insn_result result;
	uint8_t to, from; /* register numbers; INSN_NONE: imm */
	uint8_t width;	  /* bytes of `to` that are computed: 4 or 8 */
	int64_t imm;
};

/* [handler] Reads one instruction of at most `len` bytes. False, with insn->len 0, where it is not
 * understood. */
bool insn_decode(const uint8_t *code, size_t len, struct insn *insn);

/* [handler] General registers of a signal's context, in the order of the encoding. */
void insn_registers(const void *ucontext, uint64_t to[INSN_REGISTERS]);

/*
 * Writes what the instruction does to memory: "64-byte store to [r14 + r10*8 + 0x10]"; its bytes
 * where that is not known. `to` has room for `room` bytes.
 */
void insn_text(char *to, size_t room, const uint8_t *code, size_t len);

#endif

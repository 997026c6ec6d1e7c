/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn.h - decodes x86-64 instructions: their length, memory operands, and what is done to these.
 *
 * An instruction that is not understood has length 0. If the length is known, but not what the
 * instruction does to memory, `unknown` is set: gathers, scatters, saves of processor state, bit
 * strings. The result is a pure function of the bytes: no allocation, no lock, no state, so
 * handlers may call it.
 *
 * It covers the integer instructions, x87, SSE, AVX, AVX2, AVX-512 with FP16, and BMI; not MMX, AMX
 * and APX.
 */
#ifndef OJX_INSN_H
#define OJX_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSN_LONGEST   15 /* bytes of an x86 instruction */
#define INSN_REGISTERS 16
#define INSN_RIP       16 /* numbers beyond the machine's: the address of the next instruction, */
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
	bool segment; /* the base of fs or gs is added */
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
	uint8_t floating; /* bytes of a floating-point number in memory; 0: it is not one */
	uint16_t written; /* bitmap of the general registers that are written, even in part */
	uint16_t vectors; /* of vector registers 0 to 15: all that are written, and maybe others */

	enum insn_flow flow;
	bool direct;	/* the target is known */
	int32_t target; /* relative to the next instruction */

	enum insn_result result;
	uint8_t to, from; /* register numbers; INSN_NONE: imm */
	uint8_t width;	  /* bytes of `to` that are computed: 4 or 8 */
	int64_t imm;
};

/*
 * [handler] Reads one instruction of at most `len` bytes. False, and insn->len is 0, if it is not
 * understood.
 */
bool insn_decode(const uint8_t *code, size_t len, struct insn *insn);

/* [handler] General registers of a signal context, in the order of the encoding. */
void insn_registers(const void *ucontext, uint64_t to[INSN_REGISTERS]);

/*
 * Writes what the instruction does to memory, "64-byte store to [r14 + r10*8 + 0x10]", or its bytes
 * if that is unknown. `to` has room for `room` bytes.
 */
void insn_text(char *to, size_t room, const uint8_t *code, size_t len);

#endif

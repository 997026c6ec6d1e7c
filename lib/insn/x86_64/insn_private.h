/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn_private.h - rows of opcodes; private to the decoder.
 *
 * A row describes the memory operand of one opcode or of several consecutive ones. The size of a
 * vector operand follows from the vector's length, the element's size and the tuple type, for SSE,
 * AVX and AVX-512 alike. With AVX-512 the tuple type also scales a displacement of one byte (Intel
 * SDM vol. 2, 2.7.5).
 */
#ifndef OJX_INSN_PRIVATE_H
#define OJX_INSN_PRIVATE_H

#include "insn/x86_64/insn_x86_64.h"

/* Opcode maps, with their numbers in VEX and EVEX. */
enum { MAP_ONE, MAP_0F, MAP_0F38, MAP_0F3A, MAP_5 = 5, MAP_6 };

/* Mandatory prefixes, as bits; bit n is value n of the field `pp`. */
enum { PP_NONE = 1, PP_66 = 2, PP_F3 = 4, PP_F2 = 8, PP_ALL = 15 };

/* Encodings, as bits. */
enum { ENC_LEGACY = 1, ENC_VEX = 2, ENC_EVEX = 4 };

enum insn_operand {
	NO_MEMORY, /* the operand is a register; with memory the instruction is invalid */
	ADDRESS,   /* only the address is used: lea, nop, prefetch */
	LOAD,
	STORE,
	UPDATE,
	HIDDEN, /* memory, accessed in a way that is not described */
};

/* Sizes. */
enum insn_size {
	SIZE_NONE,
	/* of integers: 1, 2, 4, 8, 10, 16, 32 bytes, */
	SIZE_1,
	SIZE_2,
	SIZE_4,
	SIZE_8,
	SIZE_10,
	SIZE_16,
	SIZE_32,
	SIZE_V,	  /* 2, 4 or 8, the operand size, */
	SIZE_Y,	  /* 4 or 8, */
	SIZE_V64, /* 8, or 2: a stack slot */
	/* of vectors, tuple types: */
	FULL,	   /* the vector, or one element that is broadcast */
	HALF,	   /* half of it, or one element */
	QUARTER,   /* a quarter of it, or one element */
	FULL_MEM,  /* the vector */
	HALF_MEM,  /* half of it */
	QUART_MEM, /* a quarter of it */
	EIGHTH_MEM,
	DUP,	     /* 8 bytes if the vector has 16, else the vector */
	SCALAR,	     /* one element */
	PACKED,	     /* FULL, or SCALAR with F3 or F2 */
	HALF_OR_FULL /* AVX-512 with W: FULL, else HALF */
};

/* Sizes of vector elements: bytes, or */
enum {
	BY_W = 0,  /* 8 with W, else 4 */
	BY_PP = 32 /* 8 with 66 or F2, else 4 */
};

/* Flags of a row. */
enum {
	IMM8 = 1 << 0,
	WRITES_REG = 1 << 1,  /* a general register: reg of ModRM */
	WRITES_RM = 1 << 2,   /* rm of ModRM, if it is a register */
	WRITES_VVVV = 1 << 3, /* vvvv of VEX */
	WRITES_RAX = 1 << 4,
	WRITES_RCX = 1 << 5,
	WRITES_RDX = 1 << 6,
	WRITES_ALL = 1 << 7,   /* it is not known which registers */
	MASKED_VEX = 1 << 8,   /* with VEX: masked by a vector */
	REGISTER_SSE = 1 << 9, /* NO_MEMORY unless with EVEX */
	NUMBER = 1 << 10,      /* a scalar floating-point number */
	NO_MODRM = 1 << 11,
	IMM_Z = 1 << 12,    /* an immediate of the operand's size, at most 4 bytes */
	BYTE_REG = 1 << 13, /* reg is a byte register: ah, ch, dh, bh are parts of the first four */
	BYTE_RM = 1 << 14,  /* rm is a byte register */
	WRITES_RSP = 1 << 15,
};

/* Short names of these, for the tables of integer instructions. */
#define EB (BYTE_RM)
#define GB (BYTE_REG)
#define RG WRITES_REG
#define RM WRITES_RM
#define AX WRITES_RAX
#define DX WRITES_RDX

struct insn_row {
	uint8_t map, first, last; /* opcodes */
	uint8_t pp, enc;
	uint8_t operand, size, element;
	uint16_t flags;
};

/* What has been read of an instruction. */
struct insn_reader {
	const uint8_t *code;
	size_t room; /* bytes that may be read */
	size_t at;
	bool bad; /* ended too early, or is not understood */

	bool opsize, addr32, lock, rep, repne, segment, has_rex;
	uint8_t rex; /* W, R, X, B in bits 3 to 0, whatever the encoding */
	uint8_t enc, map, pp, vvvv;
	bool broadcast, masked;
	uint16_t vector; /* bytes of a vector */
	uint8_t opcode;

	bool has_modrm;
	uint8_t mod, reg, rm; /* reg and rm are extended by rex */
	struct insn_mem mem;
	bool short_disp; /* a displacement of one byte */
};

/* The row of a vector or BMI instruction; NULL if there is none. */
const struct insn_row *insn_vector_row(const struct insn_reader *r);

/* The size in bytes of its memory operand. */
uint8_t insn_vector_size(const struct insn_reader *r, const struct insn_row *row);

/* Reads the rest of an integer instruction, behind its opcode. False if it is none. */
bool insn_integer(struct insn_reader *r, struct insn *insn);

/* Parts of insn_integer: false if the opcode does not belong to them. */
bool insn_group(struct insn_reader *r, struct insn *insn);
bool insn_special(struct insn_reader *r, struct insn *insn);

/*
 * The first of `n` rows that have the opcode; NULL if none has. Rows are ordered by map and last
 * opcode.
 */
const struct insn_row *insn_find_row(const struct insn_reader *r, const struct insn_row *rows,
				     size_t n);

/* Bytes of a size that does not depend on a vector (enum insn_size below FULL); else 0. */
uint8_t insn_size(const struct insn_reader *r, uint8_t size);

/* Applies a row to the rest of an integer instruction. ModRM, if any, has been read. */
void insn_use_row(struct insn_reader *r, struct insn *insn, const struct insn_row *row);

/* Bytes of a general operand, by the prefixes. */
uint8_t insn_width(const struct insn_reader *r);

/* Sets a simple result in a register, if it has 4 or 8 bytes. */
void insn_result_is(const struct insn_reader *r, struct insn *insn, enum insn_result what,
		    uint8_t to, uint8_t from);

/* Reads prefixes and opcode. */
void insn_opcode(struct insn_reader *r);

/*
 * Writes what the instruction does to memory, "64-byte store to [r14 + r10*8 + 0x10]", or its bytes
 * if that is unknown.
 */
void insn_x86_64_effect(char *to, size_t room, const uint8_t *code, size_t len);

/* Shared parts of the decoder. */
uint8_t insn_byte(struct insn_reader *r);
int64_t insn_immediate(struct insn_reader *r, unsigned bytes);
void insn_modrm(struct insn_reader *r);
void insn_operand(const struct insn_reader *r, struct insn *insn, enum insn_operand operand,
		  uint8_t size);
void insn_writes(const struct insn_reader *r, struct insn *insn, uint16_t flags);

/* Tables of rows, ordered by map and last opcode. */
extern const struct insn_row insn_rows_0f[], insn_rows_0f38[], insn_rows_0f3a[], insn_rows_fp16[];
extern const size_t insn_nrows_0f, insn_nrows_0f38, insn_nrows_0f3a, insn_nrows_fp16;

#endif

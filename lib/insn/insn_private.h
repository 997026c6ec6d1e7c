/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn_private.h - rows of opcodes, for the reader of instructions alone.
 *
 * A row says of one opcode, or of several in a row, which operand in memory it has. The size of a
 * vector operand follows from the vector's length, the element's size and the tuple type, the same
 * for SSE, AVX and AVX-512; with AVX-512 the tuple type is also what a displacement of one byte
 * counts (Intel SDM vol. 2, 2.7.5).
 */
#ifndef OJX_INSN_PRIVATE_H
#define OJX_INSN_PRIVATE_H

#include "insn/insn.h"

/* Opcode maps, by their numbers in VEX and EVEX. */
enum { MAP_ONE, MAP_0F, MAP_0F38, MAP_0F3A, MAP_5 = 5, MAP_6 };

/* Mandatory prefixes, as bits; the order is that of the field `pp`. */
enum { PP_NONE = 1, PP_66 = 2, PP_F3 = 4, PP_F2 = 8, PP_ALL = 15 };

/* Encodings, as bits. */
enum { ENC_LEGACY = 1, ENC_VEX = 2, ENC_EVEX = 4 };

enum insn_operand {
	NO_MEMORY, /* the operand is a register; in memory the instruction is not valid */
	ADDRESS,   /* only the address is used: lea, nop, prefetch */
	LOAD,
	STORE,
	UPDATE,
	HIDDEN, /* memory, in a way that is not told */
};

/* Sizes. */
enum insn_size {
	SIZE_NONE,
	/* of integers: 1, 2, 4, 8, 10, 16 bytes, */
	SIZE_1,
	SIZE_2,
	SIZE_4,
	SIZE_8,
	SIZE_10,
	SIZE_16,
	SIZE_32,
	SIZE_V,	  /* 2, 4 or 8 by the operand's size, */
	SIZE_Y,	  /* 4 or 8, */
	SIZE_V64, /* 8, or 2: of the stack */
	/* of vectors, tuple types: */
	FULL,	   /* the vector, or one element that is broadcast */
	HALF,	   /* half of it, likewise */
	QUARTER,   /* a quarter of it, likewise */
	FULL_MEM,  /* the vector */
	HALF_MEM,  /* half of it */
	QUART_MEM, /* a quarter of it */
	EIGHTH_MEM,
	DUP,	     /* 8 bytes of 16, else the vector */
	SCALAR,	     /* one element */
	PACKED,	     /* FULL, or SCALAR with F3 or F2 */
	HALF_OR_FULL /* of AVX-512 with W: FULL, else HALF */
};

/* Elements of vectors: bytes, or */
enum {
	BY_W = 0,  /* 8 with W, else 4 */
	BY_PP = 32 /* 8 with 66 or F2, else 4 */
};

/* What else there is to it, as bits. */
enum {
	IMM8 = 1 << 0,
	WRITES_REG = 1 << 1,  /* a general register, named by ModRM's reg */
	WRITES_RM = 1 << 2,   /* named by its rm, if that is a register */
	WRITES_VVVV = 1 << 3, /* named by VEX */
	WRITES_RAX = 1 << 4,
	WRITES_RCX = 1 << 5,
	WRITES_RDX = 1 << 6,
	WRITES_ALL = 1 << 7,   /* not known which */
	MASKED_VEX = 1 << 8,   /* with VEX: masked by a vector */
	REGISTER_SSE = 1 << 9, /* NO_MEMORY unless with EVEX */
	NUMBER = 1 << 10,      /* a scalar is a floating-point number */
	NO_MODRM = 1 << 11,
	IMM_Z = 1 << 12,    /* an immediate of the operand's size, 4 bytes at most */
	BYTE_REG = 1 << 13, /* reg is one of a byte: ah, ch, dh, bh are parts of the first four */
	BYTE_RM = 1 << 14,  /* rm is */
	WRITES_RSP = 1 << 15,
};

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
	uint8_t rex; /* W, R, X, B in bits 3 to 0, with whichever encoding */
	uint8_t enc, map, pp, vvvv;
	bool broadcast, masked;
	uint16_t vector; /* bytes of a vector */
	uint8_t opcode;

	bool has_modrm;
	uint8_t mod, reg, rm; /* reg and rm with the bits of rex */
	struct insn_mem mem;
	bool short_disp; /* a displacement of one byte */
};

/* The row of a vector instruction, or of BMI; NULL where there is none. */
const struct insn_row *insn_vector_row(const struct insn_reader *r);

/* The size of its operand in memory, bytes. */
uint8_t insn_vector_size(const struct insn_reader *r, const struct insn_row *row);

/* An integer instruction: reads what follows its opcode. False where it is none. */
bool insn_integer(struct insn_reader *r, struct insn *insn);

/* Its parts: false where the opcode is none of theirs. */
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

/* ModRM is read, if there is one: what the row says of the rest of an integer instruction. */
void insn_use_row(struct insn_reader *r, struct insn *insn, const struct insn_row *row);

/* Bytes of a general operand. */
uint8_t insn_width(const struct insn_reader *r);

/* Notes a simple result in a register, if that is one of 4 or 8 bytes. */
void insn_result_is(const struct insn_reader *r, struct insn *insn, enum insn_result what,
		    uint8_t to, uint8_t from);

/* Prefixes and opcode. */
void insn_opcode(struct insn_reader *r);

/* What is shared. */
uint8_t insn_byte(struct insn_reader *r);
int64_t insn_immediate(struct insn_reader *r, unsigned bytes);
void insn_modrm(struct insn_reader *r);
void insn_operand(const struct insn_reader *r, struct insn *insn, enum insn_operand operand,
		  uint8_t size);
void insn_writes(const struct insn_reader *r, struct insn *insn, uint16_t flags);

/* Tables of rows, by map and opcode. */
extern const struct insn_row insn_rows_0f[], insn_rows_0f38[], insn_rows_0f3a[], insn_rows_fp16[];
extern const size_t insn_nrows_0f, insn_nrows_0f38, insn_nrows_0f3a, insn_nrows_fp16;

#endif

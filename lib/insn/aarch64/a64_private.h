/* SPDX-License-Identifier: Apache-2.0 */
/* a64_private.h - what the files of this folder share: fields of an instruction, and its groups. */
#ifndef OJX_A64_PRIVATE_H
#define OJX_A64_PRIVATE_H

#include "insn/aarch64/insn_aarch64.h"

/* `n` bits from bit `low` on. */
static inline uint32_t a64_bits(uint32_t code, unsigned low, unsigned n)
{
	return code >> low & ((1u << n) - 1);
}

static inline bool a64_bit(uint32_t code, unsigned at)
{
	return code >> at & 1;
}

/* The same as a signed number. */
static inline int32_t a64_signed(uint32_t code, unsigned low, unsigned n)
{
	return (int32_t)(code << (32 - low - n)) >> (32 - n);
}

/* The register fields, where they usually are. */
static inline uint8_t a64_rd(uint32_t code)
{
	return code & 31;
}

static inline uint8_t a64_rn(uint32_t code)
{
	return code >> 5 & 31;
}

static inline uint8_t a64_rm(uint32_t code)
{
	return code >> 16 & 31;
}

/* The register of a field in which 31 is zero. */
static inline uint8_t a64_or_none(uint8_t reg)
{
	return reg == 31 ? INSN_NONE : reg;
}

/* Marks a general register, in whose field 31 is zero, as written. */
static inline void a64_writes(struct insn *insn, uint8_t reg)
{
	if (reg != 31)
		insn->written |= 1u << reg;
}

/* Each reads an instruction of its group; insn->len is set. False if it is not understood. */
bool a64_memory(uint32_t code, struct insn *insn);
bool a64_immediate(uint32_t code, struct insn *insn);
bool a64_branch(uint32_t code, struct insn *insn);
bool a64_register(uint32_t code, struct insn *insn);
bool a64_vector(uint32_t code, struct insn *insn);

#endif

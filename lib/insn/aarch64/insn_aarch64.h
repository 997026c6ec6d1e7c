/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn_aarch64.h - reads A64 instructions, by the encodings of the Arm Architecture Reference
 * Manual for A-profile.
 *
 * It covers what HotSpot's compilers and stubs emit: integer, floating-point and SIMD instructions,
 * loads and stores of all forms up to Armv8.4, the atomic ones of Armv8.1. What SVE and the
 * instructions that copy memory access is `unknown`.
 *
 * Register 31 is the stack pointer. Where it stands for zero, it is no register.
 */
#ifndef OJX_INSN_AARCH64_H
#define OJX_INSN_AARCH64_H

#include "insn/insn.h"

#define INSN_AARCH64_LEN       4 /* bytes of each instruction */
#define INSN_AARCH64_REGISTERS 32
#define INSN_AARCH64_SP	       31

/*
 * [handler] Reads one instruction of at most `len` bytes. False, and insn->len is 0, if it is not
 * understood.
 */
bool insn_aarch64_decode(const uint8_t *code, size_t len, struct insn *insn);

/*
 * [handler] Whether it is one of a pair that loads and stores exclusively. An interrupt between the
 * two makes the store fail.
 */
bool insn_aarch64_exclusive(uint32_t code);

/* [handler] Whether it sets a block of memory to zero (DC ZVA): a store that is `unknown`. */
bool insn_aarch64_zeroes(uint32_t code);

/* See insn_text. */
void insn_aarch64_text(char *to, size_t room, const uint8_t *code, size_t len);

#endif

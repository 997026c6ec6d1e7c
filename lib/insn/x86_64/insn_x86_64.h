/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn_x86_64.h - reads x86-64 instructions.
 *
 * It covers the integer instructions, x87, SSE, AVX, AVX2, AVX-512 with FP16, and BMI; not MMX, AMX
 * and APX.
 */
#ifndef OJX_INSN_X86_64_H
#define OJX_INSN_X86_64_H

#include "insn/insn.h"

#define INSN_X86_64_LONGEST   15 /* bytes of an instruction */
#define INSN_X86_64_REGISTERS 16

/*
 * [handler] Reads one instruction of at most `len` bytes. False, and insn->len is 0, if it is not
 * understood.
 */
bool insn_x86_64_decode(const uint8_t *code, size_t len, struct insn *insn);

/* See insn_text. */
void insn_x86_64_text(char *to, size_t room, const uint8_t *code, size_t len);

#endif

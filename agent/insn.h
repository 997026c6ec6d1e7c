/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn.h - x86 instructions and their memory operands, by Capstone. It allocates and formats while it decodes: service
 * thread only.
 */
#ifndef OJX_INSN_H
#define OJX_INSN_H

#include <capstone/capstone.h>
#include <ucontext.h>

#include "decode.h"

#define INSN_LONGEST   15 /* bytes of an x86 instruction */
#define INSN_REGISTERS 16
#define INSN_RIP       16 /* numbers beyond the machine's own: the next instruction's address, */
#define INSN_NONE      17 /* no register, */
#define INSN_SPILLED   18 /* and the 8 bytes that the frame has at an offset */

/* Capstone with details on; 0 where it can not be had. Kept open: opening is dearer than many decodings. */
csh insn_decoder(void);

/* [handler] General registers of a signal's context, in the order of the machine's encoding. */
void insn_registers(const void *ucontext, uint64_t to[INSN_REGISTERS]);

/* Number of a register that an operand names: 0..15, INSN_RIP, INSN_NONE; -1: none of these. */
int insn_register(x86_reg reg);

/* Number of the general register that it is, or is a part of; -1: none. */
int insn_part_of(x86_reg reg);

/* Whether the instruction writes the register, or a part of it. */
bool insn_writes(csh cs, const cs_insn *insn, x86_reg reg);

/* Bits of the general registers that it writes, or parts of them; all bits where that is not known. */
uint32_t insn_written(csh cs, const cs_insn *insn);

/* Whether operand i is memory that the instruction touches. */
bool insn_touches(const cs_insn *insn, uint8_t i);

/* Load or store (or both), for the memory operand i. */
enum access_kind insn_access(const cs_insn *insn, uint8_t i);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* insn.c - see insn.h. */
#define _GNU_SOURCE
#include "insn.h"

#include <stdlib.h>
#include <string.h>

/* Context register numbers in the order of the machine's encoding. */
static const int greg[INSN_REGISTERS] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
					  REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
					  REG_R12, REG_R13, REG_R14, REG_R15 };
static const x86_reg capstone_reg[INSN_REGISTERS] = {
	X86_REG_RAX, X86_REG_RCX, X86_REG_RDX, X86_REG_RBX, X86_REG_RSP, X86_REG_RBP,
	X86_REG_RSI, X86_REG_RDI, X86_REG_R8,  X86_REG_R9,  X86_REG_R10, X86_REG_R11,
	X86_REG_R12, X86_REG_R13, X86_REG_R14, X86_REG_R15
};

csh insn_decoder(void)
{
	static csh cs;

	if (!cs && (cs_open(CS_ARCH_X86, CS_MODE_64, &cs) != CS_ERR_OK ||
		    cs_option(cs, CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK))
		cs = 0;
	return cs;
}

void insn_registers(const void *ucontext, uint64_t to[INSN_REGISTERS])
{
	const greg_t *r = ((const ucontext_t *)ucontext)->uc_mcontext.gregs;

	for (int i = 0; i < INSN_REGISTERS; i++)
		to[i] = (uint64_t)r[greg[i]];
}

int insn_register(x86_reg reg)
{
	if (reg == X86_REG_INVALID)
		return INSN_NONE;
	if (reg == X86_REG_RIP)
		return INSN_RIP;
	for (int i = 0; i < INSN_REGISTERS; i++)
		if (capstone_reg[i] == reg)
			return i;
	return -1;
}

/* Number of a general register by its name, whatever part of it that names: rax, eax, ax, al, ah; r8, r8d. -1: another. */
static int number_of(const char *name)
{
	static const char family[8][3] = { "ax", "cx", "dx", "bx", "sp", "bp", "si", "di" };

	if (!name)
		return -1;
	if (name[0] == 'r' && name[1] >= '0' && name[1] <= '9')
		return (int)strtol(name + 1, NULL, 10);
	size_t len = strlen(name);
	if (len == 3 && (name[0] == 'r' || name[0] == 'e'))
		name++;
	for (int i = 0; i < 8; i++)
		if (strncmp(name, family[i], 2) == 0 ||
		    (i < 4 && len == 2 && name[0] == family[i][0] &&
		     (name[1] == 'l' || name[1] == 'h')))
			return i;
	return -1;
}

int insn_part_of(x86_reg reg)
{
	csh cs = insn_decoder();

	return cs ? number_of(cs_reg_name(cs, reg)) : -1;
}

uint32_t insn_written(csh cs, const cs_insn *insn)
{
	cs_regs read, written;
	uint8_t nread = 0, nwritten = 0;
	uint32_t bits = 0;

	if (cs_regs_access(cs, insn, read, &nread, written, &nwritten) != CS_ERR_OK)
		return UINT32_MAX;
	for (uint8_t i = 0; i < nwritten; i++) {
		int number = number_of(cs_reg_name(cs, written[i]));
		if (number >= 0 && number < INSN_REGISTERS)
			bits |= 1u << number;
	}
	return bits;
}

bool insn_writes(csh cs, const cs_insn *insn, x86_reg reg)
{
	int number = insn_register(reg);

	return number >= 0 && number < INSN_REGISTERS && insn_written(cs, insn) & 1u << number;
}

bool insn_touches(const cs_insn *insn, uint8_t i)
{
	return insn->detail->x86.operands[i].type == X86_OP_MEM && insn->id != X86_INS_LEA &&
	       insn->id != X86_INS_NOP;
}

enum access_kind insn_access(const cs_insn *insn, uint8_t i)
{
	/* moves are most of all accesses, and their operands' order says it without a table */
	if (strstr(insn->mnemonic, "mov"))
		return i == 0 ? ACCESS_STORE : ACCESS_LOAD;
	switch (insn->detail->x86.operands[i].access) {
	case CS_AC_READ:
		return ACCESS_LOAD;
	case CS_AC_WRITE:
		return ACCESS_STORE;
	case CS_AC_READ | CS_AC_WRITE:
		return ACCESS_OTHER;
	default:
		return i == 0 ? ACCESS_OTHER : ACCESS_LOAD;
	}
}

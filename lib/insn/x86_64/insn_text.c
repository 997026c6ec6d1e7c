/* SPDX-License-Identifier: Apache-2.0 */
/*
 * insn_text.c - an x86-64 instruction in words. Only the tool has it: the agent, which cannot call
 * Capstone in handlers, writes no instructions.
 */
#include <capstone/capstone.h>
#include <inttypes.h>
#include <stdio.h>

#include "insn/x86_64/insn_private.h"

#define EVEX 0x62 /* first byte of an AVX-512 instruction */

static const char *const names[] = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
				     "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15" };
static const char *const kinds[] = {
	[INSN_LOAD] = "load", [INSN_STORE] = "store", [INSN_UPDATE] = "update"
};

static void put_mem(char *to, size_t room, const struct insn_mem *m)
{
	bool negative = m->disp < 0;
	uint64_t disp = negative ? -(uint64_t)m->disp : (uint64_t)m->disp;
	bool index = m->index < INSN_X86_64_REGISTERS;
	const char *base = m->base < INSN_X86_64_REGISTERS ? names[m->base]
			   : m->base == INSN_PC		   ? "rip"
							   : NULL;
	char scaled[16] = "", number[32] = "";

	if (index)
		snprintf(scaled, sizeof scaled, "%s%s*%u", base ? " + " : "", names[m->index],
			 m->scale);
	if (disp || (!base && !index))
		snprintf(number, sizeof number, "%s0x%" PRIx64,
			 negative	 ? " - "
			 : base || index ? " + "
					 : "",
			 disp);
	snprintf(to, room, "[%s%s%s]", base ? base : "", scaled, number);
}

void insn_x86_64_effect(char *to, size_t room, const uint8_t *code, size_t len)
{
	struct insn insn;
	char mem[64];

	if (!insn_x86_64_decode(code, len, &insn) || insn.len != len || insn.accesses != 1) {
		insn_bytes(to, room, code, len);
		return;
	}
	const struct insn_access *a = &insn.access[0];
	put_mem(mem, sizeof mem, &a->mem);
	snprintf(to, room, "%u-byte %s%s %s %s%s", a->size, a->masked ? "masked " : "",
		 kinds[a->kind],
		 a->kind == INSN_STORE	? "to"
		 : a->kind == INSN_LOAD ? "from"
					: "of",
		 a->mem.segment ? "thread-local " : "", mem);
}

/*
 * Writes the instruction as Capstone does; false if Capstone does not know it. Capstone knows some
 * EVEX instructions and mistakes others.
 */
static bool disassemble(char *to, size_t room, const uint8_t *code, size_t len)
{
	csh cs;
	cs_insn *insn = NULL;

	if (code[0] == EVEX || cs_open(CS_ARCH_X86, CS_MODE_64, &cs) != CS_ERR_OK)
		return false;
	size_t n = cs_disasm(cs, code, len, 0, 1, &insn);
	bool whole = n && insn->size == len;
	if (whole)
		snprintf(to, room, "%s %s", insn->mnemonic, insn->op_str);
	if (n)
		cs_free(insn, n);
	cs_close(&cs);
	return whole;
}

void insn_x86_64_text(char *to, size_t room, const uint8_t *code, size_t len)
{
	if (!disassemble(to, room, code, len))
		insn_x86_64_effect(to, room, code, len);
}

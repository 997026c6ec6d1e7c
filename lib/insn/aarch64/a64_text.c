/* SPDX-License-Identifier: Apache-2.0 */
/* a64_text.c - an A64 instruction in words, as Capstone has it. Only the tool has it. */
#include <capstone/capstone.h>
#include <stdio.h>

#include "insn/aarch64/insn_aarch64.h"

static bool disassemble(char *to, size_t room, const uint8_t *code, size_t len)
{
	csh cs;
	cs_insn *insn = NULL;

	if (cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &cs) != CS_ERR_OK)
		return false;
	size_t n = cs_disasm(cs, code, len, 0, 1, &insn);
	if (n) {
		snprintf(to, room, "%s %s", insn->mnemonic, insn->op_str);
		cs_free(insn, n);
	}
	cs_close(&cs);
	return n > 0;
}

void insn_aarch64_text(char *to, size_t room, const uint8_t *code, size_t len)
{
	if (len == INSN_AARCH64_LEN && disassemble(to, room, code, len))
		return;
	snprintf(to, room, "%s", "");
	for (size_t i = len, at = 0; i-- > 0 && at + 3 < room;)
		at += (size_t)snprintf(to + at, room - at, "%02x", code[i]);
}

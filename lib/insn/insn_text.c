/* SPDX-License-Identifier: Apache-2.0 */
/* insn_text.c - describes what an instruction does to memory. See insn.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "insn/insn.h"

static const char *const names[] = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8",
				     "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "rip" };
static const char *const kinds[] = {
	[INSN_LOAD] = "load", [INSN_STORE] = "store", [INSN_UPDATE] = "update"
};

static void put_bytes(char *to, size_t room, const uint8_t *code, size_t len)
{
	size_t at = 0;

	if (room)
		*to = '\0';
	for (size_t i = 0; i < len && at + 4 < room; i++)
		at += (size_t)snprintf(to + at, room - at, "%s%02x", i ? " " : "", code[i]);
}

static void put_mem(char *to, size_t room, const struct insn_mem *m)
{
	bool negative = m->disp < 0;
	uint64_t disp = negative ? -(uint64_t)m->disp : (uint64_t)m->disp;
	bool base = m->base <= INSN_RIP, index = m->index < INSN_REGISTERS;
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
	snprintf(to, room, "[%s%s%s]", base ? names[m->base] : "", scaled, number);
}

void insn_text(char *to, size_t room, const uint8_t *code, size_t len)
{
	struct insn insn;
	char mem[64];

	if (!insn_decode(code, len, &insn) || insn.len != len || insn.accesses != 1) {
		put_bytes(to, room, code, len);
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

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decode.c - see decode.h. Collects the data about a trap in the handler; decode_trap.c evaluates
 * it.
 */
#define _GNU_SOURCE
#include "code/decode.h"

#include <string.h>
#include <ucontext.h>

#include "code/codetable.h"
#include "core/peek.h"

#define PAGE	    4096
#define STRING_STEP 4096 /* most bytes that a repeated instruction may be ahead of the trap */

/* [handler] Copies as much of the code before ip as is readable. */
static void code_before(struct decode_trap *trap)
{
	trap->len = DECODE_WINDOW;
	if (code_read(trap->ip, trap->ip - DECODE_WINDOW, trap->code, DECODE_WINDOW))
		return;
	uint64_t in_page = trap->ip % PAGE;
	trap->len = in_page < DECODE_WINDOW ? (uint8_t)in_page : DECODE_WINDOW;
	memcpy(trap->code, (const void *)(trap->ip - trap->len), trap->len);
}

/*
 * [handler] A repeated string instruction traps while ip still points to it. Its side whose
 * register is just behind the watched bytes has trapped.
 */
static enum access_kind string_access(const struct decode_trap *trap)
{
	uint64_t left = PAGE - trap->ip % PAGE;
	const uint8_t *code = (const uint8_t *)trap->ip;
	struct insn insn;

	if (!insn_decode(code, left < INSN_LONGEST ? left : INSN_LONGEST, &insn) || !insn.string ||
	    !(insn.written & 1u << 1))
		return ACCESS_UNKNOWN;
	const struct insn_access *best = NULL;
	uint64_t nearest = STRING_STEP;
	for (uint8_t i = 0; i < insn.accesses; i++) {
		uint64_t behind = trap->registers[insn.access[i].mem.base] - trap->address;
		if (behind && behind <= nearest && !insn.access[i].mem.segment) {
			nearest = behind;
			best = &insn.access[i];
		}
	}
	return best ? decode_kind(best->kind) : ACCESS_UNKNOWN;
}

enum access_kind decode_access(const void *ucontext, uintptr_t address, uint32_t size, uint8_t *len)
{
	const greg_t *r = ((const ucontext_t *)ucontext)->uc_mcontext.gregs;
	struct decode_trap trap = { .ip = (uint64_t)r[REG_RIP], .address = address, .size = size };
	uint8_t bytes = 0;

	insn_registers(ucontext, trap.registers);
	code_before(&trap);
	enum access_kind kind = decode_trap(&trap, &bytes);
	if (kind == ACCESS_UNKNOWN)
		kind = string_access(&trap);
	trap.readable = kind == ACCESS_UNKNOWN &&
			peek(address & ~(uintptr_t)7, trap.memory, sizeof trap.memory);
	if (trap.readable)
		kind = decode_trap(&trap, &bytes);
	if (kind == ACCESS_UNKNOWN)
		status_add(undecoded, 1);
	if (len)
		*len = bytes;
	return kind;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decode.c - see decode.h. Collects the data about a trap in the handler; the processor's part
 * (arch/decode_trap.h) evaluates it.
 */
#define _GNU_SOURCE
#include "code/decode.h"

#include <string.h>

#include "arch/arch.h"
#include "code/codetable.h"
#include "core/peek.h"

#define PAGE 4096

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

/* [handler] */
static void code_here(struct decode_trap *trap)
{
	uint64_t left = PAGE - trap->ip % PAGE;

	trap->here = (const uint8_t *)trap->ip;
	trap->here_len = left < ARCH_INSN_LONGEST ? (uint8_t)left : ARCH_INSN_LONGEST;
}

enum access_kind decode_access(const void *ucontext, uintptr_t address, uint32_t size, uint8_t *len)
{
	struct decode_trap trap = { .ip = arch_pc(ucontext), .address = address, .size = size };
	uint8_t bytes = 0;

	arch_registers(ucontext, trap.registers);
	code_before(&trap);
	code_here(&trap);
	enum access_kind kind = decode_trap(&trap, &bytes);
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

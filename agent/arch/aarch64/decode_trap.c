/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decode_trap.c - what an access does that traps before it takes place.
 *
 * The program counter is that of the accessing instruction, so nothing has to be searched. The
 * registers are those from before the access: what a store will write is in one of them.
 */
#include "arch/decode_trap.h"

#include <string.h>

#define VECTOR_BYTES 16

enum access_kind decode_kind(enum insn_kind kind)
{
	return kind == INSN_LOAD ? ACCESS_LOAD : kind == INSN_STORE ? ACCESS_STORE : ACCESS_OTHER;
}

/* [handler] What is known of an instruction of the scalable extension: the direction. */
static enum access_kind scalable(uint32_t word)
{
	switch (word >> 25) {
	case 0x42: /* gathers of 32 bits, broadcasts */
	case 0x52: /* contiguous */
	case 0x62: /* gathers of 64 bits */
		return ACCESS_LOAD;
	case 0x72:
		return ACCESS_STORE;
	}
	return ACCESS_UNKNOWN;
}

enum access_kind decode_trap(const struct decode_trap *trap, uint8_t *len)
{
	enum access_kind kind = ACCESS_UNKNOWN;
	struct insn insn;
	uint32_t word;

	*len = 0;
	if (!arch_decode(trap->here, trap->here_len, &insn))
		return kind;
	memcpy(&word, trap->here, sizeof word);
	if (insn.accesses)
		kind = decode_kind(insn.access[0].kind);
	else if (insn_aarch64_zeroes(word))
		kind = ACCESS_STORE;
	else if (insn.unknown)
		kind = scalable(word);
	*len = kind == ACCESS_UNKNOWN ? 0 : insn.len;
	return kind;
}

/* [handler] */
static uint32_t word_at(const void *ucontext)
{
	uint32_t word;

	memcpy(&word, (const void *)arch_pc(ucontext), sizeof word);
	return word;
}

bool decode_must_end(const void *ucontext)
{
	return insn_aarch64_exclusive(word_at(ucontext));
}

/* [handler] The bytes that a store writes, in their order. False if they are not in registers. */
static bool stored(const void *ucontext, const struct insn *insn, const uint64_t *registers,
		   unsigned char to[2 * VECTOR_BYTES])
{
	const unsigned char *vectors = arch_vector_bytes(ucontext);
	uint8_t each =
		insn->stored[1] == INSN_NONE ? insn->access[0].size : insn->access[0].size / 2;

	if (each > (insn->stored_vectors ? VECTOR_BYTES : sizeof *registers) ||
	    (insn->stored_vectors && !vectors))
		return false;
	for (int i = 0; i < 2 && insn->stored[i] != INSN_NONE; i++) {
		uint8_t reg = insn->stored[i];
		if (insn->stored_vectors)
			memcpy(to + i * each, vectors + reg * VECTOR_BYTES, each);
		else if (reg == INSN_AARCH64_SP)
			memset(to + i * each, 0, each); /* there it stands for zero */
		else
			memcpy(to + i * each, &registers[reg], each);
	}
	return true;
}

bool decode_stored(const void *ucontext, uintptr_t address, uint32_t size, uint64_t *value)
{
	uint64_t registers[ARCH_REGISTERS];
	unsigned char bytes[2 * VECTOR_BYTES] = { 0 };
	uint32_t word = word_at(ucontext);
	struct insn insn;

	arch_registers(ucontext, registers);
	if (!arch_decode((const uint8_t *)&word, sizeof word, &insn) || insn.accesses != 1 ||
	    insn.access[0].kind != INSN_STORE || insn.stored[0] == INSN_NONE ||
	    !stored(ucontext, &insn, registers, bytes))
		return false;
	const struct insn_mem *m = &insn.access[0].mem;
	uintptr_t from = registers[m->base] + (uint64_t)m->disp;
	if (m->index != INSN_NONE)
		from += registers[m->index] * m->scale;
	if (address < from || address - from + size > insn.access[0].size)
		return false;
	*value = 0;
	memcpy(value, bytes + (address - from), size);
	return true;
}

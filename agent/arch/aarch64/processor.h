/* SPDX-License-Identifier: Apache-2.0 */
/* processor.h - the inline part of arch.h for aarch64. */
#ifndef OJX_PROCESSOR_H
#define OJX_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "insn/aarch64/insn_aarch64.h"

#define ARCH_REGISTERS	   INSN_AARCH64_REGISTERS /* the last one is the stack pointer */
#define ARCH_VECTORS	   32
#define ARCH_INSN_LONGEST  INSN_AARCH64_LEN
#define ARCH_STACK_POINTER INSN_AARCH64_SP
#define ARCH_THREAD	   28
#define ARCH_HEAP_BASE	   27

/* ---- the context of a signal ----------------------------------------------------------- */

enum arch_context {
	CONTEXT_BYTECODE = 22,
	CONTEXT_FRAME = 29,
	CONTEXT_LINK = 30,
	CONTEXT_GENERAL = 31, /* registers that have a number */
};

/* [handler] */
static inline const mcontext_t *arch_context(const void *ucontext)
{
	return &((const ucontext_t *)ucontext)->uc_mcontext;
}

/* [handler] */
static inline uintptr_t arch_pc(const void *ucontext)
{
	return arch_context(ucontext)->pc;
}

/* [handler] */
static inline uintptr_t arch_sp(const void *ucontext)
{
	return arch_context(ucontext)->sp;
}

/* [handler] */
static inline uintptr_t arch_fp(const void *ucontext)
{
	return arch_context(ucontext)->regs[CONTEXT_FRAME];
}

/* [handler] */
static inline void arch_set_pc(void *ucontext, uintptr_t pc)
{
	((ucontext_t *)ucontext)->uc_mcontext.pc = pc;
}

/* [handler] */
static inline uintptr_t arch_bytecode(const void *ucontext)
{
	return arch_context(ucontext)->regs[CONTEXT_BYTECODE];
}

/* [handler] */
static inline void arch_registers(const void *ucontext, uint64_t to[ARCH_REGISTERS])
{
	const mcontext_t *c = arch_context(ucontext);

	for (int i = 0; i < CONTEXT_GENERAL; i++)
		to[i] = c->regs[i];
	to[ARCH_STACK_POINTER] = c->sp;
}

/*
 * [handler] The 16 bytes of each vector register, which the kernel puts among other records; NULL
 * if there are none. context.c compares the names.
 */
const void *arch_vector_bytes(const void *ucontext);

/* [handler] */
static inline void arch_vectors(const void *ucontext, uint64_t to[ARCH_VECTORS])
{
	const unsigned char *bytes = arch_vector_bytes(ucontext);

	for (int i = 0; i < ARCH_VECTORS; i++) {
		to[i] = 0;
		if (bytes)
			memcpy(&to[i], bytes + 16 * i, sizeof to[i]);
	}
}

/* ---- HotSpot's frames: frame_aarch64.hpp ----------------------------------------------- */

#define ARCH_METHOD    (-3)
#define ARCH_SENDER_SP (-1)
#define ARCH_BYTECODE  (-9)
#define ARCH_CALL      (-8)

/*
 * [handler] An instruction that old processors ignore removes the signature that
 * -XX:UseBranchProtection adds.
 */
static inline uintptr_t arch_return_address(uintptr_t word)
{
	register uintptr_t x30 __asm__("x30") = word;

	__asm__("hint #7" : "+r"(x30));
	return x30;
}

/* [handler] A frame is the caller's x29, and the address to return to; a leaf has that in x30. */
static inline bool arch_pop_stub(void *ucontext, bool has_frame, uintptr_t high)
{
	mcontext_t *c = &((ucontext_t *)ucontext)->uc_mcontext;
	uintptr_t frame = c->regs[CONTEXT_FRAME];

	if (!has_frame) {
		c->pc = arch_return_address(c->regs[CONTEXT_LINK]) - 1;
		return true;
	}
	if (frame % sizeof frame || frame < c->sp || frame >= high ||
	    high - frame < 2 * sizeof frame)
		return false;
	const uintptr_t *f = (const uintptr_t *)frame;
	c->regs[CONTEXT_FRAME] = f[0];
	c->regs[CONTEXT_LINK] = f[1];
	c->pc = arch_return_address(f[1]) - 1;
	c->sp = frame + 2 * sizeof frame;
	return true;
}

/* [handler] An interpreted caller has it at the end of its room, below the arguments. */
static inline uintptr_t arch_sender_above(uintptr_t sp, uintptr_t fp)
{
	(void)fp;
	return sp;
}

/* ---- traps ----------------------------------------------------------------------------- */

#define ARCH_TRAPS_BEFORE 1

/* [handler] */
static inline uintptr_t arch_trap_end(const void *ucontext)
{
	return arch_pc(ucontext) + INSN_AARCH64_LEN;
}

static inline void arch_touch(volatile uint64_t *watched, _Atomic uint64_t *end)
{
	uint64_t at;

	__asm__ volatile("adr %0, 1f\n\t"
			 "str %0, %1\n\t"
			 "str %0, %2\n"
			 "1:\tnop"
			 : "=&r"(at), "=m"(*end), "=m"(*watched)
			 :
			 : "memory");
}

/* ---- code ------------------------------------------------------------------------------ */

/* [handler] */
static inline bool arch_decode(const uint8_t *code, size_t len, struct insn *insn)
{
	return insn_aarch64_decode(code, len, insn);
}

/* ---- time ------------------------------------------------------------------------------ */

/* [handler] */
static inline uint64_t arch_counter(void)
{
	uint64_t count;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
	return count;
}

/* [handler] */
static inline void arch_pause(void)
{
	__asm__ volatile("yield");
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* processor.h - the inline part of arch.h for x86-64. */
#ifndef OJX_PROCESSOR_H
#define OJX_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <x86intrin.h>

#include "insn/x86_64/insn_x86_64.h"

#define ARCH_REGISTERS	   INSN_X86_64_REGISTERS
#define ARCH_VECTORS	   16
#define ARCH_INSN_LONGEST  INSN_X86_64_LONGEST
#define ARCH_STACK_POINTER 4  /* rsp */
#define ARCH_THREAD	   15 /* r15 */
#define ARCH_HEAP_BASE	   12 /* r12 */

/* ---- the context of a signal ----------------------------------------------------------- */

/*
 * The order that the kernel's ABI gives the registers. The C library has names for it only where
 * _GNU_SOURCE is defined; context.c compares.
 */
enum arch_context {
	CONTEXT_R8,
	CONTEXT_R9,
	CONTEXT_R10,
	CONTEXT_R11,
	CONTEXT_R12,
	CONTEXT_R13,
	CONTEXT_R14,
	CONTEXT_R15,
	CONTEXT_RDI,
	CONTEXT_RSI,
	CONTEXT_RBP,
	CONTEXT_RBX,
	CONTEXT_RDX,
	CONTEXT_RAX,
	CONTEXT_RCX,
	CONTEXT_RSP,
	CONTEXT_RIP
};

/* [handler] */
static inline const greg_t *arch_gregs(const void *ucontext)
{
	return ((const ucontext_t *)ucontext)->uc_mcontext.gregs;
}

/* [handler] */
static inline uintptr_t arch_pc(const void *ucontext)
{
	return (uintptr_t)arch_gregs(ucontext)[CONTEXT_RIP];
}

/* [handler] */
static inline uintptr_t arch_sp(const void *ucontext)
{
	return (uintptr_t)arch_gregs(ucontext)[CONTEXT_RSP];
}

/* [handler] */
static inline uintptr_t arch_fp(const void *ucontext)
{
	return (uintptr_t)arch_gregs(ucontext)[CONTEXT_RBP];
}

/* [handler] */
static inline void arch_set_pc(void *ucontext, uintptr_t pc)
{
	((ucontext_t *)ucontext)->uc_mcontext.gregs[CONTEXT_RIP] = (greg_t)pc;
}

/* [handler] */
static inline uintptr_t arch_bytecode(const void *ucontext)
{
	return (uintptr_t)arch_gregs(ucontext)[CONTEXT_R13];
}

/* [handler] */
static inline void arch_registers(const void *ucontext, uint64_t to[ARCH_REGISTERS])
{
	static const int by_encoding[ARCH_REGISTERS] = {
		CONTEXT_RAX, CONTEXT_RCX, CONTEXT_RDX, CONTEXT_RBX, CONTEXT_RSP, CONTEXT_RBP,
		CONTEXT_RSI, CONTEXT_RDI, CONTEXT_R8,  CONTEXT_R9,  CONTEXT_R10, CONTEXT_R11,
		CONTEXT_R12, CONTEXT_R13, CONTEXT_R14, CONTEXT_R15
	};
	const greg_t *r = arch_gregs(ucontext);

	for (int i = 0; i < ARCH_REGISTERS; i++)
		to[i] = (uint64_t)r[by_encoding[i]];
}

/* [handler] */
static inline void arch_vectors(const void *ucontext, uint64_t to[ARCH_VECTORS])
{
	const struct _libc_fpstate *vectors = ((const ucontext_t *)ucontext)->uc_mcontext.fpregs;

	for (int i = 0; i < ARCH_VECTORS; i++)
		memcpy(&to[i], &vectors->_xmm[i], sizeof to[i]);
}

/* ---- HotSpot's frames: frame_x86.hpp --------------------------------------------------- */

#define ARCH_METHOD    (-3)
#define ARCH_SENDER_SP (-1)
#define ARCH_BYTECODE  (-8)
#define ARCH_CALL      (-6)

/* [handler] The return address is the last word of the frame; before it is the caller's rbp. */
static inline bool arch_pop_stub(void *ucontext, bool has_frame, uintptr_t high)
{
	greg_t *r = ((ucontext_t *)ucontext)->uc_mcontext.gregs;
	uintptr_t sp = (uintptr_t)r[CONTEXT_RSP];
	uintptr_t frame = has_frame ? (uintptr_t)r[CONTEXT_RBP] : sp;
	size_t words = has_frame ? 2 : 1;

	if (frame % sizeof frame || frame < sp || frame >= high ||
	    high - frame < words * sizeof frame)
		return false;
	const uintptr_t *f = (const uintptr_t *)frame;
	if (has_frame)
		r[CONTEXT_RBP] = (greg_t)f[0];
	r[CONTEXT_RIP] = (greg_t)f[words - 1] - 1;
	r[CONTEXT_RSP] = (greg_t)(frame + words * sizeof frame);
	return true;
}

/* [handler] */
static inline uintptr_t arch_return_address(uintptr_t word)
{
	return word;
}

/* [handler] */
static inline uintptr_t arch_sender_above(uintptr_t sp, uintptr_t fp)
{
	(void)sp;
	return fp;
}

/* ---- traps ----------------------------------------------------------------------------- */

#define ARCH_TRAPS_BEFORE 0

/* [handler] A debug register traps after the access, and reports the next instruction. */
static inline uintptr_t arch_trap_end(const void *ucontext)
{
	return arch_pc(ucontext);
}

static inline void arch_touch(volatile uint64_t *watched, _Atomic uint64_t *end)
{
	uint64_t ip;

	__asm__ volatile("lea 1f(%%rip), %0\n\t"
			 "mov %0, %1\n\t"
			 "addq $1, %2\n"
			 "1:\tnop"
			 : "=&r"(ip), "=m"(*end), "+m"(*watched)
			 :
			 : "cc", "memory");
}

/* ---- code ------------------------------------------------------------------------------ */

/* [handler] */
static inline bool arch_decode(const uint8_t *code, size_t len, struct insn *insn)
{
	return insn_x86_64_decode(code, len, insn);
}

/* ---- time ------------------------------------------------------------------------------ */

/* [handler] */
static inline uint64_t arch_counter(void)
{
	return __rdtsc();
}

/* [handler] */
static inline void arch_pause(void)
{
	__builtin_ia32_pause();
}

#endif

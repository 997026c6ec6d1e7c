/* SPDX-License-Identifier: Apache-2.0 */
/* processor.h - the inline part of arch.h for x86-64. */
#ifndef OJX_PROCESSOR_H
#define OJX_PROCESSOR_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* the C library's names of registers: a file defines it before all headers */
#endif
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <x86intrin.h>

#define ARCH_REGISTERS 16
#define ARCH_VECTORS   16

/* ---- the context of a signal ----------------------------------------------------------- */

/* [handler] */
static inline const greg_t *arch_gregs(const void *ucontext)
{
	return ((const ucontext_t *)ucontext)->uc_mcontext.gregs;
}

/* [handler] */
static inline uintptr_t arch_pc(const void *ucontext)
{
	return (uintptr_t)arch_gregs(ucontext)[REG_RIP];
}

/* [handler] */
static inline uintptr_t arch_sp(const void *ucontext)
{
	return (uintptr_t)arch_gregs(ucontext)[REG_RSP];
}

/* [handler] */
static inline uintptr_t arch_fp(const void *ucontext)
{
	return (uintptr_t)arch_gregs(ucontext)[REG_RBP];
}

/* [handler] */
static inline void arch_set_pc(void *ucontext, uintptr_t pc)
{
	((ucontext_t *)ucontext)->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
}

/* [handler] */
static inline uintptr_t arch_bytecode(const void *ucontext)
{
	return (uintptr_t)arch_gregs(ucontext)[REG_R13];
}

/* [handler] */
static inline void arch_registers(const void *ucontext, uint64_t to[ARCH_REGISTERS])
{
	static const int by_encoding[ARCH_REGISTERS] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX,
							 REG_RSP, REG_RBP, REG_RSI, REG_RDI,
							 REG_R8,  REG_R9,  REG_R10, REG_R11,
							 REG_R12, REG_R13, REG_R14, REG_R15 };
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
	uintptr_t sp = (uintptr_t)r[REG_RSP];
	uintptr_t frame = has_frame ? (uintptr_t)r[REG_RBP] : sp;
	size_t words = has_frame ? 2 : 1;

	if (frame % sizeof frame || frame < sp || frame >= high ||
	    high - frame < words * sizeof frame)
		return false;
	const uintptr_t *f = (const uintptr_t *)frame;
	if (has_frame)
		r[REG_RBP] = (greg_t)f[0];
	r[REG_RIP] = (greg_t)f[words - 1] - 1;
	r[REG_RSP] = (greg_t)(frame + words * sizeof frame);
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

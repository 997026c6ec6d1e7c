/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arch.h - what a processor must provide to the agent.
 *
 * A processor is a folder here with the name that `uname -m` has for it. The Makefile takes that
 * of the machine. Its processor.h defines what is declared below: inline, since handlers use it at
 * each trap and each frame. Its other files define what is not inline. Nothing else in the agent
 * names a register or has an instruction of a processor (test/house.py).
 *
 * Of any processor the agent expects: 64 bits, little-endian, and atomic operations on 64 bits that
 * take no lock, since handlers use them. The order of accesses is stated at each atomic operation.
 */
#ifndef OJX_ARCH_H
#define OJX_ARCH_H

#include "processor.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "insn/insn.h"

_Static_assert(sizeof(void *) == 8 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "see above");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "an atomic operation may take a lock");

/* ---- the context of a signal, a ucontext_t */

/* [handler] */
static inline uintptr_t arch_pc(const void *ucontext);
static inline uintptr_t arch_sp(const void *ucontext);
static inline uintptr_t arch_fp(const void *ucontext); /* the frame pointer */
static inline void arch_set_pc(void *ucontext, uintptr_t pc);

/* [handler] Where the interpreter is in the bytecodes, if it was interrupted. */
static inline uintptr_t arch_bytecode(const void *ucontext);

/* [handler] The ARCH_REGISTERS general registers, in the order of the encoding. */
static inline void arch_registers(const void *ucontext, uint64_t to[ARCH_REGISTERS]);

/* [handler] The lowest 8 bytes of the first ARCH_VECTORS vector registers. */
static inline void arch_vectors(const void *ucontext, uint64_t to[ARCH_VECTORS]);

/*
 * ---- HotSpot's frames. Their layout is that of frame_NAME.hpp. ARCH_METHOD, ARCH_SENDER_SP and
 * ARCH_BYTECODE are words from the frame pointer of an interpreted frame, ARCH_CALL is one from
 * that of an entry frame.
 */

/*
 * [handler] Pops the frame of a stub, which has set up a frame pointer (`has_frame`) or nothing but
 * a return address. Then the program counter lies in the instruction that called the stub. Reads
 * the stack below `high`. False if the frame cannot be there.
 */
static inline bool arch_pop_stub(void *ucontext, bool has_frame, uintptr_t high);

/* [handler] The address to return to, of the word that a frame has for it. */
static inline uintptr_t arch_return_address(uintptr_t word);

/* [handler] The stack pointer of an interpreted frame's caller is greater than this. */
static inline uintptr_t arch_sender_above(uintptr_t sp, uintptr_t fp);

/* ---- traps of watches
 *
 * ARCH_TRAPS_BEFORE: whether a trap comes before its access, not after it. Then an access that was
 * let pass traps again (perf/trap.c).
 */

/* [handler] The address behind the instruction whose access has trapped. */
static inline uintptr_t arch_trap_end(const void *ucontext);

/* Writes to `watched` in one instruction. First sets *end to the address behind that. */
static inline void arch_touch(volatile uint64_t *watched, _Atomic uint64_t *end);

/* ---- code ----
 *
 * ARCH_STACK_POINTER, ARCH_THREAD and ARCH_HEAP_BASE are numbers of registers. Compiled code and
 * the interpreter have the thread in the second, and in the third the base of the heap, if
 * compressed references have one.
 */

/* [handler] Reads one instruction. False, and insn->len is 0, if it is not understood. */
static inline bool arch_decode(const uint8_t *code, size_t len, struct insn *insn);

/* ---- time */

/* [handler] A counter that costs less than a system call. */
static inline uint64_t arch_counter(void);

/* Whether it has a constant speed, and the program may read it. */
bool arch_counter_constant(void);

/* [handler] Waits for a moment in a loop that waits for another thread. */
static inline void arch_pause(void);

#endif

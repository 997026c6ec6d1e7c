/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ahead.h - which memory an interrupted thread is about to touch.
 *
 * From the interrupted instruction on, the code is decoded once, by the service thread, as if
 * conditional jumps were taken backwards and not forwards; what comes first of loads and of stores,
 * with addresses that are sums of registers as they are now, is the answer. The registers at the
 * interrupt give the address: nothing has been executed yet, so that it is exact if that code runs.
 */
#ifndef OJX_AHEAD_H
#define OJX_AHEAD_H

#include "code/ahead_access.h"
#include "code/codetable.h"
#include "code/decode.h"
#include "insn/insn.h"

#define AHEAD_WORDS 128 /* of the frame, that addresses may rest on */

/* What an interrupted thread had in its registers, and at the end of its stack. */
struct ahead_state {
	uint64_t ip;
	uint64_t registers[INSN_REGISTERS];
	const uint64_t *frame; /* what the stack pointer points to */
	uint32_t words;	       /* that may be read there, AHEAD_WORDS at most */
};

/* [handler] Of the calling thread, which the context interrupted in code that can be decoded. */
void ahead_state_of(const void *ucontext, struct ahead_state *to);

/*
 * [handler] What comes next in the code of the context. False where it is not known: the service
 * thread is asked, and will know it when the same place is interrupted again.
 */
bool ahead_find(const void *ucontext, struct ahead *to);

/*
 * Service thread: the same for code at `ip`, `len` bytes of which were saved at an interrupt. False
 * where it is no longer there, or is no code.
 */
bool ahead_learn(uint64_t ip, const uint8_t *bytes, uint32_t len, struct ahead *to);

/* [handler] Saves code that is being executed at `ip`: CODE_BYTES of it, or what is in its page.
 * Returns how many. */
uint8_t ahead_save_code(uint64_t ip, uint8_t bytes[CODE_BYTES]);

/* [handler] The same for code at `ip` that has been run. */
bool ahead_at(uint64_t ip, struct ahead *to);

/*
 * [handler] The one access of the first instruction; NULL where there is none, or several. *kind:
 * in, which of them is meant where that is known; out, which it is.
 */
const struct ahead_access *ahead_first(const struct ahead *ahead, uint8_t *kind);

/* [handler] Whether the address is that of a register and a displacement. */
bool ahead_plain_base(const struct ahead_access *a);

/* [handler] The address it touches; 0 where that rests on a word of the frame which can not be
 * read. */
uintptr_t ahead_address(const struct ahead_state *s, const struct ahead_access *a);

/*
 * [handler] The address without what the instruction adds to reach a field or an element: mostly
 * the object's start. With the base of the heap as base (compressed references), the scaled index
 * with it.
 */
uintptr_t ahead_object(const struct ahead_state *s, const struct ahead_access *a);

/* Service thread: decodes what is waiting. */
void ahead_serve(void);

#endif

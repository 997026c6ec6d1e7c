/* SPDX-License-Identifier: Apache-2.0 */
/*
 * next_access.h - which memory an interrupted thread is about to touch.
 *
 * From the interrupted instruction on, the code is decoded once, by the service thread, as if
 * conditional jumps were taken backwards and not forwards; what comes first of loads and of stores,
 * with addresses that are sums of registers as they are now, is the answer. The registers at the
 * interrupt give the address: nothing has been executed yet, so that it is exact if that code runs.
 */
#ifndef OJX_NEXT_ACCESS_H
#define OJX_NEXT_ACCESS_H

#include "code/codetable.h"
#include "code/decode.h"
#include "code/next_access_operand.h"
#include "insn/insn.h"

#define NEXT_ACCESS_WORDS 128 /* of the frame, that addresses may rest on */

/* What an interrupted thread had in its registers, and at the end of its stack. */
struct next_access_state {
	uint64_t ip;
	uint64_t registers[INSN_REGISTERS];
	const uint64_t *frame; /* what the stack pointer points to */
	uint32_t words;	       /* that may be read there, NEXT_ACCESS_WORDS at most */
};

/* [handler] Of the calling thread, which the context interrupted in code that can be decoded. */
void next_access_state_of(const void *ucontext, struct next_access_state *to);

/*
 * [handler] What comes next in the code of the context. False where it is not known: the service
 * thread is asked, and will know it when the same place is interrupted again.
 */
bool next_access_find(const void *ucontext, struct next_access *to);

/*
 * Service thread: the same for code at `ip`, `len` bytes of which were saved at an interrupt. False
 * where it is no longer there, or is no code.
 */
bool next_access_learn(uint64_t ip, const uint8_t *bytes, uint32_t len, struct next_access *to);

/* [handler] Saves code that is being executed at `ip`: CODE_BYTES of it, or what is in its page.
 * Returns how many. */
uint8_t next_access_save_code(uint64_t ip, uint8_t bytes[CODE_BYTES]);

/* [handler] The same for code at `ip` that has been run. */
bool next_access_at(uint64_t ip, struct next_access *to);

/*
 * [handler] The one access of the first instruction; NULL where there is none, or several. *kind:
 * in, which of them is meant where that is known; out, which it is.
 */
const struct next_access_operand *next_access_first(const struct next_access *ahead, uint8_t *kind);

/* [handler] Whether the address is that of a register and a displacement. */
bool next_access_plain_base(const struct next_access_operand *a);

/* [handler] The address it touches; 0 where that rests on a word of the frame which cannot be
 * read. */
uintptr_t next_access_address(const struct next_access_state *s,
			      const struct next_access_operand *a);

/*
 * [handler] The address without what the instruction adds to reach a field or an element: mostly
 * the object's start. With the base of the heap as base (compressed references), the scaled index
 * with it.
 */
uintptr_t next_access_object(const struct next_access_state *s,
			     const struct next_access_operand *a);

/* Service thread: decodes what is waiting. */
void next_access_serve(void);

#endif

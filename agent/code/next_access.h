/* SPDX-License-Identifier: Apache-2.0 */
/*
 * next_access.h - which memory an interrupted thread is about to access.
 *
 * The service thread decodes the code once, from the interrupted instruction on, as if backward
 * conditional jumps were taken and forward ones were not. The answer is the first loads and stores
 * whose addresses are sums of the current registers. Since nothing has been executed after the
 * interrupt, the address is exact if that code runs.
 */
#ifndef OJX_NEXT_ACCESS_H
#define OJX_NEXT_ACCESS_H

#include "arch/arch.h"
#include "code/codetable.h"
#include "code/decode.h"
#include "code/loop_accesses.h"
#include "code/symbolic_registers.h"
#include "core/part.h"

/* Registers and stack end of an interrupted thread. */
struct next_access_state {
	uint64_t ip;
	uint64_t registers[ARCH_REGISTERS];
	uint64_t vectors[ARCH_VECTORS]; /* their low parts */
	const uint64_t *frame;		/* at the stack pointer */
	uint32_t words;			/* readable words there, at most NEXT_ACCESS_WORDS */
};

/*
 * [handler] Takes the state of the calling thread, which the context interrupted in decodable code.
 */
void next_access_state_of(const void *ucontext, struct next_access_state *to);

/*
 * [handler] The next accesses in the code of the context. False if unknown: then the service thread
 * is asked, and will know it when the same place is interrupted again.
 */
bool next_access_find(const void *ucontext, struct next_access *to);

/*
 * [handler][service thread] All accesses of the loop at `ip`, for an answer that is `in_loop`.
 * `here`: the calling thread is executing that code. False if they are not known any more; then
 * they are asked for.
 */
bool next_access_loop(uint64_t ip, bool here, struct loop_accesses *to);

/*
 * Service thread: the next accesses of code at `ip`, `len` bytes of which were saved at an
 * interrupt. False if the code has changed, or cannot be decoded.
 */
bool next_access_learn(uint64_t ip, const uint8_t *bytes, uint32_t len, struct next_access *to);

/*
 * [handler] Saves the code that is being executed at `ip`: CODE_BYTES of it, or up to the end of
 * its page. Returns the number of bytes.
 */
uint8_t next_access_save_code(uint64_t ip, uint8_t bytes[CODE_BYTES]);

/* [handler] As next_access_find, for code at `ip` that has been executed. */
bool next_access_at(uint64_t ip, struct next_access *to);

/*
 * [handler] The one access of the first instruction; NULL if there is none, or several. *kind: in:
 * the kind, if known; out: the kind.
 */
const struct next_access_operand *next_access_first(const struct next_access *ahead, uint8_t *kind);

/* [handler] Whether the address is a register plus a displacement. */
bool next_access_plain_base(const struct next_access_operand *a);

/*
 * [handler] The address of the access; 0 if it depends on a word of the frame that cannot be read.
 */
uintptr_t next_access_address(const struct next_access_state *s,
			      const struct next_access_operand *a);

/*
 * [handler] The address without the displacement and index of a field or an element: mostly the
 * object's start. If the base is that of the heap (compressed references), includes the scaled
 * index.
 */
uintptr_t next_access_object(const struct next_access_state *s,
			     const struct next_access_operand *a);

/* Decodes the waiting code. */
extern const struct part next_access_part;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decode.h - what an instruction that touched watched memory did: load or store.
 *
 * A debug register traps on both and reports the instruction after. So the code before that is
 * read; see decode_trap.c.
 */
#ifndef OJX_DECODE_H
#define OJX_DECODE_H

#include "core/state.h"
#include "insn/insn.h"

enum access_kind {
	ACCESS_UNKNOWN, /* not understood, or not yet */
	ACCESS_LOAD,
	ACCESS_STORE,
	ACCESS_OTHER, /* both: an update; or what ZGC asks of a field before it is set */
};

/*
 * [handler] Kind of the access that trapped with the context `ucontext` on the `size` bytes (1, 2,
 * 4 or 8, aligned) watched at `address`. ACCESS_UNKNOWN, which is counted: the code before does not
 * say for sure. *len (or NULL): bytes of the accessing instruction, which end where the context
 * stands; 0 where that is not known.
 */
enum access_kind decode_access(const void *ucontext, uintptr_t address, uint32_t size,
			       uint8_t *len);

#define DECODE_WINDOW 64 /* bytes of code before a trap, that are looked at */

/* What is known of a trap. */
struct decode_trap {
	uint64_t ip; /* the instruction after */
	uint64_t registers[INSN_REGISTERS];
	uint64_t address; /* watched; `size` bytes, as above */
	uint32_t size;
	bool readable;	   /* `memory` is known: */
	uint8_t memory[8]; /* the eight bytes, aligned, that the watched ones are among, as they are
			      now */
	uint8_t len;	   /* of the code before ip: */
	uint8_t code[DECODE_WINDOW]; /* the first `len` bytes */
};

/* [handler] The same for what is known of a trap; a function of that alone, which counts nothing.
 */
enum access_kind decode_trap(const struct decode_trap *trap, uint8_t *len);

/* [handler] */
enum access_kind decode_kind(enum insn_kind kind);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decode.h - what an instruction that touched watched memory did: load or store.
 *
 * A debug register traps on both and reports the next instruction. So the code before that is
 * decoded; see decode_trap.c.
 */
#ifndef OJX_DECODE_H
#define OJX_DECODE_H

#include "core/state.h"
#include "insn/insn.h"

enum access_kind {
	ACCESS_UNKNOWN, /* not understood */
	ACCESS_LOAD,
	ACCESS_STORE,
	ACCESS_OTHER, /* both, as in an update; or a ZGC store barrier's test of a field */
};

/*
 * [handler] The kind of the access that trapped with the context `ucontext` on the `size` bytes (1,
 * 2, 4 or 8, aligned) watched at `address`. ACCESS_UNKNOWN, which is counted, if the code before is
 * ambiguous. *len (or NULL): bytes of the accessing instruction, which ends at the context's ip; 0
 * if unknown.
 */
enum access_kind decode_access(const void *ucontext, uintptr_t address, uint32_t size,
			       uint8_t *len);

#define DECODE_WINDOW 64 /* bytes of code before a trap that are decoded */

/* What is known of a trap. */
struct decode_trap {
	uint64_t ip; /* the next instruction */
	uint64_t registers[INSN_REGISTERS];
	uint64_t address; /* watched; `size` bytes, as above */
	uint32_t size;
	bool readable;	   /* `memory` is valid */
	uint8_t memory[8]; /* the eight aligned bytes around the watched ones, as they are now */
	uint8_t len;	   /* bytes of code before ip */
	uint8_t code[DECODE_WINDOW]; /* the first `len` are valid */
};

/* [handler] The same from data about a trap. A pure function; counts nothing. */
enum access_kind decode_trap(const struct decode_trap *trap, uint8_t *len);

/* [handler] */
enum access_kind decode_kind(enum insn_kind kind);

#endif

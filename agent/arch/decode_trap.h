/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decode_trap.h - which access has trapped. The processor's part: how far behind the access a trap
 * comes, and how its instruction is found, differ.
 */
#ifndef OJX_DECODE_TRAP_H
#define OJX_DECODE_TRAP_H

#include "arch/arch.h"

enum access_kind {
	ACCESS_UNKNOWN, /* not understood */
	ACCESS_LOAD,
	ACCESS_STORE,
	ACCESS_OTHER, /* both, as in an update; or a ZGC store barrier's test of a field */
};

#define DECODE_WINDOW 64 /* bytes of code before a trap that are decoded */

/* What is known of a trap. */
struct decode_trap {
	uint64_t ip; /* the program counter */
	uint64_t registers[ARCH_REGISTERS];
	uint64_t address; /* watched; `size` bytes, as above */
	uint32_t size;
	bool readable;	     /* `memory` is valid */
	uint8_t memory[8];   /* the eight aligned bytes around the watched ones, as they are now */
	const uint8_t *here; /* code from ip on, */
	uint8_t here_len;    /* so many bytes */
	uint8_t len;	     /* bytes of code before ip */
	uint8_t code[DECODE_WINDOW]; /* the first `len` are valid */
};

/*
 * [handler] What the instruction that trapped did to the watched bytes, and its length, as in
 * decode_access (code/decode.h). A pure function; counts nothing.
 */
enum access_kind decode_trap(const struct decode_trap *trap, uint8_t *len);

/* [handler] */
enum access_kind decode_kind(enum insn_kind kind);

/* ---- where traps come before the access (ARCH_TRAPS_BEFORE); elsewhere these are never true */

/*
 * [handler] Whether the watch must end for the access to take place at all: an exclusive store
 * fails if there was a trap since the exclusive load.
 */
bool decode_must_end(const void *ucontext);

/*
 * [handler] What `size` bytes (at most 8) at `address` will be after the store that has trapped.
 * False if it is no store of registers.
 */
bool decode_stored(const void *ucontext, uintptr_t address, uint32_t size, uint64_t *value);

#endif

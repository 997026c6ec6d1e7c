/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decode.h - what an instruction that touched watched memory did: load or store.
 *
 * A debug register traps on both and reports the instruction after. Handlers look the address up in a table; what
 * is not in it is put into a queue, with its bytes and registers, for the service thread, which has Capstone.
 */
#ifndef OJX_DECODE_H
#define OJX_DECODE_H

#include "agent.h"

enum access_kind {
	ACCESS_UNKNOWN, /* not decoded yet */
	ACCESS_LOAD,
	ACCESS_STORE,
	ACCESS_OTHER, /* both (an atomic update), or not to be told */
};

/*
 * [handler] Kind of the access that trapped with the context `ucontext` on the `size` bytes watched at
 * `address`. ACCESS_UNKNOWN hands it to the service thread. *len (or NULL): bytes of the accessing instruction,
 * which end where the context stands; 0 where that is not known.
 */
enum access_kind decode_access(const void *ucontext, uintptr_t address, uint32_t size,
			       uint8_t *len);

/* The kind of an access that trapped with the instruction pointer at `ip`, if it has been decoded by now. On any thread. */
enum access_kind decode_known(uint64_t ip, uint8_t *len);

/* Service thread: decodes what is waiting. */
void decode_serve(void);

#endif

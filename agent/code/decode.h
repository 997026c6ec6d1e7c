/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decode.h - what an instruction that touched watched memory did: load or store.
 *
 * A watch traps on both. Which instruction it was is the processor's part (arch/decode_trap.h).
 */
#ifndef OJX_DECODE_H
#define OJX_DECODE_H

#include "arch/decode_trap.h"
#include "core/state.h"

/*
 * [handler] The kind of the access that trapped with the context `ucontext` on the `size` bytes (1,
 * 2, 4 or 8, aligned) watched at `address`. ACCESS_UNKNOWN, which is counted, if the code before is
 * ambiguous. *len (or NULL): bytes of the accessing instruction (arch_trap_end); 0
 * if unknown.
 */
enum access_kind decode_access(const void *ucontext, uintptr_t address, uint32_t size,
			       uint8_t *len);

#endif

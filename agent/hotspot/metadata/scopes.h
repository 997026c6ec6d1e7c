/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scopes.h - the Java frames of a frame of the machine stack. It reads the scopes that a compiler
 * writes for each of its calls. metadata.h numbers the methods.
 *
 * Memory outside the code cache is read through the kernel (peek.h), so that a wrong pointer is no
 * fault; the results are remembered. The outermost scope must be of the compilation's Method.
 */
#ifndef OJX_SCOPES_H
#define OJX_SCOPES_H

#include "hotspot/codeheap.h"
#include "wire/wire.h"

#define SCOPES_MAX 48 /* most frames of one address */

/* To be called once the VM is initialised. False if scopes cannot be read. */
bool scopes_init(void *dl);

/* [handler] The frame of an interpreted method at a bytecode. False if it is not understood. */
bool scopes_interpreted(uintptr_t method, uintptr_t bytecode, struct wire_frame *to);

/*
 * [handler] The frames of compiled code at a return address, innermost first, into to[SCOPES_MAX].
 * Returns their number; 0 if unknown.
 */
uint32_t scopes_compiled(const struct code_at *c, uintptr_t pc, struct wire_frame *to);

/*
 * [handler] The same where the thread was interrupted: the scope after this address, as
 * AsyncGetCallTrace has it. Where there is none, the compilation's method, with bytecode -1.
 */
uint32_t scopes_near(const struct code_at *c, uintptr_t pc, struct wire_frame *to);

#endif

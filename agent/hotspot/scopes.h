/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scopes.h - which Java frames a frame of the machine stands for: jmethodIDs of Methods, and the
 * scopes that a compiler has written for each of its calls.
 *
 * What lies outside of the code cache is read through the kernel (peek.h), so that a wrong pointer
 * is no fault, and remembered. Nothing is trusted that does not fit: an id must lead back to its
 * Method, the outermost scope to that of the compilation.
 */
#ifndef OJX_SCOPES_H
#define OJX_SCOPES_H

#include "hotspot/codeheap.h"
#include "wire/wire.h"

#define SCOPES_MAX 48 /* frames of one address */

/* Once the VM is initialised. `known`: a method of whatever class, to try it on. False where it
 * cannot be done. */
bool scopes_init(void *dl, int jdk, uintptr_t known);

/*
 * The jmethodID of a Method, bit 0 set if it is a native one; 0 where it has none, which asking the
 * VM for a stack gives it, or that is no Method.
 */
uint64_t scopes_method(uintptr_t method);

/* The frame of an interpreted method at a bytecode. False where the method has no id. */
bool scopes_interpreted(uintptr_t method, uintptr_t bytecode, struct wire_frame *to);

/*
 * The frames of compiled code at a return address, innermost first, into to[SCOPES_MAX]; their
 * number, 0 where that cannot be told.
 */
uint32_t scopes_compiled(const struct code_at *c, uintptr_t pc, struct wire_frame *to);

#endif

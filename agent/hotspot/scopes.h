/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scopes.h - the Java frames of a frame of the machine stack. It reads the jmethodIDs of Methods,
 * and the scopes that a compiler writes for each of its calls.
 *
 * Memory outside the code cache is read through the kernel (peek.h), so that a wrong pointer is no
 * fault; the results are remembered. All is cross-checked: an id must lead back to its Method, and
 * the outermost scope must be of the compilation's Method.
 */
#ifndef OJX_SCOPES_H
#define OJX_SCOPES_H

#include "hotspot/codeheap.h"
#include "wire/wire.h"

#define SCOPES_MAX 48 /* most frames of one address */

/*
 * To be called once the VM is initialised. `known`: the jmethodID of any method, for a trial. False
 * if scopes cannot be read.
 */
bool scopes_init(void *dl, int jdk, uintptr_t known);

/*
 * The jmethodID of a Method, with bit 0 set if it is native. 0 if `method` is no Method, or has no
 * id yet; asking the VM for a stack gives it one.
 */
uint64_t scopes_method(uintptr_t method);

/* The frame of an interpreted method at a bytecode. False if the method has no id. */
bool scopes_interpreted(uintptr_t method, uintptr_t bytecode, struct wire_frame *to);

/*
 * The frames of compiled code at a return address, innermost first, into to[SCOPES_MAX]. Returns
 * their number; 0 if unknown.
 */
uint32_t scopes_compiled(const struct code_at *c, uintptr_t pc, struct wire_frame *to);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walk.h - calling contexts in signal handlers. Only walk.c knows how it is done, so that another
 * method can replace it.
 */
#ifndef OJX_WALK_H
#define OJX_WALK_H

#include "core/state.h"

struct thread;
struct vmstructs;

/* Prepares walking. False if something is missing; then walk_stack() always fails. */
bool walk_init(const struct vmstructs *vm, void *dl);

/*
 * [handler] The id (stacks.h) of the stack at a trap; 0 if it could not be walked. The context is
 * that of the instruction after the access, as a debug register reports it. `len`: bytes of the
 * accessing instruction, 0 if unknown.
 */
uint32_t walk_stack(struct thread *t, const void *ucontext, uint8_t len);

#endif

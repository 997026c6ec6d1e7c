/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walk.h - calling contexts in signal handlers. The one place that knows how; another walker can
 * take it over.
 */
#ifndef OJX_WALK_H
#define OJX_WALK_H

#include "core/state.h"

struct thread;
struct vmstructs;

/* Finds what walking needs. False where it is missing; then walk_stack() always fails. */
bool walk_init(const struct vmstructs *vm, void *dl);

/*
 * [handler] The stack at a trap, as an id (stacks.h); 0 where it could not be walked. The context
 * is that of the instruction after the access, as a debug register reports it; `len` are the bytes
 * of the accessing one, 0 where that is not known.
 */
uint32_t walk_stack(struct thread *t, const void *ucontext, uint8_t len);

#endif

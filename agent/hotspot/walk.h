/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walk.h - calling contexts in signal handlers. Only walk.c knows how it is done, so that another
 * method can replace it.
 */
#ifndef OJX_WALK_H
#define OJX_WALK_H

#include "core/part.h"

struct thread;

/* Prepares walking. If something is missing, walk_stack() always fails. */
extern const struct part walk_part;

/*
 * [handler] The id (stacks.h) of the stack of an interrupted thread at an instruction; 0 if it
 * could not be walked. `at` is the address of the instruction, or lies in it.
 */
uint32_t walk_stack(struct thread *t, const void *ucontext, uintptr_t at);

/*
 * [handler] An address in the instruction that ends at `end`: its own, if its length is known (not
 * 0). The VM notes bytecode positions and inlined frames at the start of the last instruction that
 * they hold for. One byte back is at least not the next instruction.
 */
static inline uintptr_t walk_within(uint64_t end, uint8_t len)
{
	return (uintptr_t)end - (len ? len : 1);
}

#endif

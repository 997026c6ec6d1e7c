/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ids.h - jmethodIDs that the VM makes because of the agent. It never frees them, so they are few:
 *
 *  - GetStackTrace makes those of the methods on the stack.
 *  - AsyncGetCallTrace makes none, and does not tell methods without one. The agent finds these by
 *    its own walk (javastack.h). Where it cannot, as in virtual threads, whose frames may lie in
 *    the heap, all classes get their ids, and those that are loaded later up to a bound.
 */
#ifndef OJX_IDS_H
#define OJX_IDS_H

#include "core/part.h"

/* After those that settle whether handlers walk stacks, and whether metadata is known. */
extern const struct part ids_part;

/*
 * [handler] AsyncGetCallTrace has told `n` frames, of which `unknown` stay so; `carrier`: of a
 * virtual thread.
 */
void ids_missed(uint32_t unknown, uint32_t n, bool carrier);

/* Whether the VM may be asked for a stack. */
bool ids_may_ask(void);

/* Counts the ids of a stack from the VM. */
void ids_count(const jvmtiFrameInfo *frames, uint32_t n);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trap.h - the traps of watched registers.
 */
#ifndef OJX_TRAP_H
#define OJX_TRAP_H

#include "core/state.h"
#include "perf/slot.h"

/*
 * Tries a trap on the calling thread. Returns 0 or an errno: that of perf_event_open, or EIO if
 * traps do not come, or not directly after their instruction. Measures the cost of a trap.
 */
int trap_init(void);

/*
 * [handler] Handles a signal of a debug register of the calling thread. `context` NULL: the stack
 * has too little room to evaluate it.
 */
void trap_hit(struct thread *t, struct watch_slot *slot, const void *context);

/* [handler] The cost of a trap outside the handler, ns. */
uint64_t trap_kernel_ns(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trap.h - the traps of watched registers.
 */
#ifndef OJX_TRAP_H
#define OJX_TRAP_H

#include "core/state.h"
#include "perf/slot.h"

/*
 * Tries a trap on the calling thread. 0, or an errno that says what failed: that of
 * perf_event_open, or EIO where traps do not come, or not right behind their instruction. Measures
 * what a trap costs.
 */
int trap_init(void);

/*
 * [handler] A signal of a register of the calling thread has come. `context` NULL: there is no room
 * to look at it.
 */
void trap_hit(struct thread *t, struct watch_slot *slot, const void *context);

/* [handler] What a trap takes outside of the handler, ns. */
uint64_t trap_kernel_ns(void);

#endif

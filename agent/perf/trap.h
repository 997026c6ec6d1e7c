/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trap.h - what a watch's register saw.
 */
#ifndef OJX_TRAP_H
#define OJX_TRAP_H

#include "core/state.h"
#include "perf/slots.h"

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

/*
 * [handler] Takes an armed slot, unless it has been armed anew since that generation; its register
 * is freed.
 */
bool trap_take(struct watch_slot *slot, uint32_t generation);

/*
 * [handler] Two slots may watch one object for two threads; the first whose use is claimed counts.
 * True for it.
 */
bool trap_claim(uint32_t claim);

/* A number for an object that several slots will watch. */
uint32_t trap_new_claim(void);

#endif

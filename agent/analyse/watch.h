/* SPDX-License-Identifier: Apache-2.0 */
/* watch.h - debug registers on sampled objects, to observe their first use. */
#ifndef OJX_WATCH_H
#define OJX_WATCH_H

#include "analyse/watch_trap.h"

struct link_ring;
struct thread;
struct watch_slot;

extern struct slot_user watch_user; /* to be added to slots.h */

/*
 * [handler] Arms a watch on a slot that the caller holds BUSY. On failure the slot is IDLE again.
 */
bool watch_arm(struct watch_slot *slot, struct thread *on, const struct watch *w);

/*
 * Whether debug registers can be opened; a note tells why not. To be called before anything is set
 * up for them.
 */
bool watch_allowed(void);

/* Tries the debug registers. False, with a note, if they do not work. */
bool watch_init(void);

/*
 * An object was sampled on this thread. Arms a watch on it if it is its context's turn, the budget
 * allows it and a slot is available. `object` was its address in `epoch`; `ref` tells whether it is
 * followed; `ticket` is the one of its pending object.
 */
void watch_consider(struct thread *t, uintptr_t object, uint64_t epoch, const struct klass *k,
		    const struct wire_alloc *alloc, struct follow_ref ref, uint32_t ticket);

/*
 * Whether signals still reach the agent, and the VM does not crash. If not, ends all watches and
 * samples for good.
 */
bool watch_still_ours(void);

#endif

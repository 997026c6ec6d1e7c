/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.h - debug registers on sampled objects: what their first use finds.
 */
#ifndef OJX_WATCH_H
#define OJX_WATCH_H

#include "analyse/watched.h"

struct link_ring;
struct thread;
struct watch_slot;

extern struct slot_user watch_user; /* to be added to slots.h */

/* [handler] Puts a watch on a slot that the caller holds BUSY; gives the slot back where that
 * fails. */
bool watch_arm(struct watch_slot *slot, struct thread *on, const struct watch *w);

/* Whether debug registers can be opened; a note tells why not. Before anything is set up for them.
 */
bool watch_allowed(void);

/* Tries the debug registers for real. False (with a note why) where they cannot be had. */
bool watch_init(void);

/*
 * An object was sampled on this thread; arms a watch on it if it is its context's turn, the budget
 * allows and a slot is to be had. `object` was its address in `epoch`; `ref` tells whether it is
 * followed; `ticket` is what it is tracked by.
 */
void watch_consider(struct thread *t, uintptr_t object, uint64_t epoch, const struct klass *k,
		    const struct wire_alloc *alloc, struct follow_ref ref, uint32_t ticket);

/* Whether signals still come to us, and the VM does not crash. Where not, ends all watches and
 * samples for good. */
bool watch_still_ours(void);

#endif

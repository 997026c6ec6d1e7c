/* SPDX-License-Identifier: Apache-2.0 */
/* watch.h - debug registers on sampled objects, to observe their first use. */
#ifndef OJX_WATCH_H
#define OJX_WATCH_H

#include "analyse/watch_trap.h"
#include "core/part.h"

struct thread;
struct watch_slot;

/* Which objects are watched, and whether anything is: by its start that is settled. */
extern const struct part watch_part;

extern struct slot_user watch_user;

/*
 * [handler] Arms a watch on a slot that the caller holds BUSY. On failure the slot is IDLE again.
 */
bool watch_arm(struct watch_slot *slot, struct thread *on, const struct watch *w);

#endif

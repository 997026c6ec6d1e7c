/* SPDX-License-Identifier: Apache-2.0 */
/* watch_trap.h - evaluates the traps of watches. */
#ifndef OJX_WATCH_TRAP_H
#define OJX_WATCH_TRAP_H

#include "perf/slot.h"

/* [handler] See struct slot_user. */
void watch_trapped(struct thread *t, struct watch_slot *slot, void *own, uint32_t generation,
		   const void *context);

/*
 * [handler] Several slots may watch one object for several threads. True for the first caller that
 * claims its use.
 */
bool watch_claim(uint32_t claim);

/* A number for an object that several slots watch. */
uint32_t watch_new_claim(void);

#endif

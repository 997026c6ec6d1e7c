/* SPDX-License-Identifier: Apache-2.0 */
/* slots.h - the four slots of each thread, one for each debug register: taken, armed, swept. */
#ifndef OJX_SLOTS_H
#define OJX_SLOTS_H

#include "perf/slot.h"

/* Adds a user, before the first thread_self. */
void slots_add_user(struct slot_user *user);

/* Creates the slots of a thread: CLOSED, without registers. False when out of memory. */
bool slots_create(struct thread *t);

/* A thread begins or ends. On that thread. */
void slots_begin(struct thread *t);
void slots_end(struct thread *t);

/*
 * [handler] A slot of the calling thread for a new watch, held BUSY; NULL if there is none. If all
 * are armed, reservoir sampling decides (JXPerf section 5.2): each of the candidates since then has
 * the same chance to be on a register.
 *
 * `in_handler`: this is, or may be, a handler that interrupted Java code. Then it harvests only
 * slots whose user permits that. If it needs the register of another user's watch, it ends that
 * watch; the register is free after the service thread's harvest.
 */
struct watch_slot *slots_for(struct thread *t, bool in_handler);

/*
 * [handler] Arms a BUSY slot, whose user, watch and own data are filled in: it traps on `len` bytes
 * at `address` in thread `on`. On failure, or if the recording has just ended, the slot is IDLE
 * again.
 */
bool slot_arm(struct watch_slot *slot, struct thread *on, uintptr_t address, uint32_t len,
	      bool stores_only);

/* Service thread: harvests what fired or waited too long on all threads. */
void slots_sweep(struct thread *service);

/* [handler] Disarms all slots of a thread. */
void slots_stop(struct thread *t);

/* [handler] After slots_stop: closes its perf events, except for slots that somebody holds. */
void slots_close(struct thread *t);

#endif

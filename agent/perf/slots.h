/* SPDX-License-Identifier: Apache-2.0 */
/* slots.h - four slots for each thread, one for each debug register: taken, armed, swept. */
#ifndef OJX_SLOTS_H
#define OJX_SLOTS_H

#include "perf/slot.h"

/* Adds a user; before the first thread is known. */
void slots_add_user(struct slot_user *user);

/* The slots of a thread that has none yet: CLOSED, without a register. False where memory lacks. */
bool slots_create(struct thread *t);

/* A thread begins or ends. On that thread. */
void slots_begin(struct thread *t);
void slots_end(struct thread *t);

/*
 * A slot of the calling thread for a new watch, held BUSY; NULL where none is to be had. All armed:
 * reservoir sampling (JXPerf section 5.2) - of the candidates that came since then, each has the
 * same chance to be on one of the registers.
 *
 * `in_handler`: it may be one, that interrupted Java code: then results of those users alone are
 * harvested that permit it. A watch of another user is ended where its register is wanted, and the
 * register is free for whoever comes after the service thread.
 */
struct watch_slot *slots_for(struct thread *t, bool in_handler);

/*
 * [handler] Has a BUSY slot, whose user, watch and own data are filled in, trap on `len` bytes at
 * `address` in thread `on`; gives it back where that fails, or where the recording has just ended.
 */
bool slot_arm(struct watch_slot *slot, struct thread *on, uintptr_t address, uint32_t len,
	      bool stores_only);

/* Service thread: collects what fired or waited too long on all threads. */
void slots_sweep(struct thread *service);

/* No more traps of a thread: its slots are disarmed. */
void slots_stop(struct thread *t);

/* After that: closes its perf events, but for those of slots that are held by somebody. */
void slots_close(struct thread *t);

#endif

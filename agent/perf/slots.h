/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slots.h - four slots for each thread, one for each debug register, and who uses them for what.
 *
 * A slot belongs to whoever moved it from IDLE, ARMED or FIRED to BUSY by compare-and-swap: the thread itself, another one
 * that hands an object's watch over to it, the service thread that sweeps, or a handler.
 */
#ifndef OJX_SLOTS_H
#define OJX_SLOTS_H

#include "analyse/waste.h"
#include "analyse/watch.h"
#include "core/link.h"
#include "core/state.h"

#define WATCH_SLOTS 4

enum slot_state {
	SLOT_CLOSED, /* the thread is not there */
	SLOT_IDLE,
	SLOT_BUSY,
	SLOT_ARMED,
	SLOT_FIRED, /* `found` or `ended` tell what came of it; to be harvested */
};

enum slot_purpose {
	SLOT_USE,   /* the first use of a sampled object: watch.h */
	SLOT_WASTE, /* the next access to the same bytes: waste.h */
};

struct watch_slot {
	_Atomic uint32_t state;
	uint32_t number;     /* thread index * WATCH_SLOTS + slot */
	uint32_t generation; /* of the arming */
	bool remote;	     /* armed by another thread than its own */
	_Atomic int event;   /* handle of the register's event; -1: not open yet */
	_Atomic uint32_t traps;
	int ended; /* FIRED: -1 as was hoped for, else a wire_unused_reason */
	_Atomic enum slot_purpose purpose;
	struct watch watch; /* epoch, armed_ns and owner whatever the purpose */
	struct watch_found found;
	struct waste waste;
};

/* The slots of a thread that has none yet: CLOSED, without a register. Before anybody else sees them. */
void slots_init(struct watch_slot *slots, uint32_t thread_index);

/* A thread begins or ends. On that thread. */
void slots_begin(struct thread *t);
void slots_end(struct thread *t);

/*
 * A slot of the calling thread for a new watch of that purpose, held BUSY; NULL where none is to be had. All armed:
 * reservoir sampling (JXPerf section 5.2) - of the candidates that came since then, each has the same chance to be on
 * one of the registers.
 *
 * For SLOT_WASTE it may be called in handlers while Java code was running: it writes to the thread's ring then, which
 * only this thread does, but leaves the results of SLOT_USE, whose booking takes a lock, to the service thread. A watch
 * of that purpose is ended where its register is wanted, and the register is free for whoever comes after that.
 */
struct watch_slot *slots_for(struct thread *t, enum slot_purpose purpose);

/* [handler] Moves a slot from a state to BUSY. */
bool slot_take(struct watch_slot *slot, uint32_t from);

/* [handler] Gives a BUSY slot back. */
void slot_release(struct watch_slot *slot);

/*
 * [handler] Has a BUSY slot, whose watch is filled in, trap on `len` bytes at `address` in thread `on`; gives it back
 * where that fails.
 */
bool slot_arm(struct watch_slot *slot, const struct thread *on, uintptr_t address, uint32_t len,
	      bool stores_only);

/* Service thread: collects what fired or waited too long on all threads. */
void slots_sweep(struct thread *service);

/* No more traps from now on: every slot is disarmed. */
void slots_stop(void);

/*
 * After that: closes the perf events of all threads. False where one remains, as its thread is at work on it just now, or for a
 * reason that lasts.
 */
bool slots_close(void);

#endif

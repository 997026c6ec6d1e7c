/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slot.h - a debug register of a thread, and who uses it.
 *
 * A slot belongs to whoever moved it from IDLE, ARMED or FIRED to BUSY by compare-and-swap: the
 * thread itself, another one that hands an object's watch over to it, the service thread that
 * sweeps, or a handler.
 */
#ifndef OJX_SLOT_H
#define OJX_SLOT_H

#include "core/state.h"

#define WATCH_SLOTS 4

struct link_ring;
struct thread;
struct watch_slot;

enum slot_state {
	SLOT_CLOSED, /* the thread is not there */
	SLOT_IDLE,
	SLOT_BUSY,
	SLOT_ARMED,
	SLOT_FIRED, /* `ended` tells what came of it; to be harvested */
};

/* Who watches something, and what becomes of it. */
struct slot_user {
	size_t room;	     /* bytes that it keeps in a slot, see slot_own */
	uint64_t timeout_ns; /* wall time after which a watch is given up */
	bool in_handlers;    /* `harvest` may run in a handler that interrupted Java code */
	/*
	 * [handler] The register has trapped; the slot was armed then, for that generation. `own`:
	 * the user's.
	 */
	void (*trapped)(struct thread *t, struct watch_slot *slot, void *own, uint32_t generation,
			const void *ucontext);
	/*
	 * A BUSY slot whose watch has ended: tells the tool. `on`: whose slot it is; `random`: of
	 * the calling thread.
	 */
	void (*harvest)(struct link_ring *ring, const struct watch_slot *slot,
			const struct thread *on, uint64_t *random);
	unsigned number; /* by slots_add_user */
};
#define SLOT_USERS 4 /* at most */

/* A watch, whoever's it is. */
struct slot_watch {
	uintptr_t address; /* that the register is on; by slot_arm */
	uint64_t epoch;
	uint64_t armed_ns;
	uint64_t armed_cpu_ns; /* CPU time of the thread then */
	uint64_t patience_ns;  /* CPU time that it may take, see deadline.h; 0: no such limit */
	int32_t owner;	       /* tid of the allocating thread */
	uint16_t thread;       /* and its number */
};

struct watch_slot {
	_Atomic uint32_t state;
	uint32_t number;     /* thread index * WATCH_SLOTS + slot */
	uint32_t generation; /* of the arming */
	bool remote;	     /* armed by another thread than its own */
	_Atomic int event;   /* handle of the register's event; -1: not open yet */
	_Atomic uint32_t traps;
	int ended; /* FIRED: -1 as was hoped for, else a wire_unused_reason */
	const struct slot_user *_Atomic user;
	struct slot_watch watch;
	/*
	 * Each user's own: a handler may still be at work on what one has, when the slot is already
	 * another one's.
	 */
	void *own[SLOT_USERS];
};

/* [handler] What a user keeps in a slot: its room, zero at first. */
static inline void *slot_own(const struct watch_slot *slot, const struct slot_user *user)
{
	return slot->own[user->number];
}

/* [handler] Moves a slot from a state to BUSY. */
bool slot_take(struct watch_slot *slot, uint32_t from);

/* [handler] Gives a BUSY slot back. */
void slot_release(struct watch_slot *slot);

/*
 * [handler] Takes an armed slot, unless it has been armed anew since that generation; its register
 * is freed.
 */
bool slot_disarm(struct watch_slot *slot, uint32_t generation);

/* [handler] Ends the arming of a BUSY slot: it is to be harvested. */
void slot_fire(struct watch_slot *slot, int ended);

/* [handler] Both. */
void slot_end(struct watch_slot *slot, uint32_t generation, int ended);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slot.h - a debug register of a thread, and its user.
 *
 * A slot belongs to whoever moved it from IDLE, ARMED or FIRED to BUSY by compare-and-swap: its
 * thread, another thread that watches an object there, the service thread, or a handler.
 */
#ifndef OJX_SLOT_H
#define OJX_SLOT_H

#include "core/state.h"

#define WATCH_SLOTS 4

struct link_ring;
struct thread;
struct watch_slot;

enum slot_state {
	SLOT_CLOSED, /* there is no thread, or it cannot take signals */
	SLOT_IDLE,
	SLOT_BUSY,
	SLOT_ARMED,
	SLOT_FIRED, /* `ended` tells the result; waits for its harvest */
};

/* A user of watches, and what it does with their results. */
struct slot_user {
	size_t room;	     /* bytes that it keeps in a slot, see slot_own */
	uint64_t timeout_ns; /* wall time after which a watch is given up */
	bool in_handlers;    /* `harvest` may run in a handler that interrupted Java code */
	bool any_epoch;	     /* its watches outlive collections */
	/*
	 * [handler] The register has trapped, while the slot was armed for this generation. `own`:
	 * the user's data.
	 */
	void (*trapped)(struct thread *t, struct watch_slot *slot, void *own, uint32_t generation,
			const void *ucontext);
	/*
	 * Reports a BUSY slot whose watch has ended. `on`: the thread of the slot; `random`: of the
	 * calling thread. [handler] if in_handlers.
	 */
	void (*harvest)(struct link_ring *ring, const struct watch_slot *slot,
			const struct thread *on, uint64_t *random);
	/* The slots of a thread that begins can be armed. NULL: it does not care. */
	void (*thread_begins)(struct thread *t);
	unsigned number; /* set by slots_add_user */
};
#define SLOT_USERS 4 /* at most */

/* The part of a watch that all users share. */
struct slot_watch {
	uintptr_t address; /* the watched address; set by slot_arm */
	uint64_t epoch;
	uint64_t armed_ns;
	uint64_t armed_cpu_ns; /* CPU time of the thread then */
	uint64_t patience_ns;  /* CPU time that it may wait, see allowance.h; 0: no limit */
	int32_t owner;	       /* tid of the allocating thread */
	uint16_t thread;       /* number of the allocating thread */
};

struct watch_slot {
	_Atomic uint32_t state;
	uint32_t number;     /* thread index * WATCH_SLOTS + slot */
	uint32_t generation; /* counts armings */
	bool remote;	     /* armed by another thread */
	struct {
		uint32_t generation; /* of the arming; 0: none */
		uint32_t again;	     /* how often it has trapped again */
		uintptr_t pc;
	} passed;	   /* the access that was let pass, where traps come before it */
	_Atomic int event; /* handle of the register's event; -1: not open */
	_Atomic uint32_t traps;
	int ended; /* FIRED: -1: success; otherwise a wire_unused_reason */
	const struct slot_user *_Atomic user;
	struct slot_watch watch;
	/*
	 * Each user has its own data: a handler may still use one user's data when the slot already
	 * belongs to another user.
	 */
	void *own[SLOT_USERS];
};

/* [handler] A user's data in a slot, initially zero. */
static inline void *slot_own(const struct watch_slot *slot, const struct slot_user *user)
{
	return slot->own[user->number];
}

/*
 * [handler] The handle of the register's event. Whoever holds the slot changes it, and the slot's
 * state orders what is done with it.
 */
static inline int slot_event(const struct watch_slot *slot)
{
	return atomic_load_explicit(&slot->event, memory_order_relaxed);
}

/* [handler] Acquire: the user's data in the slot was made before. */
static inline const struct slot_user *slot_user(const struct watch_slot *slot)
{
	return atomic_load_explicit(&slot->user, memory_order_acquire);
}

/* [handler] Moves a slot from a state to BUSY. */
bool slot_take(struct watch_slot *slot, uint32_t from);

/* [handler] Gives back a BUSY slot, which becomes IDLE. */
void slot_release(struct watch_slot *slot);

/*
 * [handler] Takes an armed slot and disarms its register, unless it was armed again since this
 * generation.
 */
bool slot_disarm(struct watch_slot *slot, uint32_t generation);

/* [handler] Marks a BUSY slot as FIRED, ready for its harvest. */
void slot_fire(struct watch_slot *slot, int ended);

/* [handler] slot_disarm and slot_fire. */
void slot_end(struct watch_slot *slot, uint32_t generation, int ended);

#endif

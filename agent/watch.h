/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.h - debug registers on sampled objects: what their first use finds.
 *
 * Each thread has four slots, one for each debug register. A slot belongs to whoever moved it from IDLE, ARMED or
 * FIRED to BUSY by compare-and-swap: the thread itself, another one that hands an object's watch over to it, the
 * service thread that sweeps, or the trap handler.
 */
#ifndef OJX_WATCH_H
#define OJX_WATCH_H

#include "agent.h"
#include "classes.h"
#include "contexts.h"

#define WATCH_SLOTS	 4
#define WATCH_TRAPS	 8	   /* stores or other uses before a watch gives up */
#define WATCH_TIMEOUT_NS 50000000u /* of wall time without a use: it retires, see also deadline.h */

struct thread;

enum slot_state {
	SLOT_CLOSED, /* the thread is not there */
	SLOT_IDLE,
	SLOT_BUSY,
	SLOT_ARMED,
	SLOT_FIRED, /* `found` or `ended` tell what came of it; to be harvested */
};

/* What is watched: one position of one object. */
struct watch {
	uintptr_t object;
	const struct klass *klass;
	struct stratum *stratum;
	uint32_t context;
	uint32_t extent;
	uint64_t epoch;
	uint32_t position;
	uint32_t claim;	      /* index into the table of claims; 0: only one slot watches it */
	uint32_t want_access; /* partner: stack id of its seed's use */
	bool partner;
	struct class_position place;
	double weight;
	uint64_t armed_ns;
	uint64_t armed_cpu_ns; /* CPU time of the thread then */
	uint64_t
		patience_ns; /* CPU time that it may take, see deadline.h; 0: no limit of that kind */
	int32_t owner;	     /* tid of the allocating thread */
};

struct watch_found {
	uint64_t value, content;
	uint32_t access;
	uint16_t flags;
	bool late; /* only a patient watch could see it */
};

struct watch_slot {
	_Atomic uint32_t state;
	uint32_t number;     /* thread index * WATCH_SLOTS + slot */
	uint32_t generation; /* of the arming; in the signal's data */
	int fd;		     /* -1: not open yet */
	_Atomic uint32_t traps;
	int ended; /* FIRED: -1 used, else a wire_unused_reason */
	struct watch watch;
	struct watch_found found;
};

/* Whether debug registers can be opened; a note tells why not. Before anything is set up for them. */
bool watch_allowed(void);

/* Tries the debug registers for real. False (with a note why) where they can not be had. */
bool watch_init(void);

void watch_slots_init(struct watch_slot *slots, uint32_t thread_index);

/* A thread begins or ends. On that thread. */
void watch_thread_begin(struct thread *t);
void watch_thread_end(struct thread *t);

/*
 * An object was sampled on this thread; arms a watch on it if it is its context's turn, the budget allows and
 * a slot is to be had. `object` was its address in `epoch`.
 */
void watch_consider(struct thread *t, uintptr_t object, uint64_t epoch, const struct klass *k,
		    uint32_t context, uint32_t extent, double weight);

/* Service thread: collects what fired or waited too long on all threads. */
void watch_sweep(struct thread *service);

/* Whether the SIGTRAP handler is still ours; ends all watches where not, as a trap would end the process. */
bool watch_still_ours(void);

/* No more traps from now on: every slot is disarmed. */
void watch_stop(void);

/* Adds to what watches may cost, ns; from the governor. */
void watch_grant(uint64_t ns);

/* [handler] Takes away from it what a trap has cost. */
void watch_charge(uint64_t ns);

#endif

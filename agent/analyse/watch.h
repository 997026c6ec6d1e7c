/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.h - debug registers on sampled objects: what their first use finds.
 */
#ifndef OJX_WATCH_H
#define OJX_WATCH_H

#include "core/state.h"
#include "heap/contexts.h"
#include "heap/follow.h"
#include "hotspot/classes.h"

#define WATCH_TRAPS 8 /* stores before a watch gives up */

struct link_ring;
struct thread;
struct watch_slot;

/* What is watched: one position of one object. */
struct watch {
	uintptr_t object;
	const struct klass *klass;
	struct stratum *stratum;
	uint32_t context;
	uint32_t extent;
	uint64_t epoch;
	uint32_t position;
	uint32_t ticket; /* that of the object's look */
	uint32_t claim;	 /* index into the table of claims; 0: only one slot watches it */
	bool partner;
	bool sampled;	       /* a sampled access led to it, see uses.h */
	struct follow_ref ref; /* whose use it is to see */
	struct class_position place;
	double weight;
	uint64_t armed_ns;
	uint64_t armed_cpu_ns; /* CPU time of the thread then */
	uint64_t
		patience_ns; /* CPU time that it may take, see deadline.h; 0: no limit of that kind */
	int32_t owner;	     /* tid of the allocating thread */
	uint16_t thread;     /* and its number */
};

struct watch_found {
	uint64_t value, content;
	uint32_t access;
	uint16_t flags;
	bool late; /* only a patient watch could see it */
};

/* Whether debug registers can be opened; a note tells why not. Before anything is set up for them. */
bool watch_allowed(void);

/* Tries the debug registers for real. False (with a note why) where they can not be had. */
bool watch_init(void);

/*
 * An object was sampled on this thread; arms a watch on it if it is its context's turn, the budget allows and
 * a slot is to be had. `object` was its address in `epoch`; `ref` tells whether it is followed; `ticket` is what it is
 * tracked by.
 */
void watch_consider(struct thread *t, uintptr_t object, uint64_t epoch, const struct klass *k,
		    const struct wire_alloc *alloc, struct follow_ref ref, uint32_t ticket);

/* Whether signals still come to us, and the VM does not crash. Where not, ends all watches and samples for good. */
bool watch_still_ours(void);

/*
 * A slot that the caller holds BUSY and whose watch has ended: tells the tool. Of the slots that watch one
 * object for several threads, only the one that saw the use is told of.
 */
void watch_harvest(struct link_ring *ring, const struct watch_slot *slot, const struct thread *on,
		   uint64_t *random);

/* Adds to what watches may cost, ns; from the governor. */
void watch_grant(uint64_t ns);

/* [handler] Takes away from it what a trap has cost; whether there is some left. */
void watch_charge(uint64_t ns);
bool watch_affordable(void);

#endif

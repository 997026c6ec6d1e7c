/* SPDX-License-Identifier: Apache-2.0 */
/* watch_trap.h - evaluates the traps of watches. */
#ifndef OJX_WATCH_TRAP_H
#define OJX_WATCH_TRAP_H

#include "core/state.h"
#include "heap/contexts.h"
#include "heap/follow.h"
#include "hotspot/metadata/klass.h"
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

/*
 * ---- the watch of a sampled object, for those who arm it (watch.h, uses.h) and those who
 * handle its traps.
 */

struct watch_found {
	uint64_t value, content, deep;
	uint32_t access;
	uint16_t flags;
	bool late; /* only a patient watch could see it */
};

/* A watch on one position of one object. */
struct watch {
	struct slot_watch at;
	uintptr_t object;
	const struct klass *klass;
	struct stratum *stratum;
	uint32_t context;
	uint32_t array_length;
	uint32_t position;
	uint32_t ticket; /* that of the object's snapshot */
	uint32_t claim;	 /* index into the table of claims; 0: only one slot watches the object */
	bool partner;
	bool sampled;	       /* found by a sampled access, see uses.h */
	struct follow_ref ref; /* the followed object */
	struct class_position place;
	double weight;
	struct watch_found found;
};

#endif

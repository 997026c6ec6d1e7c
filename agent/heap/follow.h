/* SPDX-License-Identifier: Apache-2.0 */
/*
 * follow.h - follows sampled objects as long as they live, so that an address leads to its object
 * and to the allocation of the object.
 *
 * A weak global reference tracks each object: the collector updates it, and it keeps nothing alive.
 * Resolving it would keep the object alive until a concurrent collector's next cycle, so the agent
 * does not. It reads the reference's slot instead. With Serial, Parallel and G1 it does so in the
 * pause in which the collector has updated the slot. With Z and Shenandoah the service thread does
 * so after the JVM has compared the reference with null, which updates the slot and keeps nothing
 * alive.
 *
 * Such an address is valid for one epoch. At the beginning of an epoch, the addresses are unknown
 * until they are read again, and look-ups say so.
 *
 * Generational ZGC keeps held objects alive (weak.h). There only objects without references are
 * held, and few bytes of them; others are followed only in the epoch in which they were made.
 *
 * The table is bounded. When it fills up, objects are dropped as if allocations had been sampled
 * more rarely from the beginning; the rest get more weight.
 */
#ifndef OJX_FOLLOW_H
#define OJX_FOLLOW_H

#include "core/part.h"
#include "heap/allocation.h"
#include "hotspot/metadata/classes.h"
#include "hotspot/metadata/layout.h"

/* wire_config.flags with which objects are followed */
#define FOLLOW_FLAGS (WIRE_LOCALITY | WIRE_USES)

/* The object of an address. */
struct followed {
	struct follow_ref ref; /* its claim, taken or not */
	uint32_t context, class_id, array_length;
	uintptr_t start; /* of the object, as Java code now writes the address */
	uint64_t offset; /* from the object's start to the address */
	uint64_t size;	 /* of the object, bytes */
	double weight;	 /* number of objects that it stands for */
	bool taken;	 /* its use has been seen */
	uint64_t born;	 /* epoch in which it was allocated */
	int32_t owner;	 /* tid of the allocating thread */
	uint16_t thread; /* number of the allocating thread */
};

enum follow_found {
	FOLLOW_NONE, /* not in a followed object */
	FOLLOW_FOUND,
	FOLLOW_UNKNOWN, /* the places of followed objects are unknown now */
};

/* Follows the objects that are kept, if they are chosen. Fills in the allocation's `ref`. */
extern const struct part follow_part;

/* [handler] The object with the byte at `address` in `epoch`, which is the current one. */
enum follow_found follow_find(uintptr_t address, uint64_t epoch, struct followed *to);

/*
 * [handler] Counts `times` samples of this object. Returns the number of the first of them among
 * all samples of the object, from 1 on.
 */
uint32_t follow_hit(struct follow_ref ref, uint32_t times);

/*
 * [handler][service thread] Picks a followed object of a class whose use has not been seen,
 * preferably one that has survived a collection. Each is about equally likely. False if none is
 * found soon. `like`: any heap address, as Java code now writes it.
 */
bool follow_pick(uint32_t class_id, uint64_t epoch, uintptr_t like, uint64_t *random,
		 struct followed *to);

/*
 * [handler] Claims the object's use, of which there is only one: two observations of one object
 * would not be independent. True for the first caller, and for objects that are not followed.
 */
bool follow_claim(struct follow_ref ref);

/*
 * ---- the table of followed objects, for those who fill it (follow.c) and those who search it
 * (follow.c). An entry belongs to whoever moves it from FREE or FOLLOWED to BUSY.
 * Handlers read its follow_place. Writers keep this invariant: an address with the current
 * epoch is valid. They clear the address first and set it last.
 */

#define FOLLOW_ENTRIES 16384u
#define FOLLOW_BLOCK   64u /* entries that share bounds; a search skips most blocks */

enum follow_state { FOLLOW_FREE, FOLLOW_BUSY, FOLLOW_FOLLOWED };

struct follow_place {
	/*
	 * seq_cst, both: the service thread sets a place and then looks whether the epoch is over;
	 * the pause ends the epoch and then sets it. The last one must be the pause's.
	 */
	_Atomic uintptr_t at; /* 0: dead, or unknown */
	_Atomic uint64_t epoch;
	uint64_t size;
};

struct follow_entry {
	_Atomic uint32_t state, hits;
	uint32_t context, class_id, array_length, ticket;
	double first;		/* weight as sampled */
	_Atomic double weight;	/* as kept */
	jweak handle;		/* NULL: followed until its epoch ends */
	uint64_t held;		/* bytes that the handle may keep alive, see weak_limit */
	_Atomic uint32_t claim; /* even: its use is free; odd: claimed */
	uint64_t born;		/* epoch */
	int32_t owner;		/* tid of the allocating thread */
	uint16_t thread;	/* number of the allocating thread */
	bool small;		/* below --min-size: followed only for its use */
};

struct follow_block {
	_Atomic uintptr_t low, high;
};

struct follow_table {
	struct follow_place *places;
	struct follow_entry *entries; /* NULL: nothing is followed */
	struct follow_block blocks[FOLLOW_ENTRIES / FOLLOW_BLOCK];
	_Atomic uint32_t used;	   /* all entries ever used are below it */
	_Atomic uint64_t complete; /* epoch in which all places are known */
};

extern struct follow_table follow_table;

/* [handler][pause] */
static inline uint32_t follow_used(void)
{
	return atomic_load_explicit(&follow_table.used, memory_order_acquire);
}

/* [handler][pause] */
static inline uint32_t follow_state(const struct follow_entry *e)
{
	return atomic_load_explicit(&e->state, memory_order_acquire);
}

/* [handler][pause] An address without the bits by which some collectors mark it. */
static inline uintptr_t follow_plain(uintptr_t address)
{
	return layout.ref_shift ? address : address & layout.ref_mask;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object_watch.h - debug registers on a held object, on all threads, until it is used or dies.
 *
 * A register sees eight bytes on one thread. So the same registers are armed on every thread, and
 * an object takes one to four of each thread's: a small object is seen as a whole. Threads that
 * begin meanwhile arm theirs. Any access is a use. The first one ends the watch, so an object that
 * is in use all the time costs a trap or two.
 *
 * The watch outlives collections. In the pause in which its object moves, the registers move along.
 * Only with Serial, Parallel and G1, where nothing moves between pauses.
 *
 * Whoever ends a watch claims it first: a handler (used), the VM thread in a pause (dead, lost), or
 * the service thread. The service thread begins watches and gives their registers back.
 */
#ifndef OJX_OBJECT_WATCH_H
#define OJX_OBJECT_WATCH_H

#include "core/state.h"
#include "perf/slot.h"

#define OBJECT_WATCHES 4 /* at a time */

enum object_watch_state {
	OBJECT_WATCH_FREE,
	OBJECT_WATCH_ARMING,
	OBJECT_WATCH_WATCHING,
	OBJECT_WATCH_CLAIMED, /* about to be ENDED */
	OBJECT_WATCH_ENDED,
};

/* Besides those of enum wire_next_use_outcome: nothing is known. */
#define OBJECT_WATCH_LOST UINT32_MAX

struct object_watch {
	/*
	 * seq_cst, with `used` of threads and what arms a slot: a watch begins and then looks for
	 * threads, a thread begins and then looks for watches; a watch ends and then gives back its
	 * slots, a slot is armed and then looks whether its watch has ended. One sees the other.
	 */
	_Atomic uint32_t state;
	_Atomic uint32_t serial; /* tells its slots from those of earlier watches */
	/* the held object, see lifetimes.h */
	uint32_t entry;
	jweak handle;
	uint64_t birth_ns; /* since the start */
	_Atomic uintptr_t place;
	_Atomic uint64_t epoch;	     /* in which it is there */
	_Atomic uint64_t spoiled_ns; /* from when on not all threads are watched; 0: they are */
	uint32_t nwords, word[WATCH_SLOTS]; /* offsets of the eight bytes that registers see */
	uint64_t start_ns, end_ns;	    /* now_ns */
	uint32_t outcome;
};

extern struct slot_user object_watch_user; /* for slots_add_user */
extern struct object_watch object_watches[OBJECT_WATCHES];

/*
 * Service thread: arms a FREE watch, of which the object and the words are filled in, on all
 * threads. The object was at `place` in `epoch`. False if that is not possible; then the watch is
 * ENDED, too, and tells nothing, whatever its outcome.
 */
bool object_watch_begin(struct object_watch *w, uintptr_t place, uint64_t epoch);

/* [handler][pause] Ends a watch, unless somebody else was faster. */
void object_watch_end(struct object_watch *w, uint32_t outcome);

/*
 * Service thread: gives the registers of an ENDED watch back; then it is FREE. False while a
 * handler holds one.
 */
bool object_watch_release(struct object_watch *w);

/* [pause] A collection begins or is over; `epoch` is the one that begins. */
void object_watch_gc_start(void);
void object_watch_gc_finish(uint64_t epoch);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* scan.h - takes snapshots of whole objects: in GC pauses, between them, and at the end. */
#ifndef OJX_SCAN_H
#define OJX_SCAN_H

#include "core/state.h"

struct link_ring;

/* Allocates its memory. False when out of memory. */
bool scan_init(void);

/*
 * [pause] A GC starts: takes snapshots of objects allocated since the last one, within the budget.
 */
void scan_gc_start(void);

/*
 * Service thread: takes snapshots of objects that are old enough, and sends results to `ring`.
 * `final`: the end is near, take all.
 */
void scan_service(struct link_ring *ring, bool final);

/*
 * Service thread: whether objects come so fast that a pause would have no time for those of the
 * next tenth of a second. scan_hurry then takes their snapshots, with the time that scan_service
 * has left of its allowance.
 */
bool scan_hurries(void);
void scan_hurry(struct link_ring *ring);

/* What scanning has cost the service thread so far. */
struct scan_work {
	uint64_t ns;	  /* CPU time of its own snapshots, and of sending all snapshots */
	uint64_t objects; /* objects with a snapshot, including those of pauses */
};

/* Service thread. */
struct scan_work scan_work(void);

/*
 * Sets the budget until the next call: ns on the service thread, and the share of time in pauses.
 */
void scan_grant(uint64_t service_ns, double pause_share);

#endif

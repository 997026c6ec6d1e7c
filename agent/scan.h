/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.h - looks at whole objects: in GC pauses, between them, and at the end.
 */
#ifndef OJX_SCAN_H
#define OJX_SCAN_H

#include "agent.h"
#include "classes.h"

struct link_ring;

/* Makes room for tracked objects. False where memory lacks. */
bool scan_init(void);

/*
 * Remembers a sampled object, which was at `object` in `epoch`, until a scan reaches it. Called in the
 * allocation callback. `weight`: objects it stands for; `random`: 64 random bits.
 */
void scan_track(uintptr_t object, uint64_t epoch, const struct klass *k, uint32_t context,
		uint32_t extent, double weight, uint64_t random);

/* [pause] A GC starts: looks at what was allocated since the last one, as far as the budget goes. */
void scan_gc_start(void);

/*
 * Service thread: looks at objects that have waited long, sends what was found. `final`: the end is
 * near, look at everything. `ring` receives the results.
 */
void scan_service(struct link_ring *ring, bool final);

/* What scanning may cost until the next call: ns on the service thread, and share of time in pauses. */
void scan_grant(uint64_t service_ns, double pause_share);

#endif

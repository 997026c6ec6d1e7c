/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.h - looks at whole objects: in GC pauses, between them, and at the end.
 */
#ifndef OJX_SCAN_H
#define OJX_SCAN_H

#include "core/state.h"

struct link_ring;

/* Makes room for tracked objects. False where memory lacks. */
bool scan_init(void);

/* [pause] A GC starts: looks at what was allocated since the last one, as far as the budget goes.
 */
void scan_gc_start(void);

/*
 * Service thread: looks at objects that have waited long, sends what was found. `final`: the end is
 * near, look at everything. `ring` receives the results.
 */
void scan_service(struct link_ring *ring, bool final);

/*
 * Service thread: whether objects come in such numbers that a pause would have no time for those of
 * the next tenth of a second; scan_hurry then looks at them, within what scan_service has left of
 * its allowance.
 */
bool scan_hurries(void);
void scan_hurry(struct link_ring *ring);

/* What scanning may cost until the next call: ns on the service thread, and share of time in
 * pauses. */
void scan_grant(uint64_t service_ns, double pause_share);

#endif

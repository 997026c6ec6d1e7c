/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tickcost.h - the cost of a tick of the sampling clock for the interrupted thread.
 *
 * Most of the cost is outside the handler: the timer's interrupt, for which a virtual machine exits
 * to its host more than once, the signal's frame, the return, and cold caches and TLBs. So it is
 * measured at start on a thread that only reads memory: how much longer that takes around a tick
 * that does nothing.
 */
#ifndef OJX_TICKCOST_H
#define OJX_TICKCOST_H

#include "core/state.h"

/*
 * Service thread, with the handler installed; takes some milliseconds. `perf`: measure timers of
 * perf_event_open.
 */
void tickcost_measure(bool perf);

/* [handler] The cost outside the handler, ns; 0: not measured. */
uint64_t tickcost_ns(void);

/* [handler] Adds the total cost of a tick, ns. */
void tickcost_add(uint64_t ns);

/* The sum of these, ns. */
uint64_t tickcost_spent(void);

#endif

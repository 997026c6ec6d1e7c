/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tickcost.h - what a tick of the sampling clock costs the thread that it interrupts.
 *
 * Most of it is no part of the handler: the timer's interrupt, which on a virtual machine leaves it
 * more than once, the signal's frame, the way back, and caches and page translations that are no
 * longer the thread's. So it is measured at the start, on a thread that does nothing but read
 * memory: how much longer that takes around a tick that does nothing.
 */
#ifndef OJX_TICKCOST_H
#define OJX_TICKCOST_H

#include "core/state.h"

/* On the service thread, whose handler is there: some milliseconds. `perf`: by the timers of
 * perf_event_open. */
void tickcost_measure(bool perf);

/* [handler] Outside of the handler, ns; 0: not measured. */
uint64_t tickcost_ns(void);

/* [handler] Adds what a tick cost in all, ns. */
void tickcost_add(uint64_t ns);

/* The sum of it, ns. */
uint64_t tickcost_spent(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * governor.h - keeps the agent's cost within --budget.
 */
#ifndef OJX_GOVERNOR_H
#define OJX_GOVERNOR_H

#include "core/state.h"

/*
 * At the beginning of the recording. What a JVM that runs already has used until then is no part of
 * the CPU time of which the budget is a share.
 */
void governor_begin(void);

/*
 * At the end of the beginning, on the same thread; and at the end, with the CPU time of this thread
 * before its last work: what both cost is told.
 */
void governor_begun(void);
void governor_end(uint64_t since_cpu_ns);

/* Sets the first rates. On a thread attached to the VM. */
void governor_start(void);

/* Updates the process's clocks in the shared memory. On any thread. */
void governor_measure(void);

/*
 * Compares the cost since the last call with the budget and sets the rates. Service thread; takes
 * some microseconds.
 */
void governor_tick(void);

/* How long the service thread may sleep until the next tick, ms. */
int governor_pause(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * governor.h - keeps the agent's cost within --budget.
 */
#ifndef OJX_GOVERNOR_H
#define OJX_GOVERNOR_H

#include "core/state.h"

/* Sets the first rates. On an attached thread. */
void governor_start(void);

/* Brings the process's clocks in the shared memory up to date. On any thread. */
void governor_measure(void);

/*
 * Looks at what was spent since the last call and sets the rates for the time to come. Service
 * thread, which it costs some microseconds.
 */
void governor_tick(void);

/* How long the service thread may sleep until the next tick, ms. */
int governor_pause(void);

#endif

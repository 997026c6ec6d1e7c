/* SPDX-License-Identifier: Apache-2.0 */
/*
 * callcost.h - measures the cost of allocation callbacks at little cost.
 *
 * Reading a thread's CPU clock is a system call; two of them were a tenth of a callback. The
 * processor's time stamp counter costs next to nothing, but it also counts while the thread is not
 * running. So the clock measures one callback in eight, and the counter measures the others. A
 * callback that seems long by the counter may only have waited: it counts as a usual one. A
 * callback that the clock finds long counts eightfold.
 */
#ifndef OJX_CALLCOST_H
#define OJX_CALLCOST_H

#include "core/state.h"

struct thread;

struct callcost {
	struct thread *t; /* NULL: first callback of the thread */
	uint64_t cycles;
	uint64_t cpu; /* 0: measured by the counter */
};

/* At start: finds out whether the counter is reliable. */
void callcost_init(void);

/* Service thread: measures the length of a cycle, which gets more exact with time. */
void callcost_calibrate(void);

/* A callback begins on the calling thread, and ends. Adds to the status, and to the program's CPU
 * time. The end tells what it was, ns. */
struct callcost callcost_begin(void);
uint64_t callcost_end(const struct callcost *c);

/*
 * The counter now, and the time spent since, ns. If the counter does not tell, that is the usual
 * length of a callback.
 */
uint64_t callcost_mark(void);
uint64_t callcost_since(uint64_t mark);

#endif

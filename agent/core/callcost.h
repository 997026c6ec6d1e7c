/* SPDX-License-Identifier: Apache-2.0 */
/*
 * callcost.h - what allocation callbacks cost, without asking for it each time.
 *
 * A thread's CPU clock is a system call, and read twice it was a tenth of a callback. The
 * processor's time stamp counter costs next to nothing, but goes on while the thread has no
 * processor. So the clock is read for one callback in eight, and the others are told by the
 * counter. A callback that the counter says was long may only have waited: it counts as a usual
 * one, and the one in eight that the clock finds to be long counts for eight.
 */
#ifndef OJX_CALLCOST_H
#define OJX_CALLCOST_H

#include "core/state.h"

struct thread;

struct callcost {
	struct thread *t; /* NULL: the thread's first */
	uint64_t cycles;
	uint64_t cpu; /* 0: by the counter */
};

/* At start: whether the counter can be relied upon. */
void callcost_init(void);

/* Service thread: how long one of its cycles takes, which is known better the longer it runs. */
void callcost_calibrate(void);

/* A callback begins on the calling thread, and ends. Adds to the status, and to the program's CPU
 * time. The end tells what it was, ns. */
struct callcost callcost_begin(void);
uint64_t callcost_end(const struct callcost *c);

/* The counter now, and what was spent since, ns; as much as a callback usually is where the counter
 * does not tell. */
uint64_t callcost_mark(void);
uint64_t callcost_since(uint64_t mark);

#endif

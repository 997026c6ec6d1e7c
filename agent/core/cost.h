/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cost.h - what the agent costs the program: in GC pauses, and in callbacks of allocations; and how
 * long the pauses are.
 */
#ifndef OJX_AGENT_COST_H
#define OJX_AGENT_COST_H

#include <stdbool.h>
#include <stdint.h>

/*
 * ---- how long GC pauses are, and what the agent adds to them, by its CPU time and by the clock.
 * The work of a pause is in two parts, at its start and at its end. All of it is the VM thread's.
 * Between the two the collector works: that time is the pause's own.
 */

/* [pause] Around each part of the work. `last`: the pause's work is over with it. */
void pause_work_begin(void);
void pause_work_end(bool last);

/* [pause] What is left of `ns`, the usual time of some work: less if the processor is short. */
uint64_t pause_allowed(uint64_t ns);

/*
 * ---- how much of its time the agent uses in a GC pause where the processor is short. Whoever
 * works in a pause can lose the processor there, and the pause then lasts until it comes back.
 * That happens the more often, the longer the work is.
 */

#define PAUSE_ROOM_LEAST    0.0625
#define PAUSE_ROOM_GROWTH   1.125
#define PAUSE_ROOM_TAKEN_NS 100000u /* clock readings and page faults of the kernel are shorter */

/* [pause] Whether the processor was taken away during the work: by the clock it took far longer. */
static inline bool pause_room_taken(uint64_t work_ns, uint64_t clock_ns)
{
	return clock_ns > 2 * work_ns && clock_ns - work_ns > PAUSE_ROOM_TAKEN_NS;
}

/*
 * [pause] The share of the usual time that the next pause may take, PAUSE_ROOM_LEAST..1, after one
 * in which the share was `room`, and the work took so much CPU time and so much time by the clock.
 */
static inline double pause_room(double room, uint64_t work_ns, uint64_t clock_ns)
{
	double next = pause_room_taken(work_ns, clock_ns) ? room / 2 : room * PAUSE_ROOM_GROWTH;

	return next < PAUSE_ROOM_LEAST ? PAUSE_ROOM_LEAST : next > 1 ? 1 : next;
}

/*
 * ---- measures the cost of allocation callbacks at little cost.
 *
 * Reading a thread's CPU clock is a system call; two of them were a tenth of a callback. The
 * processor's time stamp counter costs next to nothing, but it also counts while the thread is not
 * running. So the clock measures one callback in eight, and the counter measures the others. A
 * callback that seems long by the counter may only have waited: it counts as a usual one. A
 * callback that the clock finds long counts eightfold.
 */

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

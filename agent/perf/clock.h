/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock.h - the sampler for machines without a PMU. A timer on each thread's CPU time interrupts
 * the thread; the sample is its next access (next_access.h).
 *
 * It samples time, not accesses: of two loops the slower one gets more samples. Within a loop the
 * sample is drawn from all accesses of the body (loop_accesses.h). Elsewhere it is the next access,
 * and accesses after a slow instruction get more samples. The period is drawn anew every few ticks,
 * between half and one and a half times the requested one, so that it does not fall into step with
 * the program. If the user requests no rate, the governor multiplies the period as the budget
 * requires; each sample then represents those that are left out.
 */
#ifndef OJX_CLOCK_H
#define OJX_CLOCK_H

#include "code/next_access.h"
#include "perf/access.h"

/*
 * At start. Uses perf's timers, whose signals never interrupt a system call. A thread that cannot
 * have one gets a POSIX timer.
 */
void clock_init(void);

/* Service thread: measures the cost of a tick. */
void clock_measure(void);

/* [handler] Whether the governor may lower the clock's rate. */
bool clock_governed(void);

/*
 * [handler] The factor of the period, 1..WIRE_LEFT_OUT + 1. A change takes effect in each
 * thread with its next tick.
 */
uint32_t clock_times(void);
void clock_set_times(uint32_t times);

/* See struct sampler. */
int clock_open(struct thread *t, uint32_t event);
void clock_start(uint32_t event, int timer);
void clock_stop(int timer);
void clock_close(struct thread *t, uint32_t event, int timer);

/* [handler] See struct sampler. */
unsigned clock_find(struct thread *t, uint32_t event, const void *ucontext,
		    struct access to[SAMPLER_ACCESSES]);

/*
 * [handler][service thread] Chooses a load and a store in the heap from the next accesses, given
 * the registers in `s`: drawn from those of the loop, or the first ones. `here`: the calling thread
 * is interrupted there. Returns their number, or SAMPLER_NOT_DECODED.
 */
unsigned clock_choose(const struct next_access_state *s, const struct next_access *ahead, bool here,
		      uint64_t *random, struct access to[SAMPLER_ACCESSES]);

#endif

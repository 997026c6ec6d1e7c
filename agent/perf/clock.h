/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock.h - the sampler for machines without a PMU: a timer on each thread's CPU time interrupts
 * it, and what it is about to access is the sample (next_access.h).
 *
 * It samples time, not accesses: what comes behind a slow instruction is sampled more often. The
 * period is drawn anew every few times, between half and three halves of what was asked for, lest
 * it falls into step with the program. Where nobody said how often, the governor makes it a
 * multiple of that, as the budget permits; a sample stands for those that are left out.
 */
#ifndef OJX_CLOCK_H
#define OJX_CLOCK_H

#include "code/next_access.h"
#include "perf/access.h"

/*
 * At start. The timer is one of perf's, whose signals never come in the middle of a system call;
 * where a thread cannot have one it is a POSIX timer (cputimer.h).
 */
void clock_init(void);

/* On the service thread: finds out what a tick costs. */
void clock_measure(void);

/* [handler] Whether the clock's rate may be lowered. */
bool clock_governed(void);

/* By how much the period is longer than asked for, 1..WIRE_LEFT_OUT + 1. Each thread's is so from
 * its next tick on. */
uint32_t clock_times(void);
void clock_set_times(uint32_t times);

/* See struct sampler. */
int clock_open(struct thread *t, uint32_t event);
void clock_start(uint32_t event, int timer);
void clock_stop(int timer);
void clock_close(struct thread *t, uint32_t event, int timer);
unsigned clock_find(struct thread *t, uint32_t event, const void *ucontext,
		    struct access to[SAMPLER_ACCESSES]);

/*
 * [handler][service thread] Of what comes next, the first load and the first store that are of the
 * heap, by the registers in `s`; returns how many of the two there are.
 */
unsigned clock_choose(const struct next_access_state *s, const struct next_access *ahead,
		      struct access to[SAMPLER_ACCESSES]);

#endif

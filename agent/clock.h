/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock.h - the sampler for machines without a PMU: a timer on each thread's CPU time interrupts it, and
 * what it is about to access is the sample (ahead.h).
 *
 * It samples time, not accesses: what comes behind a slow instruction is sampled more often. The period is drawn anew
 * each time, between half and three halves of what was asked for, lest it falls into step with the program.
 */
#ifndef OJX_CLOCK_H
#define OJX_CLOCK_H

#include "ahead.h"
#include "sampler.h"

/*
 * At start. The timer is one of perf's, whose signals never come in the middle of a system call; where a thread can not have
 * one it is a POSIX timer (cputimer.h).
 */
void clock_init(void);

/* See struct sampler. */
int clock_open(struct thread *t, uint32_t event);
void clock_start(uint32_t event, int fd);
void clock_stop(int fd);
void clock_close(struct thread *t, uint32_t event, int fd);
unsigned clock_find(struct thread *t, uint32_t event, const void *ucontext, uintptr_t fault,
		    struct access to[SAMPLER_ACCESSES]);

/*
 * [handler][service thread] Of what comes next, the first load and the first store that are of the heap, by the registers in `s`;
 * returns how many of the two there are.
 */
unsigned clock_choose(const struct ahead_state *s, const struct ahead *ahead,
		      struct access to[SAMPLER_ACCESSES]);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock.h - the access sampler for machines without a PMU: a timer on each thread's CPU time interrupts it, and
 * what it is about to access is the sample (ahead.h).
 *
 * It samples time, not accesses: what comes behind a slow instruction is sampled more often. The period is drawn anew
 * each time, between half and three halves of what was asked for, lest it falls into step with the program.
 */
#ifndef OJX_CLOCK_H
#define OJX_CLOCK_H

#include "agent.h"

struct thread;
struct vmstructs;

/* Where compiled and interpreted code is; at start. */
void clock_init(const struct vmstructs *vm);

/*
 * Service thread: the SIGTRAP handler is there and ojx.watch_on set, so that all clocks may run. Before, a signal would end
 * the process.
 */
void clock_start_all(void);

/* A thread begins or ends; on that thread. Does nothing where no access is to be sampled. */
void clock_begin(struct thread *t);
void clock_end(struct thread *t);

/* [handler] The calling thread was interrupted by its clock. */
void clock_tick(struct thread *t, const void *ucontext);

/* No more interrupts of a thread. */
void clock_stop(const struct thread *t);

#endif

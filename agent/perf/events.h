/* SPDX-License-Identifier: Apache-2.0 */
/* events.h - all that interrupts threads: their registers, samplers and timers. */
#ifndef OJX_EVENTS_H
#define OJX_EVENTS_H

#include <stdbool.h>

struct thread;

/* Before the first thread is known. */
void events_init(void);

/* The calling thread has none any more. */
void events_end(struct thread *t);

/* No more interrupts from now on: every slot is disarmed, every sampler stopped. */
void events_stop(void);

/*
 * After that: closes the perf events of all threads. False where one remains, as its thread is at
 * work on it just now, or for a reason that lasts.
 */
bool events_close(void);

#endif

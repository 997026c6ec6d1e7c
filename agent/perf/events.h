/* SPDX-License-Identifier: Apache-2.0 */
/* events.h - all events that interrupt threads: debug registers, samplers and timers. */
#ifndef OJX_EVENTS_H
#define OJX_EVENTS_H

#include <stdbool.h>

struct thread;

/* To be called before the first thread_self. */
void events_init(void);

/* Ends all events of the calling thread. */
void events_end(struct thread *t);

/* Ends all interrupts: disarms every slot, stops every sampler. */
void events_stop(void);

/*
 * After events_stop: closes the perf events of all threads. False if one remains, since its thread
 * is just using it, or for a permanent reason.
 */
bool events_close(void);

/*
 * Closes all that remain, and gives the signal back. Once no thread is in a handler of the agent.
 */
void events_give_up(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* events.h - all events that interrupt threads: debug registers, samplers and timers. */
#ifndef OJX_EVENTS_H
#define OJX_EVENTS_H

#include "core/part.h"

/* Before the first thread_self. Ends all events with the recording. */
extern const struct part events_part;

/* Ends all interrupts: disarms every slot, stops every sampler. */
void events_stop(void);

/*
 * Whether the seccomp filters are still those that the tool knows. If not, says so once and ends
 * all events for good.
 */
bool events_permitted(void);

/*
 * Whether signals still reach the agent, and the VM does not crash. If not, ends all events for
 * good.
 */
bool events_still_ours(void);

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

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cputimer.h - a timer of a thread's CPU time where perf_event_open cannot be had: a POSIX timer,
 * whose signal comes to that thread.
 *
 * It differs from perf's in two ways. It comes with the tick of the kernel (4 ms as a rule), so
 * that there are fewer signals than asked for. And it may come while the thread is in the kernel,
 * and end a system call with EINTR that is not one of those that are restarted; HotSpot's own code
 * and the JDK's are made for that.
 */
#ifndef OJX_CPUTIMER_H
#define OJX_CPUTIMER_H

#include <stdbool.h>
#include <stdint.h>

/* Makes a timer of the calling thread, not running. Returns a handle that no perf event has, or -1
 * with errno. */
int cputimer_open(uint64_t data);
void cputimer_close(int handle);

/* Whether a number is such a handle. */
bool cputimer_is(int handle);

/* [handler] One signal, with the timer's data, after `ns` of the thread's CPU time from now on; 0:
 * none any more. */
void cputimer_set(int handle, uint64_t ns);

#endif

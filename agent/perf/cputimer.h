/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cputimer.h - a timer of a thread's CPU time for systems without perf_event_open: a POSIX timer
 * that signals this thread.
 *
 * It differs from perf's in two ways. It comes with the kernel's tick (usually every 4 ms), so
 * there may be fewer signals than requested. And it may interrupt a system call, which then fails
 * with EINTR if it is not restarted; HotSpot and the JDK can handle that.
 */
#ifndef OJX_CPUTIMER_H
#define OJX_CPUTIMER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Creates a stopped timer of thread `tid`. Returns a handle that differs from those of perf
 * events, or -1 with errno.
 */
int cputimer_open(int32_t tid, uint64_t data);
void cputimer_close(int handle);

/* [handler] Whether this is such a handle. */
bool cputimer_is(int handle);

/*
 * [handler] Requests one signal, with the timer's data, after `ns` of the thread's CPU time from
 * now; 0: none.
 */
void cputimer_set(int handle, uint64_t ns);

#endif

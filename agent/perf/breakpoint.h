/* SPDX-License-Identifier: Apache-2.0 */
/*
 * breakpoint.h - perf events of threads: hardware breakpoints, timers and others. Each of them
 * sends the agent's signal (signals.h) to its thread.
 *
 * Callers hold a handle, not a descriptor. A program that closes descriptors it does not know may
 * have a file of its own under the number by now. So the kernel is asked for the id of the event
 * before anything is done to a descriptor. Another thread of the program can still close the
 * descriptor, and open a file, between that question and the call. Nothing can rule that out.
 */
#ifndef OJX_BREAKPOINT_H
#define OJX_BREAKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Opens a disabled breakpoint for thread `tid` of this process, 0: the calling one. Returns its
 * handle, or -1 with errno (EMFILE also where our share of the limit is used up). The descriptor is
 * close-on-exec and numbered high.
 */
int breakpoint_open(int32_t tid);
void breakpoint_close(int event);

/* How many are open, of all kinds. */
int breakpoint_count(void);

/*
 * Opens a timer of the calling thread, not running: while it runs, a signal comes after each
 * `period` ns of the thread's CPU time. The other functions serve it, too.
 */
int breakpoint_open_timer(uint64_t period);
void breakpoint_start_timer(int event);

/* Opens any other event of the calling thread, not running. As breakpoint_open. */
struct perf_event_attr;
int breakpoint_open_event(struct perf_event_attr *attr);

/*
 * Maps the memory that the kernel writes samples into; NULL where that fails. To be unmapped by the
 * caller.
 */
void *breakpoint_map(int event, size_t size);

/* [handler] Whether a signal that names descriptor `fd` comes from the event. */
bool breakpoint_has(int event, int fd);

/* [handler] Another period, from the next signal on. */
void breakpoint_set_period(int event, uint64_t period);

/*
 * [handler] Watches stores, and loads unless `stores_only`, of `len` (1, 2, 4, 8; aligned) bytes.
 */
bool breakpoint_arm(int event, uintptr_t address, uint32_t len, bool stores_only);

/* [handler] No more signals from it. */
void breakpoint_disarm(int event);

#endif

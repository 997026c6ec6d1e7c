/* SPDX-License-Identifier: Apache-2.0 */
/*
 * breakpoint.h - hardware breakpoints, and a timer for them, through perf_event_open with a synchronous SIGTRAP.
 */
#ifndef OJX_BREAKPOINT_H
#define OJX_BREAKPOINT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Opens a disabled breakpoint for thread `tid` of this process. Returns its descriptor, close-on-exec and
 * numbered high, or -1 with errno (EMFILE also where our share of the limit is used up).
 */
int breakpoint_open(int32_t tid);
void breakpoint_close(int fd);

/* How many are open, of all kinds. */
int breakpoint_count(void);

/*
 * Opens a timer of the calling thread, not running: while it does, a SIGTRAP with `data` comes after each `period` ns
 * of the thread's CPU time. Returns as breakpoint_open; breakpoint_close and breakpoint_disarm serve it, too.
 */
int breakpoint_open_timer(uint64_t period, uint64_t data);
void breakpoint_start_timer(int fd);

/* Opens any other event of the calling thread, not running: its sigtrap comes with attr->sig_data. As breakpoint_open. */
struct perf_event_attr;
int breakpoint_open_event(struct perf_event_attr *attr);

/* [handler] Another period, from the next signal on. */
void breakpoint_set_period(int fd, uint64_t period);

/*
 * [handler] Watches stores, and loads unless `stores_only`, of `len` (1, 2, 4, 8; aligned) bytes; `data` comes with the
 * signal.
 */
bool breakpoint_arm(int fd, uintptr_t address, uint32_t len, bool stores_only, uint64_t data);

/* [handler] No more traps from it. */
void breakpoint_disarm(int fd);

#endif

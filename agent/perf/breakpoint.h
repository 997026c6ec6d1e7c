/* SPDX-License-Identifier: Apache-2.0 */
/*
 * breakpoint.h - perf events of threads: hardware breakpoints, timers and others. Each of them
 * sends the agent's signal (signals.h) to its thread.
 *
 * Callers hold a handle, not a descriptor. A program that closes unknown descriptors may have a
 * file of its own under the number. So before each operation on a descriptor the kernel is asked
 * for its event's id. Another thread of the program can still close the descriptor and open a file
 * between that check and the operation. Nothing can rule that out.
 */
#ifndef OJX_BREAKPOINT_H
#define OJX_BREAKPOINT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * ---- the signal of all events.
 *
 * It is SIGURG. The kernel ignores an unhandled SIGURG, so a program that removes the handler, or
 * resets all signals, does not die of late signals. SIGURG is pending at most once, so a thread
 * that blocks it does not fill the user's signal queue, and the kernel never falls back to SIGIO.
 * A real-time signal has neither advantage, and the JDK's libraries use some. Debuggers pass
 * SIGURG on silently.
 *
 * perf_event_open's own signal (`sigtrap`) would carry data, but the default action of SIGTRAP
 * kills the process. The kernel delivers both before the thread's next instruction in user mode;
 * signals_exact checks this.
 */

#define SIGNALS_NUMBER SIGURG

/* ---- events ------------------------------------------------------------------------------- */

/*
 * [handler] Opens a disabled breakpoint for thread `tid` of this process; 0: the calling thread.
 * Returns its handle, or -1 with errno (EMFILE also if the agent's share of the limit is used up).
 * The descriptor is close-on-exec and has a high number.
 */
int breakpoint_open(int32_t tid);
void breakpoint_close(int event);

/* [handler] The number of open events of all kinds. */
int breakpoint_count(void);

/*
 * [handler] Opens a stopped timer of thread `tid`; 0: the calling thread. While it runs, it sends a
 * signal after each `period` ns of the thread's CPU time. The other functions apply to it, too.
 */
int breakpoint_open_timer(int32_t tid, uint64_t period);
void breakpoint_start_timer(int event);

/* Opens any other event of a thread, stopped. As breakpoint_open. */
struct perf_event_attr;
int breakpoint_open_event(int32_t tid, struct perf_event_attr *attr);

/* Maps the memory into which the kernel writes samples; NULL on failure. The caller unmaps it. */
void *breakpoint_map(int event, size_t size);

/* [handler] Whether a signal with descriptor `fd` comes from the event. */
bool breakpoint_has(int event, int fd);

/* [handler] Sets another period, from the next signal on. */
void breakpoint_set_period(int event, uint64_t period);

/*
 * [handler] Watches stores, and loads unless `stores_only`, of `len` (1, 2, 4, 8; aligned) bytes.
 */
bool breakpoint_arm(int event, uintptr_t address, uint32_t len, bool stores_only);

/*
 * [handler] Where a trap comes before its access: lets the access take place, after which the watch
 * goes on. The kernel steps over an access for which it sends no signal, so only each second hit
 * sends one from now on; a repeated access is the second hit. The first access that is let pass may
 * trap up to twice more.
 */
void breakpoint_pass(int event);

/* [handler] Stops its signals. */
void breakpoint_disarm(int event);

#endif

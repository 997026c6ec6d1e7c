/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signal_number.h - the signal of all events.
 *
 * It is SIGURG. The kernel ignores an unhandled SIGURG, so a program that removes the handler, or
 * resets all signals, does not die of late signals. SIGURG is pending at most once, so a thread
 * that blocks it does not fill the user's signal queue, and the kernel never falls back to SIGIO. A
 * real-time signal has neither advantage, and the JDK's libraries use some. Debuggers pass SIGURG
 * on silently.
 *
 * perf_event_open's own signal (`sigtrap`) would carry data, but the default action of SIGTRAP
 * kills the process. The kernel delivers both before the thread's next instruction in user mode;
 * signals_exact checks this.
 */
#ifndef OJX_SIGNAL_NUMBER_H
#define OJX_SIGNAL_NUMBER_H

#include <signal.h>

#define SIGNALS_NUMBER SIGURG

#endif

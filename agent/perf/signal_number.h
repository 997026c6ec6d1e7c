/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signal_number.h - which signal all events come as.
 *
 * It is SIGURG. The kernel ignores it where nobody handles it, so a program that takes the handler
 * away, or resets all signals, does not die of what still comes. It is pending once at most, so a
 * thread that blocks it does not fill the user's queue of signals, and the kernel never falls back
 * to SIGIO. A real-time signal has neither virtue, and the JDK's libraries use some. Debuggers pass
 * SIGURG on without a word.
 *
 * perf_event_open's own signal (`sigtrap`) would bring data with it, but the default action of
 * SIGTRAP ends the process. The kernel sends both before the thread runs its next instruction in
 * user mode; signals_exact finds out whether it does.
 */
#ifndef OJX_SIGNAL_NUMBER_H
#define OJX_SIGNAL_NUMBER_H

#include <signal.h>

#define SIGNALS_NUMBER SIGURG

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signals.h - the one signal that all events of the agent come as: debug registers, timers,
 * samples.
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
#ifndef OJX_AGENT_SIGNALS_H
#define OJX_AGENT_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define SIGNALS_NUMBER SIGURG

/*
 * Installs the handler in front of whoever has one. Does nothing the second time. False with errno
 * where that fails.
 */
bool signals_listen(void);

/* [handler] Whether the handler is still ours. */
bool signals_installed(void);

/* [handler] Whether the VM is writing its report of a crash, and wants to be left alone. */
bool signals_vm_crashes(void);

/*
 * Whether the calling thread cannot take our signals: it blocks them, so that traps would go on
 * without the handler ending them, or takes them on a stack that is too small.
 */
bool signals_blocked(void);

/*
 * What a POSIX timer's signal has to bring with it, for the sampler of event `event` < WIRE_EVENTS.
 */
uint64_t signals_timer_data(uint32_t event);

/*
 * An event whose signals are only counted, or those that the calling thread sends itself; -1: none.
 * How many there were.
 */
#define SIGNALS_RAISED (-2)
void signals_try(int event);
uint32_t signals_tried(void);

/*
 * Touches a variable, whose first 8 bytes `event` watches, n times. True if a signal came for each,
 * right behind the instruction. *ns: what one of them took.
 */
bool signals_exact(int event, volatile uint64_t *watched, uint32_t n, uint64_t *ns);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* signals.h - the signal of all of the agent's events: debug registers, timers, samples. */
#ifndef OJX_AGENT_SIGNALS_H
#define OJX_AGENT_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#include "perf/breakpoint.h"

struct thread;
struct watch_slot;

/* The source of a signal. */
enum signal_source {
	SIGNAL_FOREIGN,
	SIGNAL_NOBODYS, /* of the agent, but too late */
	SIGNAL_TRIED,
	SIGNAL_SAMPLE,	 /* of sampler `event` */
	SIGNAL_DEADLINE, /* of the thread's timer */
	SIGNAL_SLOT,	 /* of one of its debug registers */
};

struct signal_cause {
	enum signal_source source;
	uint32_t event;
	struct watch_slot *slot;
};

/*
 * [handler] Called for a sample, a deadline or a debug register of the calling thread. `context`
 * NULL: the stack has too little room to evaluate it.
 */
typedef void signal_user(struct thread *t, const struct signal_cause *cause, const void *context);

/* Sets the user of these signals; before signals_listen. */
void signals_set_user(signal_user *user);

/*
 * Installs the handler in front of an existing one. A second call does nothing. False with errno on
 * failure; EBUSY if an earlier session left it below another one.
 */
bool signals_listen(void);

/*
 * Installs the previous handler again, once no event is open. If another part of the program has
 * put its handler in front, the agent's stays, and passes all signals on.
 */
void signals_unlisten(void);

/* [handler] Whether the handler is still the agent's. */
bool signals_installed(void);

/* [handler] Whether the VM is writing its crash report, and must not be disturbed. */
bool signals_vm_crashes(void);

/*
 * Whether the calling thread cannot take the agent's signals. Either it blocks them, so that traps
 * would repeat without the handler ending them, or its signal stack is too small.
 */
bool signals_blocked(void);

/*
 * The same for the thread of a structure, which may be another one: of its signal stack nothing is
 * known before its first signal.
 */
bool signals_blocked_in(const struct thread *t);

/*
 * The data that a POSIX timer's signal must carry for the sampler of event `event` < WIRE_EVENTS.
 */
uint64_t signals_timer_data(uint32_t event);

/*
 * Sets an event whose signals are only counted, or SIGNALS_RAISED: those that the calling thread
 * sends itself; -1: none. signals_tried returns the count.
 */
#define SIGNALS_RAISED (-2)
void signals_try(int event);
uint32_t signals_tried(void);

/*
 * Writes n times to a variable whose first 8 bytes `event` watches. True if a signal came for each
 * write, directly after the instruction. *ns: the time of one.
 */
bool signals_exact(int event, volatile uint64_t *watched, uint32_t n, uint64_t *ns);

#endif

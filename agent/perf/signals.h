/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signals.h - the one signal that all events of the agent come as: debug registers, timers,
 * samples.
 */
#ifndef OJX_AGENT_SIGNALS_H
#define OJX_AGENT_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#include "perf/signal_number.h"

struct thread;
struct watch_slot;

/* What a signal is about. */
enum signal_source {
	SIGNAL_FOREIGN,
	SIGNAL_NOBODYS, /* ours, and too late */
	SIGNAL_TRIED,
	SIGNAL_SAMPLE,	 /* of sampler `event` */
	SIGNAL_DEADLINE, /* the thread's timer */
	SIGNAL_SLOT,	 /* one of its registers */
};

struct signal_cause {
	enum signal_source source;
	uint32_t event;
	struct watch_slot *slot;
};

/*
 * [handler] A sample, a deadline or a register of the calling thread. `context` NULL: there is no
 * stack to look at it.
 */
typedef void signal_user(struct thread *t, const struct signal_cause *cause, const void *context);

/* Sets who gets these; before signals_listen. */
void signals_set_user(signal_user *user);

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

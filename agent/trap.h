/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trap.h - the SIGTRAP handler: what a watch's register saw.
 */
#ifndef OJX_TRAP_H
#define OJX_TRAP_H

#include "agent.h"
#include "slots.h"

/* Installs the handler, for samplers; trap_init does so by itself. */
bool trap_listen(void);

/* Installs the handler and tries a trap on the calling thread. 0, or an errno that says what failed:
 * that of perf_event_open, or EIO where no trap came. Measures what a trap costs. */
int trap_init(void);

/* Whether SIGTRAP is still ours: without the handler a trap would end the process. */
bool trap_installed(void);

/* The data that comes with the signal of a slot, of a thread's timer, of its access sampler `event` < WIRE_EVENTS. */
uint64_t trap_data(const struct watch_slot *slot);
uint64_t trap_timer_data(void);
uint64_t trap_sample_data(uint32_t event);

/* And of signals that are only counted, to find out what they cost; how many there were. */
uint64_t trap_trial_data(void);
uint32_t trap_trials(void);

/* [handler] Takes an armed slot, unless it has been armed anew since it had this data; its register is freed. */
bool trap_take(struct watch_slot *slot, uint64_t data);

/*
 * [handler] Two slots may watch one object for two threads; the first whose use is claimed counts. True for it.
 */
bool trap_claim(uint32_t claim);

/* A number for an object that several slots will watch. */
uint32_t trap_new_claim(void);

/*
 * Whether the calling thread can not take signals of ours: it blocks SIGTRAP, so that its traps would go on without the
 * handler ending them, or takes signals on a stack that is too small.
 */
bool trap_blocked(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* allowance.h - the budget of watches. */
#ifndef OJX_ALLOWANCE_H
#define OJX_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/state.h"
#include "perf/slot.h"

/* Adds to the budget of watches, ns. Called by the governor. */
void watch_grant(uint64_t ns);

/* [handler] Subtracts the cost of a trap, ns; whether any budget is left. */
void watch_charge(uint64_t ns);
bool watch_affordable(void);

/* [handler] Whether some is saved up, for something that has to last. */
bool watch_saved(void);

/*
 * ---- how long a watch waits for a use, in CPU time of the thread that it is armed on. An
 * armed register slows its thread down even if it never traps, most of all on virtual
 * machines: it is loaded at each context switch and at each entry of the guest. So most
 * watches are given up soon; one in a few is patient. A use that only a patient watch can see
 * counts that many times. A timer on the thread's CPU time ends them. It runs only while such
 * a watch is armed.
 */

#define DEADLINE_PATIENT_ONE_IN 8

enum deadline_state { DEADLINE_SOON, DEADLINE_LATE, DEADLINE_OVER };

/*
 * [handler] Decides the patience of a watch about to be armed on the calling thread, and starts the
 * timer. `patient`: always patient.
 */
void deadline_set(struct thread *t, struct slot_watch *w, bool patient);

/* [handler] The state of a watch whose use comes now. On the thread that armed it. */
enum deadline_state deadline_state(const struct slot_watch *w);

/*
 * [handler] Ends the calling thread's watches that have waited too long. Stops the timer if none is
 * left.
 */
void deadline_check(struct thread *t);

/* Stops a thread's timer. */
void deadline_stop(const struct thread *t);

/*
 * [handler] Closes the timer of a thread that ends, or is idle. For the thread itself, or for the
 * holder of all of its slots.
 */
void deadline_close(struct thread *t);

#endif

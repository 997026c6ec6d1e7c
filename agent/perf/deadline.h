/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deadline.h - how long a watch may wait for a use, in CPU time of the thread that it is armed on.
 *
 * An armed register slows its thread down even if it never traps, on virtual machines most of all:
 * it is loaded at each switch and at each entry of the guest. So most watches are given up soon;
 * one in a few is patient. A use that only a patient one can see counts that many times.
 *
 * A timer on the thread's CPU time, running only while such a watch is armed, ends them.
 */
#ifndef OJX_DEADLINE_H
#define OJX_DEADLINE_H

#include "core/state.h"
#include "perf/slot.h"

#define DEADLINE_PATIENT_ONE_IN 8

enum deadline_state { DEADLINE_SOON, DEADLINE_LATE, DEADLINE_OVER };

/*
 * [handler] Decides the patience of a watch about to be armed on the calling thread, and has the
 * timer run. `patient`: it is in any case.
 */
void deadline_set(struct thread *t, struct slot_watch *w, bool patient);

/* [handler] Of a use that comes now. On the thread that armed it. */
enum deadline_state deadline_state(const struct slot_watch *w);

/* [handler] Ends the calling thread's watches that have waited too long; stops the timer if none is
 * left. */
void deadline_check(struct thread *t);

/* No more signals of a thread's timer. */
void deadline_stop(const struct thread *t);

/* The thread ends, or rests; for its own thread, or for who holds all of its slots. */
void deadline_close(struct thread *t);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* allowance.c - see allowance.h. */
#include "perf/allowance.h"

#include <stdatomic.h>

#include "core/thread.h"
#include "perf/breakpoint.h"

/* In real programs 90 % of first uses come within SOON_NS, and 99 % within PATIENT_NS. */
#define SOON_NS	   1000000u
#define PATIENT_NS 10000000u

void deadline_set(struct thread *t, struct slot_watch *w, bool patient)
{
	if (thread_timer(t) < 0)
		atomic_store_explicit(&t->timer, breakpoint_open_timer(0, SOON_NS),
				      memory_order_release);
	w->armed_cpu_ns = cpu_ns();
	patient = patient || !random_below(&t->random, DEADLINE_PATIENT_ONE_IN);
	w->patience_ns = patient ? PATIENT_NS : SOON_NS;
	if (thread_timer(t) >= 0)
		breakpoint_start_timer(thread_timer(t));
}

enum deadline_state deadline_state(const struct slot_watch *w)
{
	uint64_t age = w->patience_ns ? cpu_ns() - w->armed_cpu_ns : 0;

	if (age <= SOON_NS)
		return DEADLINE_SOON;
	return age <= w->patience_ns ? DEADLINE_LATE : DEADLINE_OVER;
}

void deadline_check(struct thread *t)
{
	bool waiting = false;

	if (thread_timer(t) < 0)
		return;
	for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
		struct watch_slot *slot = &t->slots[i];
		uint32_t state = atomic_load_explicit(&slot->state, memory_order_acquire);
		/* a watch that is being armed needs the timer, and has started it already */
		waiting |= state == SLOT_BUSY;
		if (state != SLOT_ARMED || !slot->watch.patience_ns)
			continue;
		if (deadline_state(&slot->watch) != DEADLINE_OVER) {
			waiting = true;
		} else {
			slot_end(slot, slot->generation, WIRE_UNUSED_TIME);
		}
	}
	if (!waiting)
		breakpoint_disarm(thread_timer(t));
}

void deadline_stop(const struct thread *t)
{
	if (thread_timer(t) >= 0)
		breakpoint_disarm(thread_timer(t));
}

void deadline_close(struct thread *t)
{
	int event = atomic_exchange_explicit(&t->timer, -1, memory_order_acq_rel);

	if (event >= 0)
		breakpoint_close(event);
}

#define BUCKET_NS 20000000ll /* most that can be saved up for a burst of watches */

static _Atomic int64_t allowance;

void watch_grant(uint64_t ns)
{
	int64_t now = atomic_fetch_add_explicit(&allowance, (int64_t)ns, memory_order_relaxed) +
		      (int64_t)ns;
	if (now > BUCKET_NS)
		atomic_fetch_sub_explicit(&allowance, now - BUCKET_NS, memory_order_relaxed);
}

bool watch_affordable(void)
{
	return atomic_load_explicit(&allowance, memory_order_relaxed) > 0;
}

bool watch_saved(void)
{
	return atomic_load_explicit(&allowance, memory_order_relaxed) > BUCKET_NS / 8;
}

void watch_charge(uint64_t ns)
{
	atomic_fetch_sub_explicit(&allowance, (int64_t)ns, memory_order_relaxed);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* deadline.c - the patience of watches, and the timer that ends it. */
#include "perf/deadline.h"

#include "core/thread.h"
#include "perf/breakpoint.h"
#include "perf/trap.h"

/* Of the first uses in real programs 90 in 100 come within the one, and 99 within the other. */
#define SOON_NS	   1000000u
#define PATIENT_NS 10000000u

void deadline_set(struct thread *t, struct watch *w)
{
	if (t->timer < 0)
		t->timer = breakpoint_open_timer(SOON_NS);
	w->armed_cpu_ns = cpu_ns();
	bool patient = w->sampled || !random_below(&t->random, DEADLINE_PATIENT_ONE_IN);
	w->patience_ns = patient ? PATIENT_NS : SOON_NS;
	if (t->timer >= 0)
		breakpoint_start_timer(t->timer);
}

enum deadline_state deadline_state(const struct watch *w)
{
	uint64_t age = w->patience_ns ? cpu_ns() - w->armed_cpu_ns : 0;

	if (age <= SOON_NS)
		return DEADLINE_SOON;
	return age <= w->patience_ns ? DEADLINE_LATE : DEADLINE_OVER;
}

void deadline_check(struct thread *t)
{
	bool waiting = false;

	if (t->timer < 0)
		return;
	for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
		struct watch_slot *slot = &t->slots[i];
		uint32_t state = atomic_load_explicit(&slot->state, memory_order_acquire);
		/* one that is being armed will need the timer, and has started it already */
		waiting |= state == SLOT_BUSY;
		if (state != SLOT_ARMED || !slot->watch.patience_ns)
			continue;
		if (deadline_state(&slot->watch) != DEADLINE_OVER) {
			waiting = true;
		} else if (trap_take(slot, slot->generation)) {
			slot->ended = WIRE_UNUSED_TIME;
			atomic_store_explicit(&slot->state, SLOT_FIRED, memory_order_release);
		}
	}
	if (!waiting)
		breakpoint_disarm(t->timer);
}

void deadline_stop(const struct thread *t)
{
	if (t->timer >= 0)
		breakpoint_disarm(t->timer);
}

void deadline_close(struct thread *t)
{
	int event = atomic_exchange(&t->timer, -1);

	if (event >= 0)
		breakpoint_close(event);
}

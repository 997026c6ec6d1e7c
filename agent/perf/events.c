/* SPDX-License-Identifier: Apache-2.0 */
/* events.c - see events.h. */
#include "perf/events.h"

#include "core/thread.h"
#include "perf/allowance.h"
#include "perf/breakpoint.h"
#include "perf/clock.h"
#include "perf/sampler.h"
#include "perf/signals.h"
#include "perf/slots.h"
#include "perf/tickcost.h"
#include "perf/trap.h"

/* [handler] Handles a signal of the agent. */
static void signalled(struct thread *t, const struct signal_cause *cause, const void *context)
{
	uint64_t start = cpu_ns(), kernel = 0;
	bool sample = cause->source == SIGNAL_SAMPLE;

	if (sample) {
		sampler_tick(t, cause->event, context);
		kernel = sampler_kernel_ns(cause->event);
	} else if (cause->source == SIGNAL_SLOT) {
		trap_hit(t, cause->slot, context);
	}
	deadline_check(t);
	uint64_t ns = cpu_ns() - start + (kernel ? kernel : trap_kernel_ns());
	status_add(cost.trap_ns, ns);
	if (sample)
		tickcost_add(ns);
	/*
	 * The cost of samples does not count for the watches, unless the samples serve watches and
	 * the governor limits their rate.
	 */
	if (!sample || (ojx.config.waste && clock_governed()))
		watch_charge(ns);
}

static void begin(struct thread *t)
{
	slots_begin(t);
	sampler_begin(t);
}

void events_end(struct thread *t)
{
	sampler_end(t);
	slots_end(t);
}

void events_init(void)
{
	static const struct thread_part part = { slots_create, begin, events_end };

	thread_set_part(&part);
	signals_set_user(signalled);
}

void events_stop(void)
{
	struct thread *t;

	atomic_store(&ojx.watch_on, false);
	atomic_store(&ojx.sampling_on, false);
	for (uint32_t i = 0; (t = thread_at(i)); i++) {
		deadline_stop(t);
		sampler_stop(t);
		slots_stop(t);
	}
}

bool events_close(void)
{
	struct thread *t;

	for (uint32_t i = 0; (t = thread_at(i)); i++) {
		slots_stop(t); /* what was armed meanwhile */
		slots_close(t);
		sampler_leave(t);
	}
	return breakpoint_count() <= 0;
}

void events_give_up(void)
{
	struct thread *t;

	for (uint32_t i = 0; (t = thread_at(i)); i++) {
		slots_stop(t);
		slots_close(t);
		deadline_close(t);
		sampler_end(t);
	}
	signals_unlisten();
}

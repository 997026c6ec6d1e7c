/* SPDX-License-Identifier: Apache-2.0 */
/* events.c - see events.h. */
#include "perf/events.h"

#include "core/link.h"
#include "core/seccomp.h"
#include "core/thread.h"
#include "perf/allowance.h"
#include "perf/breakpoint.h"
#include "perf/clock.h"
#include "perf/sampler.h"
#include "perf/signals.h"
#include "perf/slots.h"
#include "perf/straytrap.h"
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

/* Ends all events of the calling thread. */
static void end_thread(struct thread *t)
{
	sampler_end(t);
	slots_end(t);
}

static const char *init(const struct part_start *start)
{
	static const struct thread_user user = { slots_create, begin, end_thread };

	(void)start;
	thread_set_user(&user);
	signals_set_user(signalled);
	return NULL;
}

void events_stop(void)
{
	struct thread *t;

	atomic_store_explicit(&ojx.watch_on, false, memory_order_seq_cst);
	atomic_store_explicit(&ojx.sampling_on, false, memory_order_seq_cst);
	atomic_thread_fence(memory_order_seq_cst); /* see state.h: slot_take() begins relaxed */
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

/* ---- whether events may still come --------------------------------------------------------- */

bool events_permitted(void)
{
	if (seccomp_permits_now() || !seccomp_differs())
		return true;
	link_note(
		"a seccomp filter that ojx does not have may kill the callers of perf_event_open "
		"and process_vm_readv: from now on there are no watches and no samples of accesses, "
		"and objects are read in GC pauses only");
	if (atomic_load_explicit(&ojx.watch_on, memory_order_acquire) ||
	    atomic_load_explicit(&ojx.sampling_on, memory_order_acquire))
		events_stop();
	return false;
}

bool events_still_ours(void)
{
	bool crashes = signals_vm_crashes(), installed = signals_installed();

	if (installed && !crashes)
		return true;
	if (!crashes)
		link_note("another part of the program has taken SIGURG: no more watches and "
			  "samples of accesses");
	events_stop();
	return false;
}

/* ---- on the service thread ----------------------------------------------------------------- */

static bool come; /* signals, as of the last call of signals_come */

/* This thread runs no Java code and never touches an object. */
static void begin_service(const struct part_turn *turn)
{
	end_thread(turn->service);
}

static bool is_on(void)
{
	return atomic_load_explicit(&ojx.watch_on, memory_order_acquire) ||
	       atomic_load_explicit(&ojx.sampling_on, memory_order_acquire);
}

/*
 * Whether signals of the agent have come since the last call. While they do, it is checked often
 * that they are still delivered to the agent; otherwise the JVM would crash.
 */
static bool signals_come(void)
{
	static uint64_t before;
	uint64_t now = atomic_load_explicit(&ojx.shm->status.cost.trap_ns, memory_order_relaxed);

	come = now != before;
	before = now;
	return come;
}

static void hurry(const struct part_turn *turn)
{
	(void)turn;
	events_permitted();
	if (come)
		events_still_ours();
}

static void serve(const struct part_turn *turn)
{
	if (events_permitted() && is_on())
		events_still_ours();
	slots_sweep(turn->service);
}

static void end(const struct part_turn *turn)
{
	(void)turn;
	if (events_permitted() && is_on())
		events_still_ours();
	events_stop();
	straytrap_tell();
}

const struct part events_part = {
	.name = "events",
	.init = init,
	.begin = begin_service,
	.serve = serve,
	.is_urgent = signals_come,
	.hurry = hurry,
	.end = end,
};

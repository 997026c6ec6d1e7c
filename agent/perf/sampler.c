/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampler.c - see sampler.h. Only interrupts of Java code count: compiled, interpreted, or a stub.
 * There the thread is not inside the agent, so consumers may write to its ring.
 */
#define _GNU_SOURCE
#include "perf/sampler.h"

#include <math.h>

#include "arch/arch.h"
#include "core/seccomp.h"
#include "core/thread.h"
#include "core/trace.h"
#include "hotspot/metadata/layout.h"
#include "perf/breakpoint.h"
#include "perf/clock.h"
#include "perf/pmu.h"
#include "perf/signals.h"
#include "perf/tickcost.h"

static const struct sampler samplers[WIRE_SAMPLERS] = {
	[WIRE_SAMPLER_CLOCK] = { clock_open, clock_start, clock_stop, clock_close, clock_find },
	[WIRE_SAMPLER_FAULTS] = { pmu_open, pmu_start, breakpoint_disarm, pmu_close,
				  pmu_find_fault },
	[WIRE_SAMPLER_PMU] = { pmu_open, pmu_start, breakpoint_disarm, pmu_close, pmu_find },
};

static const struct sampler_user *users[SAMPLER_USERS];
static unsigned nusers;
static bool ready; /* false: nothing is sampled */

/* ---- life ------------------------------------------------------------------------------ */

bool sampler_wanted(void)
{
	return ojx.config.nevents && ojx.config.flags & WIRE_LOCALITY && !seccomp_differs();
}

static const char *init(const struct part_start *start)
{
	(void)start;
	if (!ojx.walks || !ojx.config.nevents)
		return PART_UNASKED;
	ready = true;
	for (uint32_t i = 0; i < ojx.config.nevents; i++)
		if (ojx.config.event[i].sampler == WIRE_SAMPLER_CLOCK)
			clock_init();
	return NULL;
}

void sampler_add_user(const struct sampler_user *user)
{
	users[nusers++] = user;
}

/* [handler] The sampler of an event; NULL if the tool names an unknown one. */
static const struct sampler *sampler_of(uint32_t event)
{
	uint32_t which = ojx.config.event[event].sampler;
	return which < WIRE_SAMPLERS ? &samplers[which] : NULL;
}

static void begin(struct thread *t, uint32_t event)
{
	const struct sampler *s = sampler_of(event);

	int handle = s ? s->open(t, event) : -1;

	atomic_store_explicit(&t->sampler[event], handle, memory_order_seq_cst);
	/* either this sees that samplers may run, or start_all sees this one, and the thread */
	atomic_thread_fence(memory_order_seq_cst);
	if (handle >= 0 && atomic_load_explicit(&ojx.sampling_on, memory_order_seq_cst))
		s->start(event, handle);
}

void sampler_begin(struct thread *t)
{
	if (!ready || !ojx.config.nevents || !seccomp_permits_now() || signals_blocked_in(t))
		return;
	if (!t->ring.way) /* a handler cannot do this */
		link_ring_acquire(&t->ring, false);
	t->sample_random = random_next(&t->random);
	for (uint32_t i = 0; i < ojx.config.nevents; i++)
		begin(t, i);
}

/* Once ojx.watch_on is decided: installs the handler and starts all samplers. */
static void start_all(const struct part_turn *turn)
{
	(void)turn;
	bool handled = atomic_load_explicit(&ojx.watch_on, memory_order_acquire) ||
		       (sampler_wanted() && signals_listen());

	bool start = ready && ojx.config.nevents && handled && !seccomp_differs();
	trace("samplers: %u events %s", ojx.config.nevents, start ? "start" : "do not start");
	if (!start)
		return;
	clock_measure();
	atomic_store_explicit(&ojx.sampling_on, true, memory_order_seq_cst);
	atomic_thread_fence(memory_order_seq_cst); /* thread_at() only acquires */
	for (uint32_t i = 0; i < THREAD_MAX; i++) {
		const struct thread *t = thread_at(i);
		if (!t)
			return;
		for (uint32_t e = 0; e < WIRE_EVENTS; e++) {
			int timer = atomic_load_explicit(&t->sampler[e], memory_order_seq_cst);
			if (timer >= 0)
				sampler_of(e)->start(e, timer);
		}
	}
}

void sampler_end(struct thread *t)
{
	for (uint32_t i = 0; i < WIRE_EVENTS; i++) {
		int fd = atomic_exchange_explicit(&t->sampler[i], -1, memory_order_seq_cst);
		if (fd >= 0)
			sampler_of(i)->close(t, i, fd);
	}
}

void sampler_leave(struct thread *t)
{
	for (uint32_t i = 0; i < WIRE_EVENTS; i++) {
		int fd = t->sample_ring[i] ? -1
					   : atomic_exchange_explicit(&t->sampler[i], -1,
								      memory_order_seq_cst);
		if (fd >= 0)
			sampler_of(i)->close(t, i, fd);
	}
}

void sampler_stop(const struct thread *t)
{
	for (uint32_t i = 0; i < WIRE_EVENTS; i++) {
		int fd = atomic_load_explicit(&t->sampler[i], memory_order_seq_cst);
		if (fd >= 0)
			sampler_of(i)->stop(fd);
	}
}

/* ---- samples --------------------------------------------------------------------------- */

/* [handler] */
static bool runs_java(const void *ucontext)
{
	return ranges_in_code(arch_pc(ucontext));
}

uint64_t sampler_kernel_ns(uint32_t event)
{
	return ojx.config.event[event].sampler == WIRE_SAMPLER_CLOCK ? tickcost_ns() : 0;
}

/* [handler] */
static void tell_unknown(struct thread *t, const void *ucontext)
{
	for (unsigned i = 0; i < nusers; i++)
		if (users[i]->unknown)
			users[i]->unknown(t, ucontext);
}

void sampler_tick(struct thread *t, uint32_t event, const void *ucontext)
{
	const struct sampler *s = sampler_of(event);
	struct access found[SAMPLER_ACCESSES];
	bool counts = atomic_load_explicit(&ojx.sampling_on, memory_order_relaxed) &&
		      atomic_load_explicit(&ojx.live, memory_order_relaxed) && ucontext &&
		      runs_java(ucontext);

	if (!counts) {
		s->find(t, event, NULL, found);
		return;
	}
	thread_count_cpu(t, cpu_ns());
	status_add(ticks, 1);
	unsigned n = s->find(t, event, ucontext, found);
	if (n == SAMPLER_NOT_DECODED) {
		tell_unknown(t, ucontext);
		return;
	}
	if (n == 0)
		return;
	status_add(located, 1);
	for (unsigned i = 0; i < nusers; i++)
		users[i]->sample(t, found, n);
}

/* ---- the clock's cost ---------------------------------------------------------------------- */

#define TICK_SHARE	   0.4 /* of the budget; the clock misses the cold caches after a tick */
#define TICK_SHARE_BESIDES 0.3 /* if object contents are read as well */

static void cost(struct part_cost *c)
{
	c->tick_ns += (double)tickcost_spent();
	c->tick_times = clock_times();
}

/* Lengthens or shortens the clock's period so that ticks cost no more than their part. */
static void budget(const struct part_budget *b)
{
	bool alone = ojx.config.flags & WIRE_NO_CONTENTS;
	double times = clock_times();
	double wanted = b->ticks / (b->both * (alone ? TICK_SHARE : TICK_SHARE_BESIDES));

	if (b->first || !clock_governed() || (wanted > times - 1 && wanted < times + 0.25))
		return;
	clock_set_times((uint32_t)fmin(fmax(ceil(wanted - 0.25), 1), WIRE_LEFT_OUT + 1));
	trace("samplers: the clock's period is %u times the one asked for", clock_times());
}

const struct part sampler_part = {
	.name = "samplers",
	.init = init,
	.begin = start_all,
	.cost = cost,
	.budget = budget,
};

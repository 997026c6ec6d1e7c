/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampler.c - see sampler.h. Only interrupts of Java code count: compiled, interpreted, or a stub. There the thread is not
 * inside the agent, so that consumers may write to its ring.
 */
#define _GNU_SOURCE
#include "perf/sampler.h"

#include <ucontext.h>

#include "analyse/later.h"
#include "analyse/locality.h"
#include "analyse/waste.h"
#include "core/seccomp.h"
#include "core/thread.h"
#include "heap/follow.h"
#include "hotspot/vmstructs.h"
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

static const struct vmstructs *structs; /* NULL: nothing is sampled */

/* Where the collector does not tell: ZGC's heap is above libraries' usual places and below the program's own; of 5 TB, up to there. */
static uintptr_t heap_low = 1ull << 42, heap_high = 5ull << 44;

/* ---- life ------------------------------------------------------------------------------ */

bool sampler_wanted(void)
{
	return ojx.config.nevents && ojx.config.flags & WIRE_LOCALITY && !seccomp_differs();
}

void sampler_init(const struct vmstructs *vm)
{
	uintptr_t low, high;

	structs = vm;
	for (uint32_t i = 0; i < ojx.config.nevents; i++)
		if (ojx.config.event[i].sampler == WIRE_SAMPLER_CLOCK)
			clock_init();
	if (vmstructs_heap_range(vm, &low, &high)) {
		heap_low = low;
		heap_high = high;
	}
}

/* The row of an event; NULL where the tool is of another mind than we. */
static const struct sampler *sampler_of(uint32_t event)
{
	uint32_t which = ojx.config.event[event].sampler;
	return which < WIRE_SAMPLERS ? &samplers[which] : NULL;
}

static void begin(struct thread *t, uint32_t event)
{
	const struct sampler *s = sampler_of(event);

	atomic_store(&t->sampler[event], s ? s->open(t, event) : -1);
	/* either we see that they may run, or sampler_start_all sees ours */
	if (t->sampler[event] >= 0 && atomic_load(&ojx.sampling_on))
		s->start(event, t->sampler[event]);
}

void sampler_begin(struct thread *t)
{
	if (!structs || !ojx.config.nevents || !seccomp_permits_now() || signals_blocked())
		return;
	if (!t->ring.way) /* not in a handler */
		link_ring_acquire(&t->ring, false);
	t->sample_random = random_next(&t->random);
	for (uint32_t i = 0; i < ojx.config.nevents; i++)
		begin(t, i);
}

void sampler_start_all(void)
{
	bool handled = atomic_load(&ojx.watch_on) || (sampler_wanted() && signals_listen());

	if (!structs || !ojx.config.nevents || !handled || seccomp_differs())
		return;
	clock_measure();
	atomic_store(&ojx.sampling_on, true);
	for (uint32_t i = 0; i < THREAD_MAX; i++) {
		const struct thread *t = thread_at(i);
		if (!t)
			return;
		for (uint32_t e = 0; e < WIRE_EVENTS; e++) {
			int timer = atomic_load(&t->sampler[e]);
			if (timer >= 0)
				sampler_of(e)->start(e, timer);
		}
	}
}

void sampler_end(struct thread *t)
{
	for (uint32_t i = 0; i < WIRE_EVENTS; i++) {
		int fd = atomic_exchange(&t->sampler[i], -1);
		if (fd >= 0)
			sampler_of(i)->close(t, i, fd);
	}
}

void sampler_leave(struct thread *t)
{
	for (uint32_t i = 0; i < WIRE_EVENTS; i++) {
		int fd = t->sample_ring[i] ? -1 : atomic_exchange(&t->sampler[i], -1);
		if (fd >= 0)
			sampler_of(i)->close(t, i, fd);
	}
}

void sampler_stop(const struct thread *t)
{
	for (uint32_t i = 0; i < WIRE_EVENTS; i++) {
		int fd = atomic_load(&t->sampler[i]);
		if (fd >= 0)
			sampler_of(i)->stop(fd);
	}
}

/* ---- samples --------------------------------------------------------------------------- */

bool sampler_in_heap(uintptr_t address, size_t size)
{
	return address >= heap_low && address < heap_high && size <= heap_high - address;
}

/* The code cache may have grown. */
bool sampler_in_code(uint64_t ip)
{
	uintptr_t low, high;

	return vmstructs_code_range(structs, &low, &high) && ip >= low && ip < high;
}

static bool runs_java(const void *ucontext)
{
	const ucontext_t *context = ucontext;

	return sampler_in_code((uint64_t)context->uc_mcontext.gregs[REG_RIP]);
}

uint64_t sampler_kernel_ns(uint32_t event)
{
	return ojx.config.event[event].sampler == WIRE_SAMPLER_CLOCK ? tickcost_ns() : 0;
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
	if (n == SAMPLER_NOT_DECODED && ojx.config.flags & WIRE_LOCALITY)
		later_keep(t, ucontext);
	if (n == 0 || n == SAMPLER_NOT_DECODED)
		return;
	status_add(located, 1);
	if (ojx.config.flags & FOLLOW_FLAGS)
		locality_sample(t, &found[0]);
	if (ojx.config.waste && atomic_load_explicit(&ojx.watch_on, memory_order_relaxed))
		waste_sample(t, found, n);
}

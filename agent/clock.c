/* SPDX-License-Identifier: Apache-2.0 */
/* clock.c - see clock.h. */
#define _GNU_SOURCE
#include "clock.h"

#include <ucontext.h>

#include "breakpoint.h"
#include "thread.h"
#include "trap.h"
#include "vmstructs.h"
#include "waste.h"

static const struct vmstructs *structs;

void clock_init(const struct vmstructs *vm)
{
	structs = vm;
}

static uint64_t period(struct thread *t)
{
	uint64_t ns = ojx.config.sample_us * 1000ull;
	return ns / 2 + random_below(&t->clock_random, ns);
}

void clock_begin(struct thread *t)
{
	if (!structs || !ojx.config.sample_us || trap_blocked())
		return;
	if (!t->ring.ring) /* not in a handler */
		link_ring_acquire(&t->ring, false);
	t->clock_random = random_next(&t->random);
	atomic_store(&t->clock, breakpoint_open_timer(period(t), trap_sample_data()));
	/* either we see that they may run, or clock_start_all sees ours */
	if (t->clock >= 0 && atomic_load(&ojx.watch_on))
		breakpoint_start_timer(t->clock);
}

void clock_start_all(void)
{
	for (uint32_t i = 0; i < THREAD_MAX; i++) {
		const struct thread *t = thread_at(i);
		if (!t)
			return;
		int fd = atomic_load(&t->clock);
		if (fd >= 0)
			breakpoint_start_timer(fd);
	}
}

void clock_end(struct thread *t)
{
	if (t->clock >= 0)
		breakpoint_close(t->clock);
	t->clock = -1;
}

void clock_stop(const struct thread *t)
{
	if (t->clock >= 0)
		breakpoint_disarm(t->clock);
}

/* [handler] Compiled code, the interpreter or a stub. The code cache may have grown. */
static bool runs_java(const void *ucontext)
{
	uintptr_t ip = (uintptr_t)((const ucontext_t *)ucontext)->uc_mcontext.gregs[REG_RIP];
	uintptr_t low, high;

	return vmstructs_code_range(structs, &low, &high) && ip >= low && ip < high;
}

void clock_tick(struct thread *t, const void *ucontext)
{
	breakpoint_set_period(t->clock, period(t));
	if (!atomic_load_explicit(&ojx.watch_on, memory_order_relaxed) ||
	    !atomic_load_explicit(&ojx.live, memory_order_relaxed) || !runs_java(ucontext))
		return;
	thread_count_cpu(t, cpu_ns());
	status_add(ticks, 1);
	waste_sample(t, ucontext);
}

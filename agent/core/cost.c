/* SPDX-License-Identifier: Apache-2.0 */
/* cost.c - see cost.h. */
#define _GNU_SOURCE
#include "core/cost.h"

#include "arch/arch.h"
#include "core/state.h"
#include "core/thread.h"

static uint64_t begun_clock, begun_work; /* of the part */
static uint64_t left_clock;		 /* when the first part was over */
static uint64_t sum_clock, sum_work;	 /* of the pause */
static double less;			 /* of the usual time, 0..1: by so much less is used */

/* [pause] */
static void raise_to(_Atomic uint64_t *most, uint64_t n)
{
	if (n > atomic_load_explicit(most, memory_order_relaxed))
		atomic_store_explicit(most, n, memory_order_relaxed);
}

void pause_work_begin(void)
{
	begun_clock = now_ns();
	begun_work = cpu_ns();
}

void pause_work_end(bool last)
{
	uint64_t work = cpu_ns() - begun_work, now = now_ns(), clock = now - begun_clock;

	status_add(cost.pause_ns, clock);
	sum_work += work;
	sum_clock += clock;
	if (!last) {
		left_clock = now;
		return;
	}
	status_add(paused_ns, begun_clock - left_clock);
	raise_to(&ojx.shm->status.max_pause_ns, sum_clock);
	raise_to(&ojx.shm->status.max_pause_work_ns, sum_work);
	less = 1 - pause_room(1 - less, sum_work, sum_clock);
	sum_work = sum_clock = 0;
}

uint64_t pause_allowed(uint64_t ns)
{
	return (uint64_t)((1 - less) * (double)ns);
}

/*
 * ---- measures the cost of allocation callbacks at little cost.
 *
 * Reading a thread's CPU clock is a system call; two of them were a tenth of a callback. The
 * processor's time stamp counter costs next to nothing, but it also counts while the thread is not
 * running. So the clock measures one callback in eight, and the counter measures the others. A
 * callback that seems long by the counter may only have waited: it counts as a usual one. A
 * callback that the clock finds long counts eightfold.
 */

#define ONE_IN	      8
#define LONG_NS	      250000u /* a longer callback may have waited */
#define USUAL_NS      30000u  /* until one has been measured */
#define SMOOTH	      16
#define CALIBRATED_NS 5000000u /* before this time the counter is not used */
#define FRACTION      32       /* bits of ns_per_cycle */

static bool reliable;
static uint64_t first_cycles, first_ns;
static _Atomic uint64_t ns_per_cycle; /* fixed point; 0: not known */
static _Atomic uint64_t usual_ns = USUAL_NS;

void callcost_init(void)
{
	reliable = arch_counter_constant();
	if (!reliable)
		return;
	first_cycles = arch_counter();
	first_ns = now_ns();
}

void callcost_calibrate(void)
{
	if (!reliable)
		return;
	uint64_t ns = now_ns() - first_ns, cycles = arch_counter() - first_cycles;
	if (ns > CALIBRATED_NS && cycles > ns >> 6)
		atomic_store_explicit(&ns_per_cycle,
				      (uint64_t)((double)ns / (double)cycles * (1ull << FRACTION)),
				      memory_order_relaxed);
}

struct callcost callcost_begin(void)
{
	struct callcost c = { .t = thread_known() };

	if (c.t && atomic_load_explicit(&ns_per_cycle, memory_order_relaxed) &&
	    random_below(&c.t->random, ONE_IN)) {
		c.cycles = arch_counter();
		return c;
	}
	c.cpu = cpu_ns();
	if (c.t)
		thread_count_cpu(c.t, c.cpu);
	return c;
}

uint64_t callcost_mark(void)
{
	return atomic_load_explicit(&ns_per_cycle, memory_order_relaxed) ? arch_counter() : 0;
}

uint64_t callcost_since(uint64_t mark)
{
	uint64_t factor = atomic_load_explicit(&ns_per_cycle, memory_order_relaxed);
	uint64_t ns = (uint64_t)(((unsigned __int128)(arch_counter() - mark) * factor) >> FRACTION);

	return mark && ns < LONG_NS ? ns : atomic_load_explicit(&usual_ns, memory_order_relaxed);
}

/* The cost by the clock. */
static uint64_t by_clock(const struct callcost *c)
{
	uint64_t ns = cpu_ns() - c->cpu;

	if (!c->t || !atomic_load_explicit(&ns_per_cycle, memory_order_relaxed))
		return ns;
	if (ns >= LONG_NS)
		return ns * ONE_IN;
	uint64_t usual = atomic_load_explicit(&usual_ns, memory_order_relaxed);
	atomic_store_explicit(&usual_ns, usual - usual / SMOOTH + ns / SMOOTH,
			      memory_order_relaxed);
	return ns;
}

uint64_t callcost_end(const struct callcost *c)
{
	uint64_t ns = c->cpu ? by_clock(c) : callcost_since(c->cycles);

	status_add(cost.callback_ns, ns);
	return ns;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * governor.c - spends the budget, no more, as evenly as the program permits.
 *
 * The budget of callbacks and traps is a share of the CPU time of the allocating threads, since
 * these bear the cost. While JIT compilers use other processors, 2 % of the process's CPU time may
 * be 5 % of the user's waiting time. In addition, callbacks, traps and the agent's own thread
 * together stay within the share of the process's CPU time. A credit at the start makes sampling
 * dense in a young program, since many programs do not live long. Each tick measures what each part
 * has cost in this run, and computes what may be spent in the next two seconds of CPU time. From
 * that it sets the sampling interval, the period of the access sampler's clock, and the allowances
 * of watch and scan.
 *
 * Half the interval does not cost twice as much: dense samples find their data in the caches.
 * Varying weights widen all confidence intervals. So the sampling interval changes by at most a
 * factor of two within a second, unless far too much is spent.
 *
 * With --exact the interval stays 0 and the cost of callbacks is not limited: the budget is that of
 * watch and scan alone.
 */
#define _GNU_SOURCE
#include "governor.h"

#include <math.h>

#include "analyse/watch.h"
#include "core/callcost.h"
#include "heap/alloc_interval.h"
#include "heap/scan.h"
#include "perf/allowance.h"
#include "perf/clock.h"
#include "perf/tickcost.h"

/*
 * Share of the budget. The rest is for the tool and for costs that the agent's clocks miss: the
 * VM's part of a sample, cold caches.
 */
#define AGENT_SHARE 0.7
/* Least share of the process's CPU time that is the program's: some threads never allocate. */
#define LEAST_OURS	   0.25
#define CREDIT_NS	   1e9	       /* CPU time whose budget may be spent in advance */
#define HORIZON_NS	   2e9	       /* CPU time over which a surplus or debt is spread */
#define YOUNG_NS	   2000000000u /* ticks are fast until then */
#define YOUNG_TICK_MS	   10
#define TICK_MS		   100
#define INTERVAL_FIRST	   (32u << 10)
#define INTERVAL_MIN	   (16u << 10)
#define INTERVAL_MAX	   (64u << 20)
#define ELASTICITY	   0.7 /* cost ~ (1/interval) ^ ELASTICITY */
#define STEADY		   2.0 /* the interval's largest factor of change within */
#define STEADY_NS	   1000000000u
#define TOO_MUCH	   2.0 /* at so many times the affordable cost, it changes at once */
#define WATCH_SHARE	   0.25
#define BOTH_SHARE	   0.6
#define ACCESS_SHARE	   0.9
#define SCAN_SHARE	   0.3
#define PAUSE_SHARE	   0.25
#define SMOOTH		   0.5 /* weight of the last tick in the rates */
#define SMOOTH_TICKS	   0.1 /* the same for the clock's ticks, which are rarer */
#define TICK_SHARE	   0.4 /* the clock's share; it misses the cold caches after a tick */
#define TICK_SHARE_BESIDES 0.3 /* if object contents are read as well */

/* CPU time of the process and of the allocating threads, and the cost of the agent's parts, ns. */
struct spent {
	double process, program, callbacks, traps, service;
	double ticks; /* the sampling clock's part of traps; in `rate`: at its full frequency */
};

static struct spent last;
static struct spent rate; /* per ns of the program's CPU time, smoothed; `program` is unused */

static double clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double counter(_Atomic uint64_t *c)
{
	return (double)atomic_load_explicit(c, memory_order_relaxed);
}

void governor_measure(void)
{
	struct wire_cost *c = &ojx.shm->status.cost;

	atomic_store(&c->cpu_ns, (uint64_t)clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	atomic_store(&c->wall_ns, now_ns() - ojx.start_ns);
}

/* Service thread: writes all clocks into the status; returns the sums. */
static struct spent measure(void)
{
	struct wire_cost *c = &ojx.shm->status.cost;

	governor_measure();
	callcost_calibrate();
	double least = LEAST_OURS * counter(&c->cpu_ns), program = counter(&ojx.program_ns);
	atomic_store(&c->service_ns, (uint64_t)clock_ns(CLOCK_THREAD_CPUTIME_ID));
	return (struct spent){
		.process = counter(&c->cpu_ns),
		.program = program > least ? program : least,
		.callbacks = alloc_exact() ? 0 : counter(&c->callback_ns),
		.traps = counter(&c->trap_ns),
		.service = counter(&c->service_ns),
		.ticks = (double)tickcost_spent(),
	};
}

static double smooth(double old, double now)
{
	return old + SMOOTH * (now - old);
}

static double limit(double x, double low, double high)
{
	return x < low ? low : x > high ? high : x;
}

/*
 * What may be spent from now on, ns per ns of a CPU time that is now `cpu`, if `spent` was spent so
 * far.
 */
static double affordable(double cpu, double spent)
{
	double share = ojx.config.budget / 100 * AGENT_SHARE;
	double left = share * (cpu + CREDIT_NS) - spent;

	return limit(share + left / HORIZON_NS, share / 10, 4 * share);
}

/* What callbacks and traps may cost from now on, ns per ns of the program's CPU time. */
static double affordable_both(const struct spent *s)
{
	double ours = s->callbacks + s->traps;
	double program = affordable(s->program, ours);
	double process = affordable(s->process, ours + s->service) * rate.process - rate.service;

	return limit(process, program / 10, program);
}

/* The allowed interval nearest to `next`, so that weights vary little. */
static double steadily(double next, bool too_much)
{
	static double base;
	static uint64_t since;

	if (!since || now_ns() - since > STEADY_NS) {
		base = (double)alloc_interval();
		since = now_ns();
	}
	return limit(next, base / STEADY, too_much ? INTERVAL_MAX : base * STEADY);
}

/* Moves the interval so that callbacks cost `target` per ns; ignores small differences. */
static void steer_interval(double target)
{
	double interval = (double)alloc_interval();
	double ratio = limit(rate.callbacks / target, 0.25, 8);

	if (ojx.config.interval || alloc_exact() || (ratio > 0.9 && ratio < 1.1))
		return;
	double next = limit(interval * pow(ratio, 1 / ELASTICITY), INTERVAL_MIN, INTERVAL_MAX);
	next = steadily(next, ratio > TOO_MUCH);
	/* the rates belong to the old interval */
	if (next != interval && alloc_set_interval((uint64_t)next))
		rate.callbacks *= pow(interval / next, ELASTICITY);
}

/* Sets the clock's period so that ticks cost no more than their part of `afford`. */
static void steer_clock(double afford)
{
	bool alone = ojx.config.flags & WIRE_NO_CONTENTS;
	double times = clock_times();
	double wanted = rate.ticks / (afford * (alone ? TICK_SHARE : TICK_SHARE_BESIDES));

	if (!clock_governed() || (wanted > times - 1 && wanted < times + 0.25))
		return;
	clock_set_times((uint32_t)limit(ceil(wanted - 0.25), 1, WIRE_LEFT_OUT + 1));
}

/* Share of watches: for uses, for accesses, or both. */
static double watch_share(void)
{
	if (ojx.config.flags & WIRE_NO_OBJECTS)
		return ACCESS_SHARE;
	return ojx.config.waste ? BOTH_SHARE : WATCH_SHARE;
}

static void grant(double afford, double cpu)
{
	double share = ojx.config.budget / 100;

	watch_grant((uint64_t)(afford * watch_share() * cpu));
	scan_grant((uint64_t)(afford * SCAN_SHARE * cpu), share * PAUSE_SHARE);
}

void governor_start(void)
{
	governor_measure();
	callcost_init();
	last = (struct spent){ .process = counter(&ojx.shm->status.cost.cpu_ns) };
	last.program = LEAST_OURS * last.process;
	rate = (struct spent){ 0 };
	alloc_set_interval(alloc_exact()	 ? 0
			   : ojx.config.interval ? ojx.config.interval
						 : INTERVAL_FIRST);
	grant(ojx.config.budget / 100, CREDIT_NS / 10);
}

void governor_tick(void)
{
	struct spent s = measure();
	double cpu = s.program - last.program;

	if (cpu < 1e6)
		return; /* idle process: nothing to measure, nothing to spend */
	rate.process = smooth(rate.process, (s.process - last.process) / cpu);
	rate.callbacks = smooth(rate.callbacks, (s.callbacks - last.callbacks) / cpu);
	rate.traps = smooth(rate.traps, (s.traps - last.traps) / cpu);
	rate.ticks += SMOOTH_TICKS * ((s.ticks - last.ticks) / cpu * clock_times() - rate.ticks);
	rate.service = smooth(rate.service, (s.service - last.service) / cpu);
	last = s;

	double afford = affordable_both(&s);
	double rest = afford - rate.traps;
	steer_clock(afford);
	steer_interval(rest > afford / 3 ? rest : afford / 3);
	grant(afford, cpu);
}

int governor_pause(void)
{
	return now_ns() - ojx.start_ns < YOUNG_NS ? YOUNG_TICK_MS : TICK_MS;
}

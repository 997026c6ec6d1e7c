/* SPDX-License-Identifier: Apache-2.0 */
/*
 * governor.c - spends the budget, and no more, as evenly as a program lets it.
 *
 * What callbacks and traps may spend grows with the CPU time of the threads that allocate, which
 * bear it: with JIT compilers at work on other processors, 2 % of the process's CPU time may be 5 %
 * of the time that the user waits. Together with the agent's own thread they keep within the
 * process's CPU time, too. A credit at the start makes the sampling dense when a program is young,
 * since many do not live long. Each tick compares what each part has cost, as measured in this run,
 * with what may be spent over the next two seconds of CPU time, and sets the sampling interval, the
 * period of the clock that samples accesses, the watch's and the scan's allowances.
 *
 * The interval follows from how much is allocated and what a sample costs, kept and only counted
 * ones together. Both are means over the last half second of the program's time, as ten samples
 * tell little of either. The service thread has to take a snapshot of each kept object, and a
 * sample without one is worth little. So a sample costs the process its callback and its snapshot,
 * and the scan may spend what the snapshots of all kept objects cost. Weights that vary widen all
 * intervals, so within a second the sampling interval changes by a factor of two at most, unless
 * too much has been spent.
 *
 * All of that is the whole cost, with what no clock sees (wire.h), and the tool's is part of
 * it. Only allowances that others count by their own clocks are measured times.
 *
 * With --exact the callbacks cost what they cost: the interval stays 0, and the budget is that of
 * watch and scan alone.
 */
#define _GNU_SOURCE
#include "governor.h"

#include <math.h>

#include "core/cost.h"
#include "core/part.h"
#include "core/trace.h"
#include "wire/wire.h"

/* Share of the budget. The rest is for the last round and what the tool does after it. */
#define SHARE 0.9
/* Least share of the process's CPU time that is the program's: some threads never allocate. */
#define LEAST_OURS    0.25
#define CREDIT_NS     1.4e9	  /* CPU time whose budget may be spent in advance */
#define SURPLUS_NS    1e9	  /* CPU time over which a surplus is spread */
#define DEBT_NS	      4e9	  /* the same for a debt */
#define LEAST	      0.3	  /* of the budget, whatever the service thread costs */
#define LEAST_DEBT    0.1	  /* the same in debt */
#define YOUNG_NS      2000000000u /* ticks are fast until then */
#define YOUNG_TICK_MS 10
#define TICK_MS	      100
#define TICK_MOST_MS  400
#define TICKS	      12      /* between two collections, if these bounds permit */
#define BUSY	      0.5     /* processors; a process that uses less gets fewer ticks, */
#define IDLE_TIMES    5	      /* but not fewer than one in so many */
#define SAMPLE_NS     36000.0 /* cost of a callback until some have been measured */
#define SNAPSHOT_NS   36000.0 /* the same of a snapshot on the service thread */
#define COST_WEIGHT   8.0     /* of these, in samples and snapshots */
#define MEMORY	      64.0    /* samples over which their cost is averaged */
#define MEMORY_NS     5e8     /* CPU time of the program over which rates are averaged */
#define SERVICE_NS    2e8     /* the same for the service thread, busiest at the start */
#define SMOOTH_TICKS  0.1     /* weight of the last tick in the rate of the clock's ticks */

/* CPU time of the process and of the allocating threads, and the whole cost of the parts, ns. */
struct spent {
	double process, program, callbacks, traps;
	double service; /* with the tool, and with what GC pauses grew */
	double scan;	/* part of `service` */
	double samples, counted, snapshots;
	double wall;  /* the time, ns */
	double bytes; /* allocated, as a rate */
	double ticks; /* the sampling clock's part of the traps; as a rate, as if it were at its
			 full one */
	double tick_times, interval; /* now, as in struct part_cost */
};

static struct spent last;
static double tool_before;     /* the tool's time until sampling began, */
static uint64_t begun_cpu_ns;  /* and this thread's */
static uint64_t begin_cost_ns; /* what beginning and end cost, outside the service thread */
static struct spent rate;      /* per ns of the program's CPU time, smoothed; program unused */

/* A mean over the last events of a kind. */
struct mean {
	double value, events;
};

static double
	busy; /* processors that the process used since the last tick with something to learn */

static struct mean sample_ns;	/* what a callback costs */
static struct mean snapshot_ns; /* what a snapshot costs the service thread */
static struct mean kept;	/* share of samples that are not only counted */

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

void governor_begin(void)
{
	if (ojx.attached)
		ojx.cpu_before_ns = (uint64_t)clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	begun_cpu_ns = cpu_ns();
}

void governor_begun(void)
{
	begin_cost_ns = cpu_ns() - begun_cpu_ns;
}

void governor_end(uint64_t since_cpu_ns)
{
	governor_measure();
	status_add(cost.service_ns, cpu_ns() - since_cpu_ns);
}

void governor_measure(void)
{
	struct wire_cost *c = &ojx.shm->status.cost;

	uint64_t cpu = (uint64_t)clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	atomic_store_explicit(&c->cpu_ns, cpu - ojx.cpu_before_ns, memory_order_relaxed);
	atomic_store_explicit(&c->wall_ns, now_ns() - ojx.start_ns, memory_order_relaxed);
}

/* On the service thread: all clocks into the status; returns the sums. */
static struct spent measure(void)
{
	struct wire_cost *c = &ojx.shm->status.cost;
	struct part_cost parts = parts_cost();
	bool exact = ojx.config.flags & WIRE_EXACT;

	governor_measure();
	callcost_calibrate();
	double cpu = counter(&c->cpu_ns), wall = counter(&c->wall_ns);
	double least = LEAST_OURS * cpu, program = counter(&ojx.program_ns);
	double samples = counter(&ojx.shm->status.sampled), ticks = parts.tick_ns;
	double service = clock_ns(CLOCK_THREAD_CPUTIME_ID), traps = counter(&c->trap_ns) - ticks;
	double tool = fmax(counter(&ojx.shm->tool_ns) - tool_before, 0);
	double pauses = wall > 0 ? counter(&c->pause_ns) / wall * cpu : 0;
	atomic_store_explicit(&c->service_ns, (uint64_t)service + begin_cost_ns,
			      memory_order_relaxed);
	atomic_store_explicit(&c->tick_ns, (uint64_t)ticks, memory_order_relaxed);
	return (struct spent){
		.process = cpu,
		.wall = (double)now_ns(),
		.program = program > least ? program : least,
		.callbacks = exact ? 0 : wire_cost_whole(counter(&c->callback_ns), samples),
		.traps = ticks + wire_cost_whole(fmax(traps, 0), 0),
		.service = wire_cost_whole(service + tool, 0) + pauses,
		.scan = wire_cost_whole(parts.snapshot_ns, 0),
		.samples = samples,
		.counted = counter(&ojx.shm->status.counted),
		.snapshots = parts.snapshots,
		.ticks = ticks,
		.tick_times = parts.tick_times,
		.interval = parts.interval,
	};
}

/* The weight of what is new, of `amount`, in a mean over about `memory`, all `so_far` at first. */
static double weight_of(double amount, double so_far, double memory)
{
	return fmax(1 - exp(-amount / memory), amount / fmax(so_far, amount));
}

static double limit(double x, double low, double high)
{
	return x < low ? low : x > high ? high : x;
}

/* What was spent beyond the budget so far, credit included; negative: what is left of it. */
static double debt_of(const struct spent *s)
{
	double share = ojx.config.budget / 100 * SHARE, ours = s->callbacks + s->traps;
	double program = ours - share * (s->program + CREDIT_NS);
	double process = ours + s->service - share * (s->process + CREDIT_NS);

	return fmax(program, process);
}

/* ns per ns of a CPU time, now `cpu`, that may be spent from now on, if it was `spent` until now.
 */
static double affordable(double cpu, double spent)
{
	double share = ojx.config.budget / 100 * SHARE;
	double left = share * (cpu + CREDIT_NS) - spent;

	left /= left > 0 ? SURPLUS_NS : DEBT_NS;
	return limit(share + left, share * LEAST_DEBT, 4 * share);
}

/* What the snapshot of a sample costs, in callbacks. */
static double snapshot_cost(void)
{
	return ojx.scan_on ? kept.value * snapshot_ns.value / sample_ns.value : 0;
}

/* What may be spent from now on, ns per ns of the program's CPU time. */
struct afford {
	double both;	  /* callbacks and traps */
	double callbacks; /* the most, so that the snapshots of their objects can be paid, too */
};

static struct afford affordable_now(const struct spent *s)
{
	double ours = s->callbacks + s->traps;
	double program = affordable(s->program, ours);
	double process = affordable(s->process, ours + s->service) * rate.process - rate.service;
	double share = ojx.config.budget / 100 * SHARE;
	double deep = limit(debt_of(s) / fmax(share * CREDIT_NS, 1), 0, 1);
	double least = program * (LEAST + deep * (LEAST_DEBT - LEAST));
	double both = limit(process, least, program);
	double with_scan = fmax(process + rate.scan, least) - rate.traps;
	double callbacks = fmin(program - rate.traps, with_scan / (1 + snapshot_cost()));

	return (struct afford){ both, fmax(callbacks, least / 3) };
}

/* Learns from `n` events of `sum` together. */
static void learn(struct mean *m, double n, double sum)
{
	if (n < 1)
		return;
	m->events += n;
	m->value += weight_of(n, m->events, MEMORY) * (sum / n - m->value);
}

static bool is_young(void)
{
	return now_ns() - ojx.start_ns < YOUNG_NS;
}

/* What parts may spend until the next tick, which comes after about as much CPU time again. */
static void grant(const struct afford *afford, double cpu, double debt)
{
	const struct part_budget budget = {
		.young = is_young(),
		.share = ojx.config.budget / 100,
		.cpu = cpu,
		.both = afford->both,
		.callbacks = afford->callbacks,
		.debt = debt,
		.bytes = rate.bytes,
		.sample_ns = sample_ns.value,
		.snapshot_cost = snapshot_cost(),
		.ticks = rate.ticks,
	};

	parts_budget(&budget);
	trace("budget: callbacks and traps may take %.3f %%, callbacks %.3f %% of the program's "
	      "%.1f ms; %.1f ms are %s; a sample takes %.1f us, a snapshot %.2f of that",
	      afford->both * 100, afford->callbacks * 100, cpu / 1e6, fabs(debt) / 1e6,
	      debt > 0 ? "owed" : "left", sample_ns.value / 1e3, snapshot_cost());
}

void governor_start(void)
{
	governor_measure();
	callcost_init();
	last = (struct spent){ .process = counter(&ojx.shm->status.cost.cpu_ns),
			       .wall = (double)now_ns() };
	busy = BUSY;
	tool_before = counter(&ojx.shm->tool_ns);
	last.program = LEAST_OURS * last.process;
	rate = (struct spent){ 0 };
	sample_ns = (struct mean){ SAMPLE_NS, COST_WEIGHT };
	snapshot_ns = (struct mean){ SNAPSHOT_NS, COST_WEIGHT };
	kept = (struct mean){ 1, COST_WEIGHT };
	const struct part_budget first = {
		.first = true,
		.share = ojx.config.budget / 100,
		.cpu = CREDIT_NS / 10,
		.both = ojx.config.budget / 100,
		.callbacks = ojx.config.budget / 200,
		.snapshot_cost = snapshot_cost(),
	};
	parts_budget(&first);
}

void governor_tick(void)
{
	struct spent s = measure();
	double cpu = s.program - last.program;

	busy = (s.process - last.process) / fmax(s.wall - last.wall, 1);
	if (cpu < 1e6)
		return; /* an idle process: nothing to learn, nothing to spend */
	double n = s.samples - last.samples, w = weight_of(cpu, s.program, MEMORY_NS);
	rate.process += w * ((s.process - last.process) / cpu - rate.process);
	rate.bytes += w * (n * s.interval / cpu - rate.bytes);
	rate.traps += w * ((s.traps - last.traps) / cpu - rate.traps);
	rate.ticks += SMOOTH_TICKS * ((s.ticks - last.ticks) / cpu * s.tick_times - rate.ticks);
	w = weight_of(cpu, s.program, SERVICE_NS);
	rate.service += w * ((s.service - last.service) / cpu - rate.service);
	rate.scan += w * ((s.scan - last.scan) / cpu - rate.scan);
	learn(&sample_ns, n, s.callbacks - last.callbacks);
	learn(&snapshot_ns, s.snapshots - last.snapshots, s.scan - last.scan);
	learn(&kept, n, n - (s.counted - last.counted));
	last = s;

	struct afford afford = affordable_now(&s);
	grant(&afford, cpu, debt_of(&s));
}

/*
 * A round has to come before the collection that moves the objects which wait for their snapshots.
 */
int governor_pause(void)
{
	double epoch = (double)epoch_length() / 1e6;
	double ms = is_young() ? YOUNG_TICK_MS : TICK_MS;

	if (ojx.config.nevents)
		return (int)ms; /* samples of accesses come at any time */
	if (!is_young())
		ms = limit(epoch / TICKS, TICK_MS, TICK_MOST_MS);
	return (int)(ms * limit(BUSY / fmax(busy, BUSY / IDLE_TIMES), 1, IDLE_TIMES));
}

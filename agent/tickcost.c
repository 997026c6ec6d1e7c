/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tickcost.c - see tickcost.h. The median of a few: other programs that run in between would make the mean too large. A POSIX timer
 * comes with the kernel's own tick, so that the signal alone is what it costs.
 */
#define _GNU_SOURCE
#include "tickcost.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "breakpoint.h"
#include "trap.h"

#define TICKS	  15u
#define PERIOD_NS 250000u
#define LIMIT_NS  50000000u /* wall; what has come until then has to do */

static _Atomic uint64_t kernel_ns, spent_ns;

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* What is missing around ticks of a timer. Returns how many came. */
static uint32_t watch_timer(uint64_t missing[TICKS])
{
	int fd = breakpoint_open_timer(PERIOD_NS, trap_trial_data());
	uint64_t begin = now_ns(), last = begin, gap = 0;
	uint32_t n = 0, before = trap_trials();

	if (fd < 0)
		return 0;
	breakpoint_start_timer(fd);
	while (n < TICKS && last - begin < LIMIT_NS) {
		uint32_t seen = trap_trials();
		uint64_t now = now_ns(), previous = gap;
		gap = now - last;
		last = now;
		if (seen == before)
			continue;
		/* it came just after the last time was read, or just before: then its gap is the last one */
		missing[n++] = gap > previous ? gap : previous;
		before = seen;
	}
	breakpoint_disarm(fd);
	breakpoint_close(fd);
	return n;
}

/* The same of signals as a POSIX timer sends them, by this thread to itself. */
static uint32_t send_signals(uint64_t missing[TICKS])
{
	siginfo_t info;
	uint32_t n = 0, before = trap_trials();

	memset(&info, 0, sizeof info);
	info.si_signo = SIGTRAP;
	info.si_code = SI_TIMER;
	info.si_value.sival_ptr =
		(void *)(uintptr_t)trap_trial_data(); /* NOLINT(performance-no-int-to-ptr) */
	while (n < TICKS) {
		uint64_t start = now_ns();
		if (syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGTRAP, &info) != 0)
			break;
		missing[n++] = now_ns() - start;
	}
	return trap_trials() - before == n ? n : 0;
}

void tickcost_measure(bool perf)
{
	uint64_t missing[TICKS];

	if (trap_blocked())
		return;
	uint32_t n = perf ? watch_timer(missing) : send_signals(missing);
	if (n == 0)
		return;
	qsort(missing, n, sizeof *missing, compare);
	atomic_store(&kernel_ns, missing[n / 2]);
}

uint64_t tickcost_ns(void)
{
	return atomic_load_explicit(&kernel_ns, memory_order_relaxed);
}

void tickcost_add(uint64_t ns)
{
	atomic_fetch_add_explicit(&spent_ns, ns, memory_order_relaxed);
}

uint64_t tickcost_spent(void)
{
	return atomic_load_explicit(&spent_ns, memory_order_relaxed);
}

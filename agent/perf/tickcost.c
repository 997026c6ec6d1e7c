/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tickcost.c - see tickcost.h.
 *
 * A round of work takes about as long as the time between two ticks. The cost of a tick is the time
 * of a round with a tick and the next round, which finds colder caches, minus the time of two
 * rounds without one. The median is used, since other programs in between would make the mean too
 * large. A POSIX timer comes with the kernel's own tick, so its cost is that of the signal alone.
 */
#define _GNU_SOURCE
#include "perf/tickcost.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "perf/breakpoint.h"
#include "perf/signals.h"

#define TICKS	  9u
#define PERIOD_NS 300000u
#define MEMORY	  (2u << 20) /* bytes: as many pages as the TLB of a processor holds */
#define READS	  8192u	     /* tens of microseconds */
#define LIMIT_NS  50000000u  /* wall time; the measurement ends then */

static _Atomic uint64_t kernel_ns, spent_ns;

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* A round of work: reads the memory in an order that no prefetcher predicts. */
static uint64_t work(const unsigned char *memory)
{
	uint64_t at = 1, sum = 0, start = now_ns();

	for (uint32_t i = 0; i < READS; i++) {
		at = at * 6364136223846793005u + 1442695040888963407u;
		sum += atomic_load_explicit((_Atomic unsigned char *)&memory[(at >> 33) % MEMORY],
					    memory_order_relaxed);
	}
	(void)sum;
	return now_ns() - start;
}

static uint64_t median(uint64_t *values, uint32_t n)
{
	qsort(values, n, sizeof *values, compare);
	return values[n / 2];
}

/* The time of two rounds with a tick in the first (0: unknown), and of two without. */
static void work_with(int timer, const unsigned char *memory, uint64_t *with, uint64_t *without)
{
	uint64_t pairs[TICKS], begin = now_ns();
	uint32_t n = 0;

	for (uint32_t i = 0; i < TICKS; i++)
		pairs[i] = work(memory) + work(memory);
	*without = median(pairs, TICKS);
	breakpoint_start_timer(timer);
	for (uint32_t before = signals_tried(); n < TICKS && now_ns() - begin < LIMIT_NS;) {
		uint64_t first = work(memory);
		uint32_t seen = signals_tried();
		if (seen == before)
			continue;
		uint64_t both = first + work(memory);
		/* a second tick would be counted as part of the first */
		if (signals_tried() == seen && seen == before + 1)
			pairs[n++] = both;
		before = signals_tried();
	}
	breakpoint_disarm(timer);
	*with = n ? median(pairs, n) : 0;
}

/* Measures ticks of perf's timer. False if that failed. */
static bool watch_timer(uint64_t *ns)
{
	unsigned char *memory = memory_new(1, MEMORY);
	int timer = memory ? breakpoint_open_timer(0, PERIOD_NS) : -1;
	uint64_t with = 0, without = 0;

	if (timer >= 0) {
		memset(memory, 1, MEMORY); /* gives it pages of its own */
		signals_try(timer);
		work_with(timer, memory, &with, &without);
		signals_try(-1);
		breakpoint_close(timer);
	}
	memory_free(memory);
	*ns = with - without;
	return with > without;
}

/*
 * The same for signals that this thread sends itself: they cost as much as those of a POSIX timer.
 */
static bool send_signals(uint64_t *ns)
{
	uint64_t each[TICKS];
	uint32_t n = 0, before = signals_tried();

	signals_try(SIGNALS_RAISED);
	while (n < TICKS) {
		uint64_t start = now_ns();
		if (raise(SIGNALS_NUMBER) != 0)
			break;
		each[n++] = now_ns() - start;
	}
	signals_try(-1);
	*ns = n ? median(each, n) : 0;
	return n > 0 && signals_tried() - before == n;
}

void tickcost_measure(bool perf)
{
	uint64_t ns;

	if (!signals_blocked() && (perf ? watch_timer(&ns) : send_signals(&ns)))
		atomic_store_explicit(&kernel_ns, ns, memory_order_relaxed);
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

/* SPDX-License-Identifier: Apache-2.0 */
/* pause.c - see pause.h. */
#include "core/pause.h"

#include "core/state.h"

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

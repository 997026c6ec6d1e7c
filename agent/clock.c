/* SPDX-License-Identifier: Apache-2.0 */
/* clock.c - see clock.h. */
#define _GNU_SOURCE
#include "clock.h"

#include <ucontext.h>

#include "ahead.h"
#include "breakpoint.h"
#include "thread.h"
#include "trap.h"

#define SECOND_NS 1000000000u

static uint64_t period(struct thread *t, uint32_t event)
{
	const struct wire_event *e = &ojx.config.event[event];
	uint64_t ns = e->period ? e->period : SECOND_NS / e->hz;
	return ns / 2 + random_below(&t->sample_random, ns);
}

int clock_open(struct thread *t, uint32_t event)
{
	return breakpoint_open_timer(period(t, event), trap_sample_data(event));
}

void clock_close(struct thread *t, uint32_t event, int fd)
{
	(void)event;
	(void)t;
	breakpoint_close(fd);
}

/* [handler] */
static struct access access_of(const void *ucontext, const struct ahead_access *a,
			       enum access_kind kind)
{
	uint64_t ip = (uint64_t)((const ucontext_t *)ucontext)->uc_mcontext.gregs[REG_RIP];
	struct access access = {
		.address = ahead_address(ucontext, a),
		.ip = ip + (uint64_t)(int64_t)a->end - a->insn_len,
		.end = ip + (uint64_t)(int64_t)a->end,
		.object = ahead_object(ucontext, a),
		.cpu = -1,
		.flags = WIRE_ACCESS_TIME |
			 (kind == ACCESS_STORE ? WIRE_ACCESS_STORE : WIRE_ACCESS_LOAD),
		.size = a->size,
		.floating = a->floating,
		.kind = (uint8_t)kind,
		.ucontext = ucontext,
	};

	if (!sampler_in_heap(access.object, 1))
		access.object = 0;
	return access;
}

/* [handler] The first of the accesses that is one of the heap; NULL where none is. */
static const struct ahead_access *first_of(const void *ucontext,
					   const struct ahead_access a[AHEAD_ACCESSES])
{
	for (int i = 0; i < AHEAD_ACCESSES && a[i].size; i++)
		if (sampler_in_heap(ahead_address(ucontext, &a[i]), a[i].size))
			return &a[i];
	return NULL;
}

unsigned clock_find(struct thread *t, uint32_t event, const void *ucontext, uintptr_t fault,
		    struct access to[SAMPLER_ACCESSES])
{
	struct ahead ahead;
	unsigned n = 0;

	(void)fault;
	breakpoint_set_period(t->sampler[event], period(t, event));
	if (!ucontext || !ahead_find(ucontext, &ahead))
		return 0;
	const struct ahead_access *load = first_of(ucontext, ahead.load);
	const struct ahead_access *store = first_of(ucontext, ahead.store);
	bool store_first = load && store && store->step < load->step;
	if (store_first)
		to[n++] = access_of(ucontext, store, ACCESS_STORE);
	if (load)
		to[n++] = access_of(ucontext, load, ACCESS_LOAD);
	if (store && !store_first)
		to[n++] = access_of(ucontext, store, ACCESS_STORE);
	return n;
}

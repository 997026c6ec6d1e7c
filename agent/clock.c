/* SPDX-License-Identifier: Apache-2.0 */
/* clock.c - see clock.h. */
#define _GNU_SOURCE
#include "clock.h"

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
static struct access access_of(const struct ahead_state *s, const struct ahead_access *a,
			       enum access_kind kind)
{
	struct access access = {
		.address = ahead_address(s, a),
		.ip = s->ip + (uint64_t)(int64_t)a->end - a->insn_len,
		.end = s->ip + (uint64_t)(int64_t)a->end,
		.object = ahead_object(s, a),
		.cpu = -1,
		.flags = WIRE_ACCESS_TIME |
			 (kind == ACCESS_STORE ? WIRE_ACCESS_STORE : WIRE_ACCESS_LOAD),
		.size = a->size,
		.floating = a->floating,
		.kind = (uint8_t)kind,
	};

	if (!sampler_in_heap(access.object, 1))
		access.object = 0;
	return access;
}

/* [handler] The first of the accesses that is one of the heap; NULL where none is. */
static const struct ahead_access *first_of(const struct ahead_state *s,
					   const struct ahead_access a[AHEAD_ACCESSES])
{
	for (int i = 0; i < AHEAD_ACCESSES && a[i].size; i++)
		if (sampler_in_heap(ahead_address(s, &a[i]), a[i].size))
			return &a[i];
	return NULL;
}

unsigned clock_choose(const struct ahead_state *s, const struct ahead *ahead,
		      struct access to[SAMPLER_ACCESSES])
{
	const struct ahead_access *load = first_of(s, ahead->load);
	const struct ahead_access *store = first_of(s, ahead->store);
	bool store_first = load && store && store->step < load->step;
	unsigned n = 0;

	if (store_first)
		to[n++] = access_of(s, store, ACCESS_STORE);
	if (load)
		to[n++] = access_of(s, load, ACCESS_LOAD);
	if (store && !store_first)
		to[n++] = access_of(s, store, ACCESS_STORE);
	return n;
}

unsigned clock_find(struct thread *t, uint32_t event, const void *ucontext, uintptr_t fault,
		    struct access to[SAMPLER_ACCESSES])
{
	struct ahead_state state;
	struct ahead ahead;

	(void)fault;
	breakpoint_set_period(t->sampler[event], period(t, event));
	if (!ucontext)
		return 0;
	if (!ahead_find(ucontext, &ahead))
		return SAMPLER_NOT_DECODED;
	ahead_state_of(ucontext, &state);
	unsigned n = clock_choose(&state, &ahead, to);
	for (unsigned i = 0; i < n; i++)
		to[i].ucontext = ucontext;
	return n;
}

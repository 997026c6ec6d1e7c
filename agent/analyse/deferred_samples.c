/* SPDX-License-Identifier: Apache-2.0 */
/* deferred_samples.c - see deferred_samples.h. */
#define _GNU_SOURCE
#include "analyse/deferred_samples.h"

#include <sched.h>
#include <string.h>

#include "arch/arch.h"
#include "code/next_access.h"
#include "core/link.h"
#include "core/memory.h"
#include "core/thread.h"
#include "hotspot/walk.h"
#include "perf/clock.h"
#include "perf/sampler.h"

#define ROOM   512u
#define PROBES 16u

enum { LATER_EMPTY, LATER_FILLING, LATER_FULL };

struct deferred {
	_Atomic uint32_t state;
	int32_t cpu;
	uint32_t stack;
	uint32_t on;	 /* index of the thread */
	uint16_t thread; /* its number */
	uint64_t epoch;
	struct next_access_state at; /* its `frame` is unused; the words follow */
	uint64_t frame[NEXT_ACCESS_WORDS];
	uint8_t left_out;
	uint8_t len;
	uint8_t code[CODE_BYTES]; /* the first `len` are valid */
};

static struct deferred *room; /* NULL: no samples are deferred */
static deferred_samples_user *user;
static _Atomic uint32_t cursor;
static uint64_t random_state; /* of the service thread */

void deferred_samples_init(deferred_samples_user *u)
{
	user = u;
	room = memory_new(ROOM, sizeof *room);
}

/* ---- in the handler -------------------------------------------------------------------- */

/* [handler] The calling context of the instruction at which the thread was interrupted. */
static uint32_t stack_of(struct thread *t, const void *ucontext)
{
	return walk_stack(t, ucontext, arch_pc(ucontext));
}

/* [handler] */
static void fill(struct deferred *l, struct thread *t, const void *ucontext)
{
	bool numa = ojx.config.flags & WIRE_NUMA;

	l->epoch = epoch_now();
	next_access_state_of(ucontext, &l->at);
	uintptr_t low = (uintptr_t)l->at.frame;
	uintptr_t bytes = t->stack_high > low ? t->stack_high - low : 0;
	l->at.words =
		bytes < sizeof l->frame ? (uint32_t)(bytes / sizeof *l->frame) : NEXT_ACCESS_WORDS;
	memcpy(l->frame, l->at.frame, l->at.words * sizeof *l->frame);
	l->len = next_access_save_code(l->at.ip, l->code);
	l->cpu = numa ? sched_getcpu() : 0;
	l->stack = stack_of(t, ucontext);
	l->left_out = t->left_out;
	l->on = t->index;
	l->thread = thread_number(t);
}

void deferred_samples_keep(struct thread *t, const void *ucontext)
{
	for (uint32_t i = 0; room && i < PROBES; i++) {
		struct deferred *l =
			&room[atomic_fetch_add_explicit(&cursor, 1, memory_order_relaxed) % ROOM];
		uint32_t empty = LATER_EMPTY;
		if (!atomic_compare_exchange_strong_explicit(&l->state, &empty, LATER_FILLING,
							     memory_order_acq_rel,
							     memory_order_acquire))
			continue;
		fill(l, t, ucontext);
		atomic_store_explicit(&l->state, LATER_FULL, memory_order_release);
		return;
	}
	limit_reached(WIRE_LIMIT_WAITING);
}

/* ---- on the service thread ------------------------------------------------------------- */

static void send(struct link_ring *ring, const struct deferred *l)
{
	struct access found[SAMPLER_ACCESSES];
	struct next_access_state state = l->at;
	struct next_access ahead;

	state.frame = l->frame;
	if (!next_access_learn(l->at.ip, l->code, l->len, &ahead))
		return;
	unsigned n = clock_choose(&state, &ahead, false, &random_state, found);
	if (n == 0 || n == SAMPLER_NOT_DECODED)
		return;
	status_add(located, 1);
	found[0].cpu = l->cpu;
	found[0].left_out = l->left_out;
	struct deferred_sample late = {
		.epoch = l->epoch, .on = thread_at(l->on), .stack = l->stack, .thread = l->thread
	};
	user(ring, &found[0], &late);
}

unsigned deferred_samples_serve(struct link_ring *ring)
{
	unsigned n = 0;

	for (uint32_t i = 0; room && i < ROOM; i++) {
		if (atomic_load_explicit(&room[i].state, memory_order_acquire) != LATER_FULL)
			continue;
		send(ring, &room[i]);
		atomic_store_explicit(&room[i].state, LATER_EMPTY, memory_order_release);
		n++;
	}
	atomic_store_explicit(&cursor, 0,
			      memory_order_relaxed); /* so that usually few pages are touched */
	return n;
}

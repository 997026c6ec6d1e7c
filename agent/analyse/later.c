/* SPDX-License-Identifier: Apache-2.0 */
/* later.c - see later.h. */
#define _GNU_SOURCE
#include "analyse/later.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "analyse/locality.h"
#include "code/ahead.h"
#include "core/link.h"
#include "core/thread.h"
#include "hotspot/walk.h"
#include "perf/clock.h"

#define ROOM   512u
#define PROBES 16u

enum { LATER_EMPTY, LATER_FILLING, LATER_FULL };

struct later {
	_Atomic uint32_t state;
	int32_t cpu;
	uint32_t stack;
	uint32_t on;	 /* index of the thread */
	uint16_t thread; /* its number */
	uint64_t epoch;
	struct ahead_state at; /* `frame` is not used: the words are here */
	uint64_t frame[AHEAD_WORDS];
	uint8_t left_out;
	uint8_t len;
	uint8_t code[CODE_BYTES]; /* `len` of them */
};

static struct later *room; /* NULL: nothing is kept */
static _Atomic uint32_t cursor;

void later_init(void)
{
	room = calloc(ROOM, sizeof *room);
}

/* ---- in the handler -------------------------------------------------------------------- */

/* [handler] The calling context of the instruction at which the thread was interrupted. */
static uint32_t stack_of(struct thread *t, const void *ucontext)
{
	ucontext_t context = *(const ucontext_t *)ucontext;

	context.uc_mcontext.gregs[REG_RIP]++; /* walks begin behind an instruction */
	return walk_stack(t, &context, 1);
}

/* [handler] */
static void fill(struct later *l, struct thread *t, const void *ucontext)
{
	bool numa = ojx.config.flags & WIRE_NUMA;

	l->epoch = epoch_now();
	ahead_state_of(ucontext, &l->at);
	uintptr_t low = (uintptr_t)l->at.frame;
	uintptr_t bytes = t->stack_high > low ? t->stack_high - low : 0;
	l->at.words = bytes < sizeof l->frame ? (uint32_t)(bytes / sizeof *l->frame) : AHEAD_WORDS;
	memcpy(l->frame, l->at.frame, l->at.words * sizeof *l->frame);
	l->len = ahead_save_code(l->at.ip, l->code);
	l->cpu = numa ? sched_getcpu() : 0;
	l->stack = stack_of(t, ucontext);
	l->left_out = t->left_out;
	l->on = t->index;
	l->thread = t->number;
}

void later_keep(struct thread *t, const void *ucontext)
{
	for (uint32_t i = 0; room && i < PROBES; i++) {
		struct later *l = &room[atomic_fetch_add(&cursor, 1) % ROOM];
		uint32_t empty = LATER_EMPTY;
		if (!atomic_compare_exchange_strong(&l->state, &empty, LATER_FILLING))
			continue;
		fill(l, t, ucontext);
		atomic_store_explicit(&l->state, LATER_FULL, memory_order_release);
		return;
	}
	status_add(rings_lost, 1);
}

/* ---- on the service thread ------------------------------------------------------------- */

static void send(struct link_ring *ring, const struct later *l)
{
	struct access found[SAMPLER_ACCESSES];
	struct ahead_state state = l->at;
	struct ahead ahead;

	state.frame = l->frame;
	if (!ahead_learn(l->at.ip, l->code, l->len, &ahead) ||
	    clock_choose(&state, &ahead, found) == 0)
		return;
	status_add(located, 1);
	found[0].cpu = l->cpu;
	found[0].left_out = l->left_out;
	struct late_sample late = {
		.epoch = l->epoch, .on = thread_at(l->on), .stack = l->stack, .thread = l->thread
	};
	locality_late(ring, &found[0], &late);
}

unsigned later_serve(struct link_ring *ring)
{
	unsigned n = 0;

	for (uint32_t i = 0; room && i < ROOM; i++) {
		if (atomic_load_explicit(&room[i].state, memory_order_acquire) != LATER_FULL)
			continue;
		send(ring, &room[i]);
		atomic_store_explicit(&room[i].state, LATER_EMPTY, memory_order_release);
		n++;
	}
	atomic_store(&cursor, 0); /* few of the pages are touched as a rule */
	return n;
}

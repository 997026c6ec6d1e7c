/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thinning.c - see thinning.h. What the tool writes is checked before it is used: see
 * wire_layout.h.
 */
#include "heap/thinning.h"

#include "core/thread.h"
#include "heap/alloc_interval.h"
#include "heap/allocation.h"
#include "heap/follow.h"
#include "hotspot/metadata/classes.h"
#include "hotspot/stacks.h"

#define STEP	 32 /* samples that a line keeps in a tick before its share is halved */
#define TICK_NS	 (1u << 27)
#define UNTOLD	 4096u /* counters for contexts whose line the tool has not told yet */
#define COUNTERS (WIRE_CONTROL_LINES + UNTOLD)

/*
 * By line, or by a hash if the line is not known: the tick, and in the lowest byte the number of
 * samples kept in it.
 */
static _Atomic uint32_t kept[COUNTERS];

bool thinning_chooses(void)
{
	return !(ojx.config.flags & (WIRE_EXACT | FOLLOW_FLAGS | WIRE_NO_CONTENTS)) &&
	       !ojx.config.interval;
}

/* The bytes that a kept object of a line is to stand for; 0: any. */
static double told_each(uint32_t line)
{
	return line ? (double)atomic_load_explicit(&line_controls()->each[line],
						   memory_order_relaxed)
		    : 0;
}

/* Draws whether the object is kept. If `line` is 0, `other` is a hash of what is known instead. */
static void draw(struct thinning *to, const struct allocation *a, uint32_t line, uint64_t other)
{
	uint32_t at = line ? line : WIRE_CONTROL_LINES + (uint32_t)(other % UNTOLD);
	uint32_t tick = (uint32_t)(now_ns() / TICK_NS) << 8;
	uint32_t before = atomic_load_explicit(&kept[at], memory_order_relaxed);

	if ((before & ~0xffu) != tick)
		before = tick;
	to->exponent = (uint8_t)wire_control_exponent(told_each(line), a->weight * (double)a->size,
						      a->spacing, (before & 0xff) / STEP);
	to->counted = random_next(&a->thread->random) & ((1u << to->exponent) - 1);
	to->decided = true;
	if (!to->counted && (before & 0xff) < 0xff)
		atomic_store_explicit(&kept[at], before + 1, memory_order_relaxed);
}

/* The line of a context; 0 if it is not known. */
static uint32_t line_of_context(uint32_t context)
{
	if (context >= WIRE_CONTROL_CONTEXTS)
		return 0;
	return atomic_load_explicit(&line_controls()->line_of_context[context],
				    memory_order_relaxed) %
	       WIRE_CONTROL_LINES;
}

void thinning_by_context(struct thinning *to, const struct allocation *a)
{
	draw(to, a, line_of_context(a->context), wire_control_mix(a->context));
}

uint32_t thinning_uses(uint32_t context)
{
	uint32_t line = line_of_context(context);

	return line ? atomic_load_explicit(&line_controls()->uses[line], memory_order_relaxed)
		    : WIRE_CONTROL_USES_UNKNOWN;
}

static uint32_t line_of_key(uint32_t key)
{
	uint32_t there = atomic_load_explicit(
		&line_controls()->line_of_key[key % WIRE_CONTROL_KEYS], memory_order_relaxed);

	return there >> 16 == key >> 16 ? there % WIRE_CONTROL_LINES : 0;
}

uint32_t thinning_by_frames(struct thinning *to, const struct allocation *a,
			    const struct wire_frame *frames, uint32_t n)
{
	uint32_t at = line_of_frames(frames, n);
	uint32_t key = wire_control_key(a->klass->id, frames[at].method, frames[at].bci);
	uint32_t line = n > 0 ? line_of_key(key) : 0;
	if (!line)
		return 0;
	draw(to, a, line, 0);
	bool callers = at + 1 < n && at + 1 < ojx.config.max_stack;
	to->by_stack = callers;
	return to->counted && callers ? at + 1 : 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* slots.c - the life of the slots: taken, armed, ended, harvested. */
#include "perf/slots.h"

#include <sched.h>

#include "core/seccomp.h"
#include "core/thread.h"
#include "perf/breakpoint.h"
#include "perf/deadline.h"
#include "perf/sampler.h"
#include "perf/signals.h"
#include "perf/trap.h"

#define IDLE_NS	    10000000000 /* a register that was not needed for so long is given back */
#define REUSE_NS    1000000u	/* a watch is not replaced before it had this long a chance */
#define USE_TIMEOUT 50000000u	/* ns of wall time without a use, see also deadline.h */
#define WASTE_TIMEOUT \
	1000000000u /* and without a second access: registers that are needed are taken anyway */

void slots_init(struct watch_slot *slots, uint32_t thread_index)
{
	for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
		slots[i].number = thread_index * WATCH_SLOTS + i;
		slots[i].event = -1;
		atomic_store(&slots[i].state, SLOT_CLOSED);
	}
}

bool slot_take(struct watch_slot *slot, uint32_t from)
{
	return atomic_load_explicit(&slot->state, memory_order_relaxed) == from &&
	       atomic_compare_exchange_strong(&slot->state, &from, SLOT_BUSY);
}

void slot_release(struct watch_slot *slot)
{
	atomic_store_explicit(&slot->state, SLOT_IDLE, memory_order_release);
}

/* ---- the end of a watch ---------------------------------------------------------------- */

/* A slot that the caller holds BUSY and whose arming has ended: whose watch it was tells the tool. */
static void harvest(struct link_ring *ring, struct watch_slot *slot, const struct thread *on,
		    uint64_t *random)
{
	if (slot->purpose == SLOT_WASTE)
		waste_harvest(ring, slot);
	else
		watch_harvest(ring, slot, on, random);
	slot_release(slot);
}

/* How long ago a slot was armed; it may have been after `now`. */
static int64_t age_ns(const struct watch_slot *slot, uint64_t now)
{
	return (int64_t)(now - slot->watch.armed_ns);
}

/* Whether an armed slot has waited too long, or its object may have moved. */
static bool is_over(const struct watch_slot *slot, uint64_t now)
{
	int64_t timeout = slot->purpose == SLOT_WASTE ? WASTE_TIMEOUT : USE_TIMEOUT;
	return age_ns(slot, now) > timeout || !epoch_is(slot->watch.epoch);
}

/* Collects a slot that fired, and ends one that has waited too long or is of an older epoch. */
static void tend(struct link_ring *ring, struct watch_slot *slot, const struct thread *on,
		 uint64_t *random, uint64_t now)
{
	if (slot_take(slot, SLOT_FIRED)) {
		harvest(ring, slot, on, random);
		return;
	}
	if (!is_over(slot, now) || !slot_take(slot, SLOT_ARMED))
		return;
	if (!is_over(slot, now)) { /* it was another watch when first looked at */
		atomic_store_explicit(&slot->state, SLOT_ARMED, memory_order_release);
		return;
	}
	breakpoint_disarm(slot->event);
	slot->ended = epoch_is(slot->watch.epoch) ? WIRE_UNUSED_TIME : WIRE_UNUSED_EPOCH;
	harvest(ring, slot, on, random);
}

/* Closes the descriptor of a slot that the caller holds BUSY. */
static void close_register(struct watch_slot *slot)
{
	int event = atomic_exchange(&slot->event, -1);

	if (event >= 0)
		breakpoint_close(event);
}

/* The same of a slot that was not used for long. */
static void tend_idle(struct watch_slot *slot, uint64_t now)
{
	if (slot->event < 0 || age_ns(slot, now) < IDLE_NS || !slot_take(slot, SLOT_IDLE))
		return;
	close_register(slot);
	slot_release(slot);
}

/*
 * Closes the timer of a thread whose registers were all given back, or threads that rest would keep the descriptors
 * that others need. Who holds all slots knows that the thread is not about to start it.
 */
static void tend_timer(struct thread *t)
{
	uint32_t held = 0;
	bool resting = t->timer >= 0;

	while (resting && held < WATCH_SLOTS && slot_take(&t->slots[held], SLOT_IDLE))
		resting = t->slots[held++].event < 0;
	if (resting && held == WATCH_SLOTS)
		deadline_close(t);
	while (held > 0)
		slot_release(&t->slots[--held]);
}

void slots_sweep(struct thread *service)
{
	uint64_t now = now_ns();

	for (uint32_t i = 0; i < THREAD_MAX; i++) {
		struct thread *t = thread_at(i);
		if (!t)
			return;
		for (uint32_t s = 0; s < WATCH_SLOTS && atomic_load(&t->used); s++)
			tend(&service->ring, &t->slots[s], t, &service->random, now);
		for (uint32_t s = 0; s < WATCH_SLOTS && atomic_load(&t->used); s++)
			tend_idle(&t->slots[s], now);
		tend_timer(t);
	}
}

/* ---- arming ---------------------------------------------------------------------------- */

bool slot_arm(struct watch_slot *slot, const struct thread *on, uintptr_t address, uint32_t len,
	      bool stores_only)
{
	if (slot->event < 0)
		slot->event = breakpoint_open(on->tid);
	slot->generation++;
	slot->remote = on != thread_known();
	atomic_store(&slot->traps, 0);
	/* the slot is held until then: another thread may just end, and its event be somebody else's. No trap of our own comes in
	 * between, and one of another thread is passed over */
	bool armed = slot->event >= 0 && breakpoint_arm(slot->event, address, len, stores_only);
	if (!armed)
		close_register(slot); /* the program may have closed its descriptor */
	atomic_store_explicit(&slot->state, armed ? SLOT_ARMED : SLOT_IDLE, memory_order_release);
	return armed;
}

/* Whether who wants a register may collect the result of a slot of its own thread: in a handler, not where it needs a lock. */
static bool collects(enum slot_purpose wanted, const struct watch_slot *slot)
{
	return wanted == SLOT_USE || slot->purpose == SLOT_WASTE;
}

struct watch_slot *slots_for(struct thread *t, enum slot_purpose purpose)
{
	uint64_t now = now_ns();

	for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
		if (collects(purpose, &t->slots[i]))
			tend(&t->ring, &t->slots[i], t, &t->random, now);
		if (slot_take(&t->slots[i], SLOT_IDLE)) {
			t->busy_candidates = 0;
			return &t->slots[i];
		}
	}
	t->busy_candidates++;
	uint64_t chance = random_below(&t->random, WATCH_SLOTS + t->busy_candidates);
	struct watch_slot *slot = &t->slots[chance % WATCH_SLOTS];
	if (chance >= WATCH_SLOTS || age_ns(slot, now) < REUSE_NS || !slot_take(slot, SLOT_ARMED))
		return NULL;
	breakpoint_disarm(slot->event);
	slot->ended = WIRE_UNUSED_REPLACED;
	if (!collects(purpose, slot)) {
		atomic_store_explicit(&slot->state, SLOT_FIRED, memory_order_release);
		return NULL;
	}
	harvest(&t->ring, slot, t, &t->random);
	return slot_take(slot, SLOT_IDLE) ? slot : NULL;
}

/* ---- the end --------------------------------------------------------------------------- */

void slots_begin(struct thread *t)
{
	if (!seccomp_permits_now() || signals_blocked())
		return; /* its slots stay closed */
	for (uint32_t i = 0; i < WATCH_SLOTS; i++)
		atomic_store(&t->slots[i].state, SLOT_IDLE);
}

/* Takes a slot from whoever holds it, waiting for them. */
static void slot_seize(struct watch_slot *slot)
{
	while (!slot_take(slot, SLOT_IDLE) && !slot_take(slot, SLOT_ARMED) &&
	       !slot_take(slot, SLOT_FIRED) && atomic_load(&slot->state) != SLOT_CLOSED)
		sched_yield();
}

void slots_end(struct thread *t)
{
	uint64_t now = now_ns();

	for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
		struct watch_slot *slot = &t->slots[i];
		tend(&t->ring, slot, t, &t->random, now);
		slot_seize(slot);
		close_register(slot);
		atomic_store(&slot->state, SLOT_CLOSED);
	}
	deadline_close(t);
}

void slots_stop(void)
{
	atomic_store(&ojx.watch_on, false);
	atomic_store(&ojx.sampling_on, false);
	for (uint32_t i = 0; i < THREAD_MAX; i++) {
		struct thread *t = thread_at(i);
		if (!t)
			return;
		deadline_stop(t);
		sampler_stop(t);
		for (uint32_t s = 0; s < WATCH_SLOTS; s++) {
			struct watch_slot *slot = &t->slots[s];
			if (!slot_take(slot, SLOT_ARMED))
				continue;
			breakpoint_disarm(slot->event);
			slot->ended = WIRE_UNUSED_TIME;
			atomic_store(&slot->state, SLOT_FIRED);
		}
	}
}

bool slots_close(void)
{
	struct thread *t;

	for (uint32_t i = 0; (t = thread_at(i)); i++) {
		for (uint32_t s = 0; s < WATCH_SLOTS; s++) {
			struct watch_slot *slot = &t->slots[s];
			if (!slot_take(slot, SLOT_IDLE) && !slot_take(slot, SLOT_FIRED))
				continue;
			close_register(slot);
			slot_release(slot);
		}
		tend_timer(t);
		sampler_leave(t);
	}
	return breakpoint_count() <= 0;
}

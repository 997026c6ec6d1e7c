/* SPDX-License-Identifier: Apache-2.0 */
/* slots.c - see slots.h. The life of the slots: taken, armed, ended, harvested. */
#include "perf/slots.h"

#include <time.h>

#include "core/memory.h"
#include "core/seccomp.h"
#include "core/thread.h"
#include "perf/allowance.h"
#include "perf/breakpoint.h"
#include "perf/signals.h"

#define IDLE_NS	 10000000000 /* a register that is unused for so long is closed */
#define REUSE_NS 1000000u    /* a watch is not replaced before it was armed for so long */
#define SEIZE_NS 20000	     /* about as long as others hold a slot */

static const struct slot_user nobody;
static const struct slot_user *users[SLOT_USERS];
static unsigned nusers;

void slots_add_user(struct slot_user *user)
{
	user->number = nusers;
	users[nusers++] = user;
}

/* Allocates the users' data of one slot; false when out of memory. */
static bool make_room(struct watch_slot *slot)
{
	for (unsigned i = 0; i < nusers; i++) {
		slot->own[i] = memory_new(1, users[i]->room);
		if (!slot->own[i])
			return false;
	}
	return true;
}

static void discard(struct watch_slot *slots)
{
	for (uint32_t i = 0; i < WATCH_SLOTS; i++)
		for (unsigned k = 0; k < nusers; k++)
			memory_free(slots[i].own[k]);
	memory_free(slots);
}

bool slots_create(struct thread *t)
{
	struct watch_slot *slots = memory_new(WATCH_SLOTS, sizeof *slots);

	if (!slots)
		return false;
	for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
		slots[i].number = t->index * WATCH_SLOTS + i;
		atomic_store_explicit(&slots[i].event, -1, memory_order_relaxed);
		atomic_store_explicit(&slots[i].user, &nobody, memory_order_relaxed);
		atomic_store_explicit(&slots[i].state, SLOT_CLOSED, memory_order_release);
		if (!make_room(&slots[i])) {
			discard(slots);
			return false;
		}
	}
	t->slots = slots;
	return true;
}

/* ---- the end of a watch ---------------------------------------------------------------- */

/* [handler] The user of a slot, which the caller holds BUSY, reports the ended watch. */
static void harvest(struct link_ring *ring, struct watch_slot *slot, const struct thread *on,
		    uint64_t *random)
{
	slot_user(slot)->harvest(ring, slot, on, random);
	slot_release(slot);
}

/* [handler] Whether a slot can be harvested here: in a handler only if its user needs no lock. */
static bool collects(bool in_handler, const struct watch_slot *slot)
{
	return !in_handler || slot_user(slot)->in_handlers;
}

/* [handler] The time since a slot was armed; negative if it was armed after `now`. */
static int64_t age_ns(const struct watch_slot *slot, uint64_t now)
{
	return (int64_t)(now - slot->watch.armed_ns);
}

/* [handler] Whether an armed slot has waited too long, or its object may have moved. */
static bool is_over(const struct watch_slot *slot, uint64_t now)
{
	const struct slot_user *user = slot_user(slot);

	return age_ns(slot, now) > (int64_t)user->timeout_ns ||
	       (!user->any_epoch && !epoch_is(slot->watch.epoch));
}

/*
 * [handler] Harvests a slot that fired. Ends and harvests one that has waited too long or is of an
 * older epoch. Checks the user of a slot that it holds: before, another thread may change it.
 */
static void harvest_if_over(struct link_ring *ring, struct watch_slot *slot,
			    const struct thread *on, uint64_t *random, uint64_t now,
			    bool in_handler)
{
	if (slot_take(slot, SLOT_FIRED)) {
		if (collects(in_handler, slot))
			harvest(ring, slot, on, random);
		else
			atomic_store_explicit(&slot->state, SLOT_FIRED, memory_order_release);
		return;
	}
	if (!is_over(slot, now) || !slot_take(slot, SLOT_ARMED))
		return;
	if (!is_over(slot, now) || !collects(in_handler, slot)) {
		atomic_store_explicit(&slot->state, SLOT_ARMED, memory_order_release);
		return;
	}
	breakpoint_disarm(slot_event(slot));
	slot->ended = epoch_is(slot->watch.epoch) ? WIRE_UNUSED_TIME : WIRE_UNUSED_EPOCH;
	harvest(ring, slot, on, random);
}

/* [handler] Closes the register's event of a slot that the caller holds BUSY. */
static void close_register(struct watch_slot *slot)
{
	int event = atomic_exchange_explicit(&slot->event, -1, memory_order_acq_rel);

	if (event >= 0)
		breakpoint_close(event);
}

/* Closes the event of a slot that was not used for long. */
static void close_if_idle(struct watch_slot *slot, uint64_t now)
{
	if (slot_event(slot) < 0 || age_ns(slot, now) < IDLE_NS || !slot_take(slot, SLOT_IDLE))
		return;
	close_register(slot);
	slot_release(slot);
}

/*
 * [handler] Closes the timer of a thread whose registers are all closed. Otherwise idle threads
 * would keep descriptors that others need. While all slots are taken, the thread cannot be about to
 * start the timer.
 */
static void close_timer_if_unused(struct thread *t)
{
	uint32_t taken = 0;
	bool resting = thread_timer(t) >= 0;

	while (resting && taken < WATCH_SLOTS && slot_take(&t->slots[taken], SLOT_IDLE))
		resting = slot_event(&t->slots[taken++]) < 0;
	if (resting && taken == WATCH_SLOTS)
		deadline_close(t);
	while (taken > 0)
		slot_release(&t->slots[--taken]);
}

void slots_sweep(struct thread *service)
{
	uint64_t now = now_ns();

	for (uint32_t i = 0; i < THREAD_MAX; i++) {
		struct thread *t = thread_at(i);
		if (!t)
			return;
		for (uint32_t s = 0;
		     s < WATCH_SLOTS && atomic_load_explicit(&t->used, memory_order_acquire); s++)
			harvest_if_over(&service->ring, &t->slots[s], t, &service->random, now,
					false);
		for (uint32_t s = 0;
		     s < WATCH_SLOTS && atomic_load_explicit(&t->used, memory_order_acquire); s++)
			close_if_idle(&t->slots[s], now);
		close_timer_if_unused(t);
	}
}

/* ---- arming ---------------------------------------------------------------------------- */

bool slot_arm(struct watch_slot *slot, struct thread *on, uintptr_t address, uint32_t len,
	      bool stores_only)
{
	if (slot_event(slot) < 0)
		atomic_store_explicit(&slot->event, breakpoint_open(on->tid), memory_order_release);
	slot->watch.address = address;
	slot->generation++;
	slot->remote = on != thread_known();
	atomic_store_explicit(&slot->traps, 0, memory_order_relaxed);
	/*
	 * The slot stays BUSY until the register is armed, since another thread may just end and
	 * its event may become another one's. The own thread does not trap in between, and a trap
	 * of another thread is ignored.
	 */
	bool armed = slot_event(slot) >= 0 &&
		     breakpoint_arm(slot_event(slot), address, len, stores_only);
	if (!armed)
		close_register(slot); /* the program may have closed its descriptor */
	atomic_store_explicit(&slot->state, armed ? SLOT_ARMED : SLOT_IDLE, memory_order_seq_cst);
	/* either this sees that the recording is over, or events_stop sees the watch */
	if (armed && !atomic_load_explicit(&ojx.watch_on, memory_order_seq_cst)) {
		slots_stop(on);
		slots_close(on);
		armed = false;
	}
	return armed;
}

struct watch_slot *slots_for(struct thread *t, bool in_handler)
{
	uint64_t now = now_ns();

	for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
		harvest_if_over(&t->ring, &t->slots[i], t, &t->random, now, in_handler);
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
	breakpoint_disarm(slot_event(slot));
	slot->ended = WIRE_UNUSED_REPLACED;
	if (!collects(in_handler, slot)) {
		atomic_store_explicit(&slot->state, SLOT_FIRED, memory_order_release);
		return NULL;
	}
	harvest(&t->ring, slot, t, &t->random);
	return slot_take(slot, SLOT_IDLE) ? slot : NULL;
}

/* ---- the end --------------------------------------------------------------------------- */

void slots_begin(struct thread *t)
{
	bool closed = !seccomp_permits_now() || signals_blocked_in(t);

	for (uint32_t i = 0; i < WATCH_SLOTS && !closed; i++)
		atomic_store_explicit(&t->slots[i].state, SLOT_IDLE, memory_order_release);
	for (unsigned i = 0; i < nusers; i++)
		if (users[i]->thread_begins)
			users[i]->thread_begins(t);
}

/*
 * Takes a slot; waits for another holder. It sleeps, or a real-time thread could keep the holder
 * off the processor.
 */
static void slot_seize(struct watch_slot *slot)
{
	const struct timespec pause = { .tv_nsec = SEIZE_NS };

	while (!slot_take(slot, SLOT_IDLE) && !slot_take(slot, SLOT_ARMED) &&
	       !slot_take(slot, SLOT_FIRED) &&
	       atomic_load_explicit(&slot->state, memory_order_acquire) != SLOT_CLOSED)
		nanosleep(&pause, NULL);
}

void slots_end(struct thread *t)
{
	uint64_t now = now_ns();

	for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
		struct watch_slot *slot = &t->slots[i];
		harvest_if_over(&t->ring, slot, t, &t->random, now, false);
		slot_seize(slot);
		close_register(slot);
		atomic_store_explicit(&slot->state, SLOT_CLOSED, memory_order_release);
	}
	deadline_close(t);
}

void slots_stop(struct thread *t)
{
	for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
		struct watch_slot *slot = &t->slots[i];
		if (!slot_take(slot, SLOT_ARMED))
			continue;
		breakpoint_disarm(slot_event(slot));
		slot_fire(slot, WIRE_UNUSED_TIME);
	}
}

void slots_close(struct thread *t)
{
	for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
		struct watch_slot *slot = &t->slots[i];
		if (!slot_take(slot, SLOT_IDLE) && !slot_take(slot, SLOT_FIRED))
			continue;
		close_register(slot);
		slot_release(slot);
	}
	close_timer_if_unused(t);
}

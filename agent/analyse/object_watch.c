/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object_watch.c - see object_watch.h.
 *
 * A trap needs no decoding: reads and writes are uses alike. Constructors are over, since watched
 * objects have survived a collection.
 *
 * A thread that has trapped may be descheduled before it gets its signal. If the register belongs
 * to the next watch by then, that one ends too early. A register rests between two watches until
 * the service thread comes by again, so this takes a thread that waits that long.
 */
#define _GNU_SOURCE
#include "analyse/object_watch.h"

#include "core/thread.h"
#include "heap/lifetimes.h"
#include "perf/allowance.h"
#include "perf/breakpoint.h"
#include "perf/slots.h"

#define WORD	       8
#define MOST_REGISTERS 256 /* armed on all threads; each takes 2 us of a pause to be moved */

/* What a slot of this user is armed for. */
struct armed {
	struct object_watch *watch;
	_Atomic uint32_t serial;
	uint32_t word;
};

struct object_watch object_watches[OBJECT_WATCHES];
static uint32_t last_serial;

/* [handler] */
static struct armed *armed_of(const struct watch_slot *slot)
{
	return slot_own(slot, &object_watch_user);
}

/* [handler] Whether a slot is, or was last, armed for a watch. */
static bool is_of(const struct watch_slot *slot, const struct object_watch *w)
{
	return slot_user(slot) == &object_watch_user &&
	       atomic_load_explicit(&armed_of(slot)->serial, memory_order_seq_cst) ==
		       atomic_load_explicit(&w->serial, memory_order_seq_cst);
}

/* ---- the end of a watch -------------------------------------------------------------------- */

void object_watch_end(struct object_watch *w, uint32_t outcome)
{
	uint32_t arming = OBJECT_WATCH_ARMING, watching = OBJECT_WATCH_WATCHING;

	if (!atomic_compare_exchange_strong_explicit(&w->state, &watching, OBJECT_WATCH_CLAIMED,
						     memory_order_seq_cst, memory_order_seq_cst) &&
	    !atomic_compare_exchange_strong_explicit(&w->state, &arming, OBJECT_WATCH_CLAIMED,
						     memory_order_seq_cst, memory_order_seq_cst))
		return;
	w->end_ns = now_ns();
	w->outcome = outcome;
	atomic_store_explicit(&w->state, OBJECT_WATCH_ENDED, memory_order_seq_cst);
}

/* [handler] The object is accessed; each of the thread's registers would tell that, too. */
static void trapped(struct thread *t, struct watch_slot *slot, void *own, uint32_t generation,
		    const void *context)
{
	struct armed *a = own;

	(void)context;
	if (!slot_disarm(slot, generation))
		return;
	struct object_watch *w = a->watch;
	if (is_of(slot, w)) {
		for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
			struct watch_slot *other = &t->slots[i];
			if (other != slot && is_of(other, w))
				slot_end(other, other->generation, -1);
		}
		bool valid = epoch_is(atomic_load_explicit(&w->epoch, memory_order_acquire));
		object_watch_end(w, valid ? WIRE_NEXT_USED : OBJECT_WATCH_LOST);
	}
	slot_fire(slot, -1);
}

/* [handler] From now on uses may be missed. */
static void spoil(struct object_watch *w)
{
	uint64_t none = 0;

	atomic_compare_exchange_strong_explicit(&w->spoiled_ns, &none, now_ns(),
						memory_order_acq_rel, memory_order_acquire);
}

/*
 * [handler] A slot has ended. Not by a use that was handled: the watch no longer sees this thread.
 */
static void note_end(const struct watch_slot *slot)
{
	struct object_watch *w = armed_of(slot)->watch;

	if (slot->ended != -1 && is_of(slot, w))
		spoil(w);
}

/* [handler] See struct slot_user. */
static void harvest(struct link_ring *ring, const struct watch_slot *slot, const struct thread *on,
		    uint64_t *random)
{
	(void)ring;
	(void)on;
	(void)random;
	note_end(slot);
}

/* Gives a slot back that is armed for the watch or has fired. False if somebody holds it. */
static bool give_back(struct watch_slot *slot, const struct object_watch *w)
{
	if (!is_of(slot, w))
		return true;
	if (slot_take(slot, SLOT_ARMED)) {
		bool ours = is_of(slot, w);
		if (ours)
			breakpoint_disarm(slot_event(slot));
		atomic_store_explicit(&slot->state, ours ? SLOT_IDLE : SLOT_ARMED,
				      memory_order_release);
	} else if (slot_take(slot, SLOT_FIRED)) {
		note_end(slot);
		slot_release(slot);
	}
	return atomic_load_explicit(&slot->state, memory_order_acquire) != SLOT_BUSY;
}

bool object_watch_release(struct object_watch *w)
{
	bool all = true;
	struct thread *t;

	atomic_thread_fence(memory_order_seq_cst); /* after the end: slot_take() begins relaxed */
	for (uint32_t i = 0; (t = thread_at(i)); i++)
		for (uint32_t s = 0; s < WATCH_SLOTS; s++)
			all &= give_back(&t->slots[s], w);
	if (all)
		atomic_store_explicit(&w->state, OBJECT_WATCH_FREE, memory_order_seq_cst);
	return all;
}

/* ---- arming -------------------------------------------------------------------------------- */

/* Whether a watch of this number still wants its registers. */
static bool is_wanted(const struct object_watch *w, uint32_t serial)
{
	uint32_t state = atomic_load_explicit(&w->state, memory_order_seq_cst);

	return atomic_load_explicit(&w->serial, memory_order_seq_cst) == serial &&
	       (state == OBJECT_WATCH_ARMING || state == OBJECT_WATCH_WATCHING);
}

/* Whether the thread has a register on the word: it may begin while the watch does. */
static bool has_word(const struct object_watch *w, const struct thread *t, uint32_t word)
{
	for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
		const struct watch_slot *slot = &t->slots[i];
		if (atomic_load_explicit(&slot->state, memory_order_acquire) != SLOT_IDLE &&
		    is_of(slot, w) && armed_of(slot)->word == word)
			return true;
	}
	return false;
}

/*
 * Arms a slot that the caller holds. The watch may have ended and given its registers back
 * meanwhile. Then either that saw this one, or this sees it.
 */
static bool arm_slot(struct object_watch *w, struct thread *t, struct watch_slot *slot,
		     uint32_t word)
{
	struct armed *a = armed_of(slot);
	uint32_t serial = atomic_load_explicit(&w->serial, memory_order_seq_cst);

	atomic_store_explicit(&slot->user, &object_watch_user, memory_order_seq_cst);
	slot->watch =
		(struct slot_watch){ .epoch = atomic_load_explicit(&w->epoch, memory_order_acquire),
				     .armed_ns = now_ns() };
	a->watch = w;
	a->word = word;
	atomic_store_explicit(&a->serial, serial, memory_order_seq_cst);
	if (!slot_arm(slot, t, atomic_load_explicit(&w->place, memory_order_acquire) + word, WORD,
		      false))
		return false;
	if (!is_wanted(w, serial) && slot_take(slot, SLOT_ARMED)) {
		breakpoint_disarm(slot_event(slot));
		atomic_store_explicit(&slot->state, SLOT_IDLE, memory_order_release);
	}
	return true;
}

static bool arm_word(struct object_watch *w, struct thread *t, uint32_t word)
{
	if (has_word(w, t, word))
		return true;
	for (uint32_t i = 0; i < WATCH_SLOTS; i++)
		if (slot_take(&t->slots[i], SLOT_IDLE))
			return arm_slot(w, t, &t->slots[i], word);
	return false;
}

/* Whether a collection has the time to move all registers. */
static bool are_few(void)
{
	uint32_t words = 0, nthreads = 0;
	const struct thread *t;

	for (uint32_t i = 0; i < OBJECT_WATCHES; i++)
		if (atomic_load_explicit(&object_watches[i].state, memory_order_seq_cst) !=
		    OBJECT_WATCH_FREE)
			words += object_watches[i].nwords;
	for (uint32_t i = 0; (t = thread_at(i)); i++)
		nthreads += atomic_load_explicit(&t->used, memory_order_seq_cst) != 0;
	return words * nthreads <= MOST_REGISTERS;
}

/* Arms the watch on a thread. False if that fails and the thread lives. */
static bool arm_on(struct object_watch *w, struct thread *t)
{
	bool all = true;

	for (uint32_t k = 0; k < w->nwords && all; k++)
		all = arm_word(w, t, w->word[k]);
	return all || !atomic_load_explicit(&t->used, memory_order_seq_cst);
}

bool object_watch_begin(struct object_watch *w, uintptr_t place, uint64_t epoch)
{
	const struct thread *self = thread_known();
	bool all = !thread_missed();
	struct thread *t;

	atomic_store_explicit(&w->place, place, memory_order_release);
	atomic_store_explicit(&w->epoch, epoch, memory_order_release);
	atomic_store_explicit(&w->spoiled_ns, 0, memory_order_release);
	atomic_store_explicit(&w->serial, ++last_serial, memory_order_seq_cst);
	w->start_ns = now_ns();
	/* from here on beginning threads arm theirs; those that have begun are found below */
	atomic_store_explicit(&w->state, OBJECT_WATCH_ARMING, memory_order_seq_cst);
	atomic_thread_fence(memory_order_seq_cst); /* thread_at() only acquires */
	all = all && are_few();
	for (uint32_t i = 0; all && (t = thread_at(i)); i++)
		if (t != self && atomic_load_explicit(&t->used, memory_order_seq_cst))
			all = arm_on(w, t);
	uint32_t arming = OBJECT_WATCH_ARMING;
	atomic_compare_exchange_strong_explicit(&w->state, &arming, OBJECT_WATCH_WATCHING,
						memory_order_seq_cst, memory_order_seq_cst);
	all = all && epoch_is(epoch);
	if (!all)
		object_watch_end(w, OBJECT_WATCH_LOST);
	return all;
}

/* A thread begins. If the object moves meanwhile, its registers may be in the wrong place. */
static void thread_begins(struct thread *t)
{
	atomic_thread_fence(memory_order_seq_cst); /* the thread was released, see thread_at() */
	for (uint32_t i = 0; i < OBJECT_WATCHES; i++) {
		struct object_watch *w = &object_watches[i];
		uint32_t state = atomic_load_explicit(&w->state, memory_order_seq_cst);
		uint64_t epoch = atomic_load_explicit(&w->epoch, memory_order_acquire);
		if (state != OBJECT_WATCH_ARMING && state != OBJECT_WATCH_WATCHING)
			continue;
		if (!are_few() || !arm_on(w, t) || !epoch_is(epoch))
			spoil(w);
	}
}

/* ---- in pauses ----------------------------------------------------------------------------- */

/* [pause] Moves the registers along. False if one cannot be moved. */
static bool move(const struct object_watch *w, uintptr_t place)
{
	bool all = true;
	struct thread *t;

	for (uint32_t i = 0; (t = thread_at(i)); i++)
		for (uint32_t s = 0; s < WATCH_SLOTS; s++) {
			struct watch_slot *slot = &t->slots[s];
			if (!is_of(slot, w) || !slot_take(slot, SLOT_ARMED))
				continue;
			if (is_of(slot, w)) {
				slot->watch.address = place + armed_of(slot)->word;
				all &= breakpoint_arm(slot_event(slot), slot->watch.address, WORD,
						      false);
			}
			atomic_store_explicit(&slot->state, SLOT_ARMED, memory_order_release);
		}
	return all;
}

/* A collection may have come without an event. */
void object_watch_gc_start(void)
{
	uint64_t epoch = epoch_now();

	for (uint32_t i = 0; i < OBJECT_WATCHES; i++)
		if (atomic_load_explicit(&object_watches[i].state, memory_order_seq_cst) ==
			    OBJECT_WATCH_WATCHING &&
		    atomic_load_explicit(&object_watches[i].epoch, memory_order_acquire) != epoch)
			object_watch_end(&object_watches[i], OBJECT_WATCH_LOST);
}

void object_watch_gc_finish(uint64_t epoch)
{
	uint64_t start = 0;

	for (uint32_t i = 0; i < OBJECT_WATCHES; i++) {
		struct object_watch *w = &object_watches[i];
		uintptr_t place = 0, before = atomic_load_explicit(&w->place, memory_order_acquire);
		if (atomic_load_explicit(&w->state, memory_order_seq_cst) != OBJECT_WATCH_WATCHING)
			continue;
		start = start ? start : now_ns();
		if (!lifetimes_place(w->entry, w->handle, w->birth_ns, &place))
			object_watch_end(w, OBJECT_WATCH_LOST);
		else if (!place)
			object_watch_end(w, WIRE_NEXT_DIED);
		else if (place != before && !move(w, place))
			object_watch_end(w, OBJECT_WATCH_LOST);
		atomic_store_explicit(&w->place, place, memory_order_release);
		atomic_store_explicit(&w->epoch, epoch, memory_order_release);
	}
	if (start)
		watch_charge(now_ns() - start);
}

/* A slot is not given up by age, nor because a collection has come. */
struct slot_user object_watch_user = {
	.room = sizeof(struct armed),
	.timeout_ns = INT64_MAX,
	.any_epoch = true,
	.in_handlers = true,
	.trapped = trapped,
	.harvest = harvest,
	.thread_begins = thread_begins,
};

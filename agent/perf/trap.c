/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trap.c - what happens when a watched value is touched.
 *
 * The thread stands right behind the accessing instruction. A store leaves the watch armed, since
 * constructors and builders are no uses; eight at most. A load is the use: the stack is walked, the
 * value and the whole object are hashed, the register is freed. Everything is left in the slot for
 * somebody who may do more than a handler.
 *
 * A trap of another epoch says nothing, as the object has moved: the watch ends.
 */
#define _GNU_SOURCE
#include "perf/trap.h"

#include <errno.h>

#include "code/decode.h"
#include "core/thread.h"
#include "heap/content.h"
#include "hotspot/layout.h"
#include "hotspot/walk.h"
#include "perf/breakpoint.h"
#include "perf/deadline.h"
#include "perf/signals.h"

#define TRIAL_TRAPS 4
#define ROUNDS	    8 /* of these; the shortest counts: others may take the processor */
#define CLAIMS	    4096u
/* So long a register that another thread has moved may still signal for its former address. */
#define SETTLING_NS 20000

static uint64_t kernel_ns; /* of one trap, outside the handler; as measured */
static _Atomic uint32_t claims[CLAIMS];
static _Atomic uint32_t last_claim;

/* ---- claims ---------------------------------------------------------------------------- */

uint32_t trap_new_claim(void)
{
	uint32_t claim;
	do
		claim = atomic_fetch_add(&last_claim, 1) + 1;
	while (!claim);
	atomic_store(&claims[claim % CLAIMS], claim);
	return claim;
}

bool trap_claim(uint32_t claim)
{
	return !claim || atomic_compare_exchange_strong(&claims[claim % CLAIMS], &claim, 0);
}

/* ---- the handler ----------------------------------------------------------------------- */

/* [handler] Ends the arming of a slot that this handler owns. */
static void end(struct watch_slot *slot, int ended)
{
	slot->ended = ended;
	atomic_store_explicit(&slot->state, SLOT_FIRED, memory_order_release);
}

/* Freed at once: what the handler reads would trap again. */
bool trap_take(struct watch_slot *slot, uint32_t generation)
{
	if (!slot_take(slot, SLOT_ARMED))
		return false;
	if (slot->generation != generation) {
		atomic_store_explicit(&slot->state, SLOT_ARMED, memory_order_release);
		return false;
	}
	breakpoint_disarm(slot->event);
	return true;
}

/*
 * [handler] Other watches of the thread on the same object end: our own reading would trigger them.
 */
static void end_others(struct thread *t, const struct watch_slot *slot, uint64_t bytes)
{
	for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
		struct watch_slot *other = &t->slots[i];
		if (other == slot || atomic_load(&other->state) != SLOT_ARMED)
			continue;
		uintptr_t at = other->purpose == SLOT_WASTE
				       ? other->waste.address
				       : other->watch.object + other->watch.place.offset;
		if (at - slot->watch.object < bytes && trap_take(other, other->generation))
			end(other, WIRE_UNUSED_LOST);
	}
}

/* [handler] The object is where it was: note what it holds. False where it is not. */
static bool observe(struct thread *t, struct watch_slot *slot, uint32_t access)
{
	const struct watch *w = &slot->watch;
	const unsigned char *object = (const unsigned char *)w->object;
	struct content content;

	end_others(t, slot, class_end(w->klass, w->extent));
	if (layout_klass(object) != atomic_load_explicit(&w->klass->word, memory_order_relaxed))
		return false;
	content_hash(object, w->klass, w->extent, false, &content);
	slot->found.value = content_value(object, &w->place);
	if (!epoch_is(w->epoch))
		return false;
	slot->found.content = content.hash;
	slot->found.flags = content.flags | (w->partner ? WIRE_PARTNER : 0);
	slot->found.access = access;
	return true;
}

/* [handler] A load of the watched value. */
static void used(struct thread *t, struct watch_slot *slot, uint32_t generation,
		 const void *context, uint8_t len)
{
	const struct watch *w = &slot->watch;
	enum deadline_state when = deadline_state(w);

	if (when == DEADLINE_OVER) {
		if (trap_take(slot, generation))
			end(slot, WIRE_UNUSED_TIME);
		return;
	}
	uint32_t access = walk_stack(t, context, len);
	if (!access && atomic_fetch_add(&slot->traps, 1) + 1 < WATCH_TRAPS)
		return; /* by whom can not be told; the next may */
	if (!trap_take(slot, generation))
		return;
	if (!access)
		end(slot, WIRE_UNUSED_TRAPS);
	else if (!trap_claim(w->claim) || !observe(t, slot, access) || !follow_claim(w->ref))
		end(slot, WIRE_UNUSED_LOST);
	else {
		slot->found.late = when == DEADLINE_LATE;
		end(slot, -1);
	}
}

/* [handler] A trap of an armed slot. */
static void trapped(struct thread *t, struct watch_slot *slot, uint32_t generation,
		    const void *context)
{
	const struct watch *w = &slot->watch;

	if (!epoch_is(w->epoch)) {
		if (trap_take(slot, generation))
			end(slot, WIRE_UNUSED_EPOCH);
		return;
	}
	uint8_t len = 0;
	switch (decode_access(context, w->object + w->place.offset, w->place.size, &len)) {
	case ACCESS_LOAD:
		used(t, slot, generation, context, len);
		return;
	case ACCESS_STORE:
	case ACCESS_OTHER:
	case ACCESS_UNKNOWN:
		break;
	}
	if (atomic_fetch_add(&slot->traps, 1) + 1 >= WATCH_TRAPS && trap_take(slot, generation))
		end(slot, WIRE_UNUSED_TRAPS);
}

/* [handler] The arming of a slot is over, or just begins: an event without a watch is quiet. */
static void quiet(struct watch_slot *slot, uint32_t state)
{
	if ((state != SLOT_IDLE && state != SLOT_FIRED) || !slot_take(slot, state))
		return;
	breakpoint_disarm(slot->event);
	atomic_store_explicit(&slot->state, state, memory_order_release);
}

/* [handler] Whether another thread may have moved the register between the trap and now. */
static bool is_settling(const struct watch_slot *slot)
{
	return slot->remote && now_ns() - slot->watch.armed_ns < SETTLING_NS;
}

void trap_hit(struct thread *t, struct watch_slot *slot, const void *context)
{
	status_add(traps, 1);
	uint32_t state = atomic_load_explicit(&slot->state, memory_order_acquire);
	uint32_t generation = slot->generation;

	if (state != SLOT_ARMED) {
		quiet(slot, state);
	} else if (!context || signals_vm_crashes()) {
		if (trap_take(slot, generation))
			end(slot, WIRE_UNUSED_LOST);
	} else if (!is_settling(slot) && !atomic_exchange(&t->in_handler, true)) {
		if (slot->purpose == SLOT_WASTE)
			waste_trapped(t, slot, generation, context);
		else
			trapped(t, slot, generation, context);
		atomic_store(&t->in_handler, false);
	}
}

uint64_t trap_kernel_ns(void)
{
	return kernel_ns;
}

/* ---- the trial ------------------------------------------------------------------------- */

/* Whether each trap comes, right behind its instruction; what one takes. */
static bool time_traps(int event, volatile uint64_t *probe, uint64_t *ns)
{
	bool good = true;

	*ns = UINT64_MAX;
	for (int k = 0; k < ROUNDS && good; k++) {
		uint64_t each;
		good = signals_exact(event, probe, TRIAL_TRAPS, &each);
		*ns = each < *ns ? each : *ns;
	}
	return good;
}

/* Touches a watched variable and sees what comes and how long it takes. */
static int try_traps(void)
{
	static volatile uint64_t probe __attribute__((aligned(8)));
	int event = breakpoint_open(0), error = 0;

	if (event < 0)
		return errno;
	if (!breakpoint_arm(event, (uintptr_t)&probe, 8, false))
		error = errno;
	else if (!time_traps(event, &probe, &kernel_ns))
		error = EIO;
	breakpoint_disarm(event);
	breakpoint_close(event);
	return error;
}

int trap_init(void)
{
	return signals_listen() ? try_traps() : errno;
}

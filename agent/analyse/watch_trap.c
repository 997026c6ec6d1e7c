/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch_trap.c - handles accesses to a watched position.
 *
 * The thread stands directly behind the accessing instruction. A store leaves the watch armed,
 * since constructors and builders do not use an object; after eight stores the watch gives up. A
 * load is the use: the stack is walked, the value and the whole object are hashed, and the register
 * is freed. The results stay in the slot for a harvest outside the handler.
 *
 * A trap of another epoch says nothing, since the object has moved: the watch ends.
 */
#define _GNU_SOURCE

#include "analyse/watch_trap.h"

#include "arch/arch.h"
#include "code/decode.h"
#include "core/thread.h"
#include "heap/content.h"
#include "heap/deep.h"
#include "hotspot/metadata/layout.h"
#include "hotspot/walk.h"
#include "perf/allowance.h"

#define CLAIMS	    4096u
#define WATCH_TRAPS 8 /* stores before a watch gives up */

static _Atomic uint32_t claims[CLAIMS];
static _Atomic uint32_t last_claim;

/* ---- claims ---------------------------------------------------------------------------- */

uint32_t watch_new_claim(void)
{
	uint32_t claim;
	do
		claim = atomic_fetch_add_explicit(&last_claim, 1, memory_order_relaxed) + 1;
	while (!claim);
	atomic_store_explicit(&claims[claim % CLAIMS], claim, memory_order_release);
	return claim;
}

bool watch_claim(uint32_t claim)
{
	return !claim ||
	       atomic_compare_exchange_strong_explicit(&claims[claim % CLAIMS], &claim, 0,
						       memory_order_acq_rel, memory_order_acquire);
}

/* ---- the handler ----------------------------------------------------------------------- */

/*
 * [handler] Ends the thread's other watches on the same object: the handler's own reads would
 * trigger them.
 */
static void end_others(struct thread *t, const struct watch_slot *slot, uintptr_t object,
		       uint64_t bytes)
{
	for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
		struct watch_slot *other = &t->slots[i];
		if (other == slot ||
		    atomic_load_explicit(&other->state, memory_order_acquire) != SLOT_ARMED)
			continue;
		if (other->watch.address - object < bytes)
			slot_end(other, other->generation, WIRE_UNUSED_LOST);
	}
}

/*
 * [handler] Follows the object's references: what it refers to may be something else later. The
 * objects are read through the kernel, since other threads may change them.
 */
static struct deep_result follow_references(const struct watch *w)
{
	struct deep_result result = { 0 };
	struct deep *d = deep_handler_take(w->at.epoch);

	if (!d)
		return result;
	deep_hash(d, w->object, &result);
	deep_handler_give();
	return result;
}

/* [handler] Records the object's content. False if the object has moved. */
static bool observe(struct thread *t, struct watch_slot *slot, struct watch *w, uint32_t access)
{
	const unsigned char *object = (const unsigned char *)w->object;
	struct content content;
	struct deep_result deep = { 0 };

	end_others(t, slot, w->object, class_end(w->klass, w->array_length));
	if (layout_klass(object) != atomic_load_explicit(&w->klass->word, memory_order_relaxed))
		return false;
	content_hash(object, w->klass, w->array_length, false, &content);
	w->found.value = content_value(object, w->klass, w->array_length, w->position);
	if (content.flags & WIRE_REFS)
		deep = follow_references(w);
	if (!epoch_is(w->at.epoch))
		return false;
	w->found.content = content.hash;
	w->found.deep = deep.hash;
	w->found.flags = content.flags | deep.flags | (w->partner ? WIRE_PARTNER : 0);
	w->found.access = access;
	return true;
}

/* [handler] A load of the watched value. */
static void book_use(struct thread *t, struct watch_slot *slot, struct watch *w,
		     uint32_t generation, const void *context, uint8_t len)
{
	enum deadline_state when = deadline_state(&w->at);

	if (when == DEADLINE_OVER) {
		slot_end(slot, generation, WIRE_UNUSED_TIME);
		return;
	}
	uint32_t access = walk_stack(t, context, walk_within(arch_trap_end(context), len));
	if (!access &&
	    atomic_fetch_add_explicit(&slot->traps, 1, memory_order_relaxed) + 1 < WATCH_TRAPS)
		return; /* without a stack the use is worthless; the next may have one */
	if (!slot_disarm(slot, generation))
		return;
	if (!access)
		slot_fire(slot, WIRE_UNUSED_TRAPS);
	else if (!watch_claim(w->claim) || !observe(t, slot, w, access) || !follow_claim(w->ref))
		slot_fire(slot, WIRE_UNUSED_LOST);
	else {
		w->found.late = when == DEADLINE_LATE;
		slot_fire(slot, -1);
	}
}

/* [handler] A trap of an armed slot. */
void watch_trapped(struct thread *t, struct watch_slot *slot, void *own, uint32_t generation,
		   const void *context)
{
	struct watch *w = own;

	if (!epoch_is(w->at.epoch)) {
		slot_end(slot, generation, WIRE_UNUSED_EPOCH);
		return;
	}
	uint8_t len = 0;
	switch (decode_access(context, w->object + w->place.offset, w->place.size, &len)) {
	case ACCESS_LOAD:
		book_use(t, slot, w, generation, context, len);
		return;
	case ACCESS_STORE:
	case ACCESS_OTHER:
	case ACCESS_UNKNOWN:
		break;
	}
	if (atomic_fetch_add_explicit(&slot->traps, 1, memory_order_relaxed) + 1 >= WATCH_TRAPS)
		slot_end(slot, generation, WIRE_UNUSED_TRAPS);
}

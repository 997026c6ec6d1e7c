/* SPDX-License-Identifier: Apache-2.0 */
/* slot.c - see slot.h. */
#include "perf/slot.h"

#include "perf/breakpoint.h"

bool slot_take(struct watch_slot *slot, uint32_t from)
{
	return atomic_load_explicit(&slot->state, memory_order_relaxed) == from &&
	       atomic_compare_exchange_strong_explicit(&slot->state, &from, SLOT_BUSY,
						       memory_order_acq_rel, memory_order_acquire);
}

void slot_release(struct watch_slot *slot)
{
	atomic_store_explicit(&slot->state, SLOT_IDLE, memory_order_release);
}

/* [handler] The register is disarmed at once: otherwise the handler's own reads would trap. */
bool slot_disarm(struct watch_slot *slot, uint32_t generation)
{
	if (!slot_take(slot, SLOT_ARMED))
		return false;
	if (slot->generation != generation) {
		atomic_store_explicit(&slot->state, SLOT_ARMED, memory_order_release);
		return false;
	}
	breakpoint_disarm(slot_event(slot));
	return true;
}

void slot_fire(struct watch_slot *slot, int ended)
{
	slot->ended = ended;
	atomic_store_explicit(&slot->state, SLOT_FIRED, memory_order_release);
}

void slot_end(struct watch_slot *slot, uint32_t generation, int ended)
{
	if (slot_disarm(slot, generation))
		slot_fire(slot, ended);
}

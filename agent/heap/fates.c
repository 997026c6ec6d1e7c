/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fates.c - see fates.h.
 *
 * The slots of weak references are read in pauses, when none can be deleted (lifetimes.c). A slot
 * that was cleared tells that the object was dead when the collection began, since the program
 * stood still. One with another address tells that it was not. One with the same address tells
 * nothing: pauses that only mark do not look at young objects.
 *
 * Nothing is known of the large arrays of G1, which have no weak reference (humongous.h). Their
 * slots tell that the memory was taken back, and a last-resort collection that moves such an array
 * looks the same. They can be freed and filled in a pause.
 */
#include "heap/fates.h"

#include "heap/live_heap_view.h"
#include "heap/pending_objects.h"
#include "hotspot/humongous.h"
#include "hotspot/weak.h"

#define FATES_MOST 2048u

static struct entry *asked[FATES_MOST];
static uint32_t n;

void fates_begin(void)
{
	n = 0;
}

void fates_ask(struct entry *e)
{
	if (n < FATES_MOST && atomic_load_explicit(&e->held, memory_order_relaxed))
		asked[n++] = e;
}

/* [pause] */
static uint16_t fate_of(const struct entry *e)
{
	uint64_t held = atomic_load_explicit(&e->held, memory_order_acquire);
	const struct live_heap_held *h = &live_heap_table.entries[(uint32_t)held - 1];

	if (held >> 32 != e->ticket || !live_heap_is_held(h) || h->object_ticket != e->ticket ||
	    humongous_has(h->handle))
		return 0;
	uintptr_t at = weak_slot(h->handle);
	return !at ? WIRE_FILL_DIED : at != e->object ? WIRE_FILL_SURVIVED : 0;
}

void fates_tell(void)
{
	for (uint32_t i = 0; i < n; i++)
		asked[i]->fill.flags |= fate_of(asked[i]);
	n = 0;
}

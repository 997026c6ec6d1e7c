/* SPDX-License-Identifier: Apache-2.0 */
/* metadata_where.c - see metadata_where.h. */
#include "hotspot/metadata_where.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "core/tiers.h"

#define FIRST 1024	 /* slots of the first tier */
#define ROOM  (1u << 16) /* most numbers whose Methods are kept */

/* By number, the position plus 1 of its Method. */
static struct tiers_slot slots[TIERS_SLOTS(FIRST)];
static const struct tiers table = { slots, FIRST };
static _Atomic uintptr_t places[ROOM];
static _Atomic uint32_t nplaces;

void metadata_where_set(uint64_t number, uintptr_t method)
{
	bool mine = false;
	struct tiers_slot *slot = tiers_claim(&table, number, &mine);
	uint32_t place = slot ? atomic_load_explicit(&slot->value, memory_order_acquire) : 0;

	if (mine)
		place = atomic_load(&nplaces) < ROOM ? atomic_fetch_add(&nplaces, 1) + 1 : 0;
	if (!place || place > ROOM)
		return;
	atomic_store(&places[place - 1], method);
	if (mine)
		atomic_store_explicit(&slot->value, place, memory_order_release);
}

uintptr_t metadata_where(uint64_t number)
{
	const struct tiers_slot *slot = tiers_find(&table, number);
	uint32_t place = slot ? atomic_load_explicit(&slot->value, memory_order_acquire) : 0;

	return place ? atomic_load(&places[place - 1]) : 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * humongous.c - see humongous.h.
 *
 * The type of a region that begins such an object is learned from the object itself, which is alive
 * when it is held. Regions are described where the VM has made them once, and stay described there.
 * So a type is read in place: one that could be read once can be read in each pause.
 *
 * Threads in allocation callbacks fill slots at any time, and the service thread frees them, also
 * in a pause: neither needs the VM for that. So a pause sees a slot whole or passes it over: the
 * address is written last, and `taken` is what goes first.
 *
 * Full collections that are a last resort move these objects, too, from JDK 22 on. An object that
 * was moved counts as gone, since its region now begins something else. If another such object has
 * come to its place, the slot stands for that one from then on. A look at it takes it for the first
 * one only if class and length are the same, and is right about what it sees there.
 */
#include "hotspot/humongous.h"

#include <stdatomic.h>
#include <string.h>

#include "core/memory.h"
#include "core/state.h"
#include "hotspot/g1_regions.h"

#define SLOTS 4096u /* a heap has 2048 regions, unless it was told to have more; two may hold one */

struct slot {
	_Atomic uintptr_t at; /* of the object; first, since a handle leads here. 0: it is gone */
	_Atomic uintptr_t type_at; /* of its region */
	_Atomic uint32_t type;
	_Atomic uint32_t taken; /* 1: somebody has the handle, or is about to */
};

static struct slot *slots;
static _Atomic uint32_t used;	/* those from here on were never taken */
static _Atomic uint32_t ntaken; /* at least as many as are taken */
static uint64_t most;		/* larger objects are humongous */

bool humongous_init(const struct vmstructs *vm)
{
	bool known = strcmp(ojx.gc, "G1") == 0 && g1_regions_init(vm);

	most = known ? g1_regions_size() / 2 : UINT64_MAX;
	if (known && !slots)
		slots = memory_new(SLOTS, sizeof *slots);
	return !known || slots;
}

bool humongous_is(uint64_t size)
{
	return size > most;
}

static bool claim_one(struct slot *s)
{
	uint32_t is_free = 0;

	return !atomic_load_explicit(&s->taken, memory_order_relaxed) &&
	       atomic_compare_exchange_strong_explicit(&s->taken, &is_free, 1, memory_order_acq_rel,
						       memory_order_relaxed);
}

/* A slot for a new object, taken; NULL if there is none. */
static struct slot *claim(void)
{
	uint32_t i = 0, now = atomic_load_explicit(&used, memory_order_relaxed);

	if (atomic_fetch_add_explicit(&ntaken, 1, memory_order_relaxed) < SLOTS)
		while (i < SLOTS && !claim_one(&slots[i]))
			i++;
	else
		i = SLOTS;
	if (i == SLOTS) {
		atomic_fetch_sub_explicit(&ntaken, 1, memory_order_relaxed);
		return NULL;
	}
	while (now <= i && !atomic_compare_exchange_weak_explicit(
				   &used, &now, i + 1, memory_order_release, memory_order_relaxed))
		;
	return &slots[i];
}

jweak humongous_hold(uintptr_t at, bool *lacks)
{
	struct g1_region r;
	bool known = g1_regions_find(at, &r) && r.bottom == at && r.type_at % sizeof r.type == 0;
	struct slot *s = known ? claim() : NULL;

	*lacks = known && !s;
	if (!s)
		return NULL;
	atomic_store_explicit(&s->type_at, r.type_at, memory_order_relaxed);
	atomic_store_explicit(&s->type, r.type, memory_order_relaxed);
	atomic_store_explicit(&s->at, at, memory_order_release);
	return (jweak)&s->at;
}

bool humongous_has(jweak handle)
{
	uintptr_t first = (uintptr_t)slots, at = (uintptr_t)handle;

	return slots && at >= first && at < first + SLOTS * sizeof *slots;
}

/*
 * The address stays until the next object's. Of a slot that is not taken, or whose object is not
 * told yet, a pause may clear it, which nobody minds.
 */
void humongous_release(jweak handle)
{
	struct slot *s = (struct slot *)handle;

	atomic_store_explicit(&s->taken, 0, memory_order_release);
	atomic_fetch_sub_explicit(&ntaken, 1, memory_order_relaxed);
}

/* [pause] Clears the slot of an object that is gone. */
static void clear(struct slot *s)
{
	uintptr_t at = atomic_load_explicit(&s->at, memory_order_acquire);
	uintptr_t type_at = atomic_load_explicit(&s->type_at, memory_order_relaxed);
	uint32_t type = atomic_load_explicit(&s->type, memory_order_relaxed);

	if (at && atomic_load_explicit((_Atomic uint32_t *)type_at, memory_order_relaxed) != type)
		atomic_compare_exchange_strong_explicit(&s->at, &at, 0, memory_order_relaxed,
							memory_order_relaxed);
}

void humongous_clear(void)
{
	uint32_t n = atomic_load_explicit(&used, memory_order_acquire);

	if (!atomic_load_explicit(&ntaken, memory_order_relaxed))
		return;
	for (uint32_t i = 0; i < n; i++)
		if (atomic_load_explicit(&slots[i].taken, memory_order_acquire))
			clear(&slots[i]);
}

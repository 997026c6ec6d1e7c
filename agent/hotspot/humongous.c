/* SPDX-License-Identifier: Apache-2.0 */
/*
 * humongous.c - see humongous.h.
 *
 * The type of a region that begins such an object is learned from the object itself, which is alive
 * when it is held. The full collections of JDK 22 and later that are a last resort do move these
 * objects; such an object counts as gone.
 */
#include "hotspot/humongous.h"

#include <stdatomic.h>
#include <string.h>

#include "core/memory.h"
#include "core/peek.h"
#include "core/state.h"
#include "hotspot/g1_regions.h"

#define SLOTS 4096u /* a heap has 2048 regions, unless it was told to have more; two may hold one */

struct slot {
	_Atomic uintptr_t at; /* of the object; first, since a handle leads here. 0: it is gone */
	uintptr_t type_at;    /* of its region */
	uint32_t type;
	_Atomic uint32_t state;
};

enum { FREE, BUSY, HELD };

static struct slot *slots;
static _Atomic uint32_t used; /* those from here on were never used */
static uint64_t most;	      /* larger objects are humongous */

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

static struct slot *claim(void)
{
	for (uint32_t i = 0; i < SLOTS; i++) {
		uint32_t is_free = FREE;
		if (atomic_load_explicit(&slots[i].state, memory_order_relaxed) != FREE ||
		    !atomic_compare_exchange_strong_explicit(&slots[i].state, &is_free, BUSY,
							     memory_order_acq_rel,
							     memory_order_acquire))
			continue;
		uint32_t now = atomic_load_explicit(&used, memory_order_relaxed);
		while (now <= i && !atomic_compare_exchange_weak_explicit(&used, &now, i + 1,
									  memory_order_release,
									  memory_order_relaxed))
			;
		return &slots[i];
	}
	return NULL;
}

jweak humongous_hold(uintptr_t at)
{
	struct g1_region r;
	struct slot *s = g1_regions_find(at, &r) && r.bottom == at ? claim() : NULL;

	if (!s)
		return NULL;
	atomic_store_explicit(&s->at, at, memory_order_relaxed);
	s->type_at = r.type_at;
	s->type = r.type;
	atomic_store_explicit(&s->state, HELD, memory_order_release);
	return (jweak)&s->at;
}

bool humongous_has(jweak handle)
{
	uintptr_t first = (uintptr_t)slots, at = (uintptr_t)handle;

	return slots && at >= first && at < first + SLOTS * sizeof *slots;
}

void humongous_release(jweak handle)
{
	struct slot *s = (struct slot *)handle;

	atomic_store_explicit(&s->state, FREE, memory_order_release);
}

/* [pause] Objects whose regions are to be asked for at once. */
struct asked {
	struct slot *slot[PEEK_BATCH];
	uintptr_t at[PEEK_BATCH]; /* its object: it may be given to another one meanwhile */
	uint32_t was[PEEK_BATCH], type[PEEK_BATCH];
	struct peek_piece piece[PEEK_BATCH];
	size_t n;
};

/* [pause] */
static void ask(struct asked *a)
{
	peek_batch(a->piece, a->n);
	for (size_t i = 0; i < a->n; i++)
		if (!a->piece[i].ok || a->type[i] != a->was[i])
			atomic_compare_exchange_strong_explicit(&a->slot[i]->at, &a->at[i], 0,
								memory_order_relaxed,
								memory_order_relaxed);
	a->n = 0;
}

void humongous_clear(void)
{
	static struct asked a; /* too large for the VM thread's stack */

	for (uint32_t i = 0; i < atomic_load_explicit(&used, memory_order_acquire); i++) {
		struct slot *s = &slots[i];
		if (atomic_load_explicit(&s->state, memory_order_acquire) != HELD)
			continue;
		a.slot[a.n] = s;
		a.at[a.n] = atomic_load_explicit(&s->at, memory_order_relaxed);
		a.was[a.n] = s->type;
		a.piece[a.n] =
			(struct peek_piece){ s->type_at, &a.type[a.n], sizeof a.type[a.n], false };
		if (++a.n == PEEK_BATCH)
			ask(&a);
	}
	ask(&a);
}

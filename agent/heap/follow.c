/* SPDX-License-Identifier: Apache-2.0 */
/*
 * follow.c - see follow.h.
 *
 * Objects of at least --min-size bytes are followed for locality. Smaller ones are followed only
 * because accesses to them lead to uses (uses.h). The small ones are numerous and mostly die soon,
 * so they have a part of the table of their own, and are thinned separately.
 *
 * If held objects would live longer (weak.h), most are not held. They are followed only in the
 * epoch in which they were made, in which nothing moves them.
 *
 * In a pause the agent reads slots that the service thread may be about to release. Weak references
 * are deleted inside the VM, which a thread cannot enter during a pause. The slots of G1's large
 * arrays (humongous.h) are freed and filled at any time, but they are never unmapped. At worst an
 * entry gets the place of another array; a look-up compares class and length before it believes a
 * place (follow_find.c).
 */
#include "heap/follow.h"

#include <math.h>

#include "core/downsample.h"
#include "core/link.h"
#include "core/memory.h"
#include "core/thread.h"
#include "heap/alloc_interval.h"
#include "hotspot/metadata/layout.h"
#include "hotspot/weak.h"

#define PROBES	   256u
#define MUCH	   (FOLLOW_ENTRIES / 4 * 3)
#define FEW	   (FOLLOW_ENTRIES / 4)
#define MUCH_SMALL (FOLLOW_ENTRIES / 4)
#define FEW_SMALL  (FOLLOW_ENTRIES / 16)
#define HEAP_PART  8 /* 1/HEAP_PART of the heap may be held, if that keeps it alive */

struct follow_table follow_table;
static struct follow_place *places; /* of the table */
static struct follow_entry *entries;
static _Atomic uint32_t cursor;	    /* where the search for a free entry begins */
static _Atomic uint32_t last_claim; /* even */
static _Atomic uint64_t held;	    /* bytes held, if they are limited */
static uint64_t limit;
static struct kind {
	_Atomic uint32_t missed;      /* objects that found no entry, or no room to be held */
	_Atomic uint32_t live;	      /* after the last round, plus new ones */
	_Atomic double kept_interval; /* entries are thinned to this; 0: not thinned */
} kinds[2];			      /* [1]: small objects */

/* ---- places ---------------------------------------------------------------------------- */

/* [pause] Extends the bounds of the entry's block to these addresses. */
static void widen(uint32_t i, uintptr_t low, uintptr_t high)
{
	_Atomic uintptr_t *l = &follow_table.blocks[i / FOLLOW_BLOCK].low,
			  *h = &follow_table.blocks[i / FOLLOW_BLOCK].high;
	uintptr_t now = atomic_load_explicit(l, memory_order_acquire);

	while (low < now && !atomic_compare_exchange_weak_explicit(
				    l, &now, low, memory_order_acq_rel, memory_order_acquire))
		;
	now = atomic_load_explicit(h, memory_order_acquire);
	while (high > now && !atomic_compare_exchange_weak_explicit(
				     h, &now, high, memory_order_acq_rel, memory_order_acquire))
		;
}

/* [pause] */
static void set_place(uint32_t i, uintptr_t at, uint64_t epoch)
{
	struct follow_place *p = &places[i];

	atomic_store_explicit(&p->at, 0, memory_order_seq_cst);
	atomic_store_explicit(&p->epoch, epoch, memory_order_seq_cst);
	if (at)
		widen(i, at, at + p->size);
	atomic_store_explicit(&p->at, at, memory_order_seq_cst);
}

/* [pause] The collection is over and `epoch` begins: finds the objects' new places. */
static void find_places(uint64_t epoch)
{
	uint32_t n = follow_used();

	for (uint32_t b = 0; b < FOLLOW_ENTRIES / FOLLOW_BLOCK; b++) {
		atomic_store_explicit(&follow_table.blocks[b].low, UINTPTR_MAX,
				      memory_order_relaxed);
		atomic_store_explicit(&follow_table.blocks[b].high, 0, memory_order_relaxed);
	}
	if (!entries || atomic_load_explicit(&ojx.moves_concurrently, memory_order_relaxed))
		return;
	for (uint32_t i = 0; i < n; i++)
		if (follow_state(&entries[i]) == FOLLOW_FOLLOWED)
			set_place(i, weak_slot(entries[i].handle), epoch);
	atomic_store_explicit(&follow_table.complete, epoch, memory_order_release);
}

/* Outside a pause: finds the place of an entry's object in `epoch`. */
static void find_place(JNIEnv *jni, uint32_t i, uint64_t epoch)
{
	bool concurrent = atomic_load_explicit(&ojx.moves_concurrently, memory_order_relaxed);
	jweak handle = entries[i].handle;
	bool gone = !handle || (concurrent && weak_is_dead(jni, handle));
	uintptr_t raw = gone ? 0 : weak_slot(handle);

	set_place(i, concurrent ? layout_ref(raw) : raw, epoch);
	atomic_thread_fence(memory_order_seq_cst); /* epoch_is() only acquires, see follow.h */
	if (!epoch_is(epoch)) { /* a pause in between may have set a newer place */
		atomic_store_explicit(&places[i].at, 0, memory_order_seq_cst);
		atomic_store_explicit(&places[i].epoch, UINT64_MAX, memory_order_seq_cst);
	}
}

/* ---- objects come ---------------------------------------------------------------------- */

/* Raises `used` to at least n. */
static void raise_used(uint32_t n)
{
	uint32_t now = follow_used();

	while (now < n &&
	       !atomic_compare_exchange_weak_explicit(&follow_table.used, &now, n,
						      memory_order_acq_rel, memory_order_acquire))
		;
}

/* An entry for a new object, FOLLOW_BUSY; NULL if none is free nearby. */
static struct follow_entry *claim_entry(void)
{
	uint32_t start = atomic_fetch_add_explicit(&cursor, 1, memory_order_relaxed);

	for (uint32_t k = 0; k < PROBES; k++) {
		uint32_t i = (start + k) % FOLLOW_ENTRIES, is_free = FOLLOW_FREE;
		if (atomic_load_explicit(&entries[i].state, memory_order_relaxed) != FOLLOW_FREE ||
		    !atomic_compare_exchange_strong_explicit(&entries[i].state, &is_free,
							     FOLLOW_BUSY, memory_order_acq_rel,
							     memory_order_acquire))
			continue;
		/* two looks, see close_up() */
		atomic_thread_fence(memory_order_seq_cst);
		raise_used(i + 1);
		if (k)
			atomic_fetch_add_explicit(&cursor, k, memory_order_relaxed);
		return &entries[i];
	}
	return NULL;
}

/* Whether objects of this size are followed. */
static bool is_wanted(uint64_t size)
{
	return entries && (size >= ojx.config.min_size || ojx.config.flags & WIRE_USES);
}

/* Whether an object may be held; if not, it is followed only in its epoch. */
static bool may_hold(const struct klass *k, uint64_t size)
{
	return !weak_prolongs() ||
	       (!class_refers(k) &&
		atomic_load_explicit(&held, memory_order_relaxed) + size <= limit);
}

/*
 * An entry for a new object, with a reference to it if it may be held. NULL if that cannot be done;
 * if there is no room, the table is thinned soon.
 */
static struct follow_entry *take_for(const struct allocation *a, struct kind *kind)
{
	JNIEnv *jni = a->jni;
	bool full = kind == &kinds[1] &&
		    atomic_load_explicit(&kind->live, memory_order_relaxed) >= MUCH_SMALL;
	struct follow_entry *e = full ? NULL : claim_entry();
	bool lacks = true;

	if (e) {
		e->held = may_hold(a->klass, a->size) ? a->size : 0;
		e->handle = e->held ? weak_hold(jni, a->object, a->address, a->size, &lacks) : NULL;
		if (e->handle || !e->held) {
			atomic_fetch_add_explicit(&held, e->held, memory_order_relaxed);
			return e;
		}
		atomic_store_explicit(&e->state, FOLLOW_FREE, memory_order_release);
	}
	if (lacks)
		atomic_fetch_add_explicit(&kind->missed, 1, memory_order_relaxed);
	return NULL;
}

/* Follows an object, if it is chosen. */
static void follow(struct allocation *a)
{
	uint64_t random = random_next(&a->thread->random);
	bool small = a->size < ojx.config.min_size;
	struct kind *kind = &kinds[small];
	double now =
		downsample_weight(atomic_load_explicit(&kind->kept_interval, memory_order_relaxed),
				  a->weight, a->size);
	bool wanted = is_wanted(a->size) && downsample_keeps((uint32_t)random, a->weight, now);
	struct follow_entry *e = wanted ? take_for(a, kind) : NULL;

	if (!e)
		return;
	e->context = a->context;
	e->class_id = a->klass->id;
	e->array_length = a->array_length;
	e->ticket = (uint32_t)random;
	e->first = a->weight;
	e->born = a->epoch;
	e->owner = a->thread->tid;
	e->thread = thread_number(a->thread);
	e->small = small;
	atomic_store_explicit(&e->hits, 0, memory_order_relaxed);
	atomic_store_explicit(&e->weight, now, memory_order_relaxed);
	a->ref.entry = (uint32_t)(e - entries);
	a->ref.claim = atomic_fetch_add_explicit(&last_claim, 2, memory_order_relaxed) + 2;
	atomic_store_explicit(&e->claim, a->ref.claim, memory_order_release);
	places[a->ref.entry].size = a->size;
	set_place(a->ref.entry, follow_plain(a->address), a->epoch);
	atomic_fetch_add_explicit(&kind->live, 1, memory_order_relaxed);
	atomic_store_explicit(&e->state, FOLLOW_FOLLOWED, memory_order_release);
}

/* ---- objects go ------------------------------------------------------------------------ */

static void release(JNIEnv *jni, uint32_t i)
{
	uint32_t followed = FOLLOW_FOLLOWED;

	if (!atomic_compare_exchange_strong_explicit(&entries[i].state, &followed, FOLLOW_BUSY,
						     memory_order_acq_rel, memory_order_acquire))
		return;
	atomic_store_explicit(&places[i].at, 0, memory_order_seq_cst);
	if (entries[i].handle)
		weak_release(jni, entries[i].handle);
	atomic_fetch_sub_explicit(&held, entries[i].held, memory_order_relaxed);
	atomic_store_explicit(&entries[i].state, FOLLOW_FREE, memory_order_release);
}

/* Drops objects that would not have been sampled with the current interval. */
static void thin(JNIEnv *jni, struct kind *kind)
{
	for (uint32_t i = 0; i < follow_used(); i++) {
		struct follow_entry *e = &entries[i];
		if (follow_state(e) != FOLLOW_FOLLOWED || &kinds[e->small] != kind)
			continue;
		double weight = downsample_weight(
			atomic_load_explicit(&kind->kept_interval, memory_order_relaxed),
			atomic_load_explicit(&e->weight, memory_order_relaxed), places[i].size);
		if (downsample_keeps(e->ticket, e->first, weight))
			atomic_store_explicit(&e->weight, weight, memory_order_relaxed);
		else
			release(jni, i);
	}
}

/* Adjusts a kind's interval so that its number of objects stays between `few` and `much`. */
static void make_room(JNIEnv *jni, struct kind *kind, uint32_t much, uint32_t few)
{
	double interval = atomic_load_explicit(&kind->kept_interval, memory_order_relaxed),
	       least = 2.0 * (double)alloc_interval();
	uint32_t live = atomic_load_explicit(&kind->live, memory_order_relaxed);
	bool lack = atomic_exchange_explicit(&kind->missed, 0, memory_order_relaxed) > 0;

	if (live >= much || lack) {
		atomic_store_explicit(&kind->kept_interval, fmax(2 * interval, fmax(least, 4096)),
				      memory_order_relaxed);
		thin(jni, kind);
	} else if (live < few && interval > 0) {
		atomic_store_explicit(&kind->kept_interval, interval > 2 * least ? interval / 2 : 0,
				      memory_order_relaxed);
	}
}

/* Lets new objects go to the first free entries, and lowers `used` to the last entry in use. */
static void close_up(void)
{
	uint32_t n = follow_used(), first = 0, end = n;

	while (first < n && follow_state(&entries[first]) != FOLLOW_FREE)
		first++;
	atomic_store_explicit(&cursor, first, memory_order_relaxed);
	while (end > 0 && follow_state(&entries[end - 1]) == FOLLOW_FREE)
		end--;
	if (end == n ||
	    !atomic_compare_exchange_strong_explicit(&follow_table.used, &n, end,
						     memory_order_acq_rel, memory_order_acquire))
		return;
	/*
	 * A thread that took one of these earlier did not raise `used`. It takes an entry and then
	 * looks at `used`; here `used` falls before the look at entries: one of the two sees the
	 * other.
	 */
	atomic_thread_fence(memory_order_seq_cst);
	for (uint32_t i = n; i > end; i--)
		if (follow_state(&entries[i - 1]) != FOLLOW_FREE) {
			raise_used(i);
			return;
		}
}

/* Finds the objects that were not found in the pause, drops the dead, thins the table. */
static void look_after(JNIEnv *jni)
{
	uint64_t epoch = epoch_now();
	uint32_t live[2] = { 0, 0 };

	if (!entries || epoch == UINT64_MAX)
		return;
	for (uint32_t i = 0; i < follow_used(); i++) {
		if (follow_state(&entries[i]) != FOLLOW_FOLLOWED)
			continue;
		if (atomic_load_explicit(&places[i].epoch, memory_order_seq_cst) != epoch)
			find_place(jni, i, epoch);
		bool dead = atomic_load_explicit(&places[i].at, memory_order_seq_cst) == 0 &&
			    atomic_load_explicit(&places[i].epoch, memory_order_seq_cst) == epoch &&
			    epoch_is(epoch);
		if (dead)
			release(jni, i);
		live[entries[i].small] += !dead;
	}
	if (epoch_is(epoch))
		atomic_store_explicit(&follow_table.complete, epoch, memory_order_release);
	atomic_store_explicit(&kinds[0].live, live[0], memory_order_relaxed);
	atomic_store_explicit(&kinds[1].live, live[1], memory_order_relaxed);
	make_room(jni, &kinds[0], MUCH, FEW);
	make_room(jni, &kinds[1], MUCH_SMALL, FEW_SMALL);
	close_up();
}

static void release_all(JNIEnv *jni)
{
	for (uint32_t i = 0; entries && i < follow_used(); i++)
		release(jni, i);
}

/* ---- as a part of the agent ---------------------------------------------------------------- */

static const char *init(const struct part_start *start)
{
	(void)start;
	if (!(ojx.config.flags & FOLLOW_FLAGS))
		return PART_UNASKED;
	if (!weak_tells()) {
		link_note("objects cannot be followed with this collector, JDK and options: "
			  "accesses are told by class and place alone, not by allocation");
		return "cleared references cannot be told";
	}
	limit = weak_limit(HEAP_PART);
	places = memory_new(FOLLOW_ENTRIES, sizeof *places);
	entries = places ? memory_new(FOLLOW_ENTRIES, sizeof *entries) : NULL;
	follow_table.places = places;
	follow_table.entries = entries;
	if (!entries)
		link_note("there is no memory to follow objects: accesses are told by class and "
			  "place alone");
	find_places(epoch_now());
	atomic_store_explicit(&follow_table.complete, epoch_now(), memory_order_release);
	return entries ? NULL : "out of memory";
}

/* [pause] */
static void gc_finish(uint64_t epoch)
{
	if (atomic_load_explicit(&ojx.live, memory_order_acquire))
		find_places(epoch);
}

static void serve(const struct part_turn *turn)
{
	if (!turn->final)
		look_after(turn->jni);
}

const struct part follow_part = {
	.name = "followed objects",
	.of_objects = true,
	.init = init,
	.kept = follow,
	.gc_finish = gc_finish,
	.serve = serve,
	.release = release_all,
};

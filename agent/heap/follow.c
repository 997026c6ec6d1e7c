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
 * In a pause the agent reads slots that the service thread may be about to delete. That is safe:
 * deletion happens inside the VM, which a thread cannot enter during a pause.
 */
#include "heap/follow.h"

#include <math.h>

#include "core/downsample.h"
#include "core/link.h"
#include "core/memory.h"
#include "core/peek.h"
#include "core/thread.h"
#include "heap/alloc_interval.h"
#include "hotspot/layout.h"
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
	_Atomic uint32_t missed;      /* objects that found no entry */
	_Atomic uint32_t live;	      /* after the last round, plus new ones */
	_Atomic double kept_interval; /* entries are thinned to this; 0: not thinned */
} kinds[2];			      /* [1]: small objects */

/* ---- places ---------------------------------------------------------------------------- */

/* [handler][pause] An address without the bits by which some collectors mark it. */
static uintptr_t follow_plain(uintptr_t address)
{
	return layout.ref_shift ? address : address & layout.ref_mask;
}

/* [pause] Extends the bounds of the entry's block to these addresses. */
static void widen(uint32_t i, uintptr_t low, uintptr_t high)
{
	_Atomic uintptr_t *l = &follow_table.blocks[i / FOLLOW_BLOCK].low,
			  *h = &follow_table.blocks[i / FOLLOW_BLOCK].high;
	uintptr_t now = atomic_load(l);

	while (low < now && !atomic_compare_exchange_weak(l, &now, low))
		;
	now = atomic_load(h);
	while (high > now && !atomic_compare_exchange_weak(h, &now, high))
		;
}

/* [pause] */
static void set_place(uint32_t i, uintptr_t at, uint64_t epoch)
{
	struct follow_place *p = &places[i];

	atomic_store(&p->at, 0);
	atomic_store(&p->epoch, epoch);
	if (at)
		widen(i, at, at + p->size);
	atomic_store(&p->at, at);
}

/* [pause] The collection is over and `epoch` begins: finds the objects' new places. */
static void find_places(uint64_t epoch)
{
	uint32_t n = atomic_load(&follow_table.used);

	for (uint32_t b = 0; b < FOLLOW_ENTRIES / FOLLOW_BLOCK; b++) {
		atomic_store_explicit(&follow_table.blocks[b].low, UINTPTR_MAX,
				      memory_order_relaxed);
		atomic_store_explicit(&follow_table.blocks[b].high, 0, memory_order_relaxed);
	}
	if (!entries || atomic_load(&ojx.moves_concurrently))
		return;
	for (uint32_t i = 0; i < n; i++)
		if (atomic_load_explicit(&entries[i].state, memory_order_acquire) ==
		    FOLLOW_FOLLOWED)
			set_place(i, weak_slot(entries[i].handle), epoch);
	atomic_store(&follow_table.complete, epoch);
}

/* Outside a pause: finds the place of an entry's object in `epoch`. */
static void find_place(JNIEnv *jni, uint32_t i, uint64_t epoch)
{
	bool concurrent = atomic_load(&ojx.moves_concurrently);
	jweak handle = entries[i].handle;
	bool gone = !handle || (concurrent && weak_is_dead(jni, handle));
	uintptr_t raw = gone ? 0 : weak_slot(handle);

	set_place(i, concurrent ? layout_ref(raw) : raw, epoch);
	if (!epoch_is(epoch)) { /* a pause in between may have set a newer place */
		atomic_store(&places[i].at, 0);
		atomic_store(&places[i].epoch, UINT64_MAX);
	}
}

/* ---- objects come ---------------------------------------------------------------------- */

/* Raises `used` to at least n. */
static void raise_used(uint32_t n)
{
	uint32_t now = atomic_load(&follow_table.used);

	while (now < n && !atomic_compare_exchange_weak(&follow_table.used, &now, n))
		;
}

/* An entry for a new object, FOLLOW_BUSY; NULL if none is free nearby. */
static struct follow_entry *claim_entry(void)
{
	uint32_t start = atomic_fetch_add(&cursor, 1);

	for (uint32_t k = 0; k < PROBES; k++) {
		uint32_t i = (start + k) % FOLLOW_ENTRIES, is_free = FOLLOW_FREE;
		if (atomic_load_explicit(&entries[i].state, memory_order_relaxed) != FOLLOW_FREE ||
		    !atomic_compare_exchange_strong(&entries[i].state, &is_free, FOLLOW_BUSY))
			continue;
		raise_used(i + 1);
		if (k)
			atomic_fetch_add(&cursor, k);
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
	return !weak_keeps() || (!class_refers(k) && atomic_load(&held) + size <= limit);
}

/* An entry for a new object, with a reference to it if it may be held; NULL if there is no room. */
static struct follow_entry *take_for(const struct allocation *a, struct kind *kind)
{
	JNIEnv *jni = a->jni;
	bool full = kind == &kinds[1] && atomic_load(&kind->live) >= MUCH_SMALL;
	struct follow_entry *e = full ? NULL : claim_entry();

	if (!e) {
		atomic_fetch_add(&kind->missed, 1);
		return NULL;
	}
	e->held = may_hold(a->klass, a->size) ? a->size : 0;
	e->handle = e->held ? (*jni)->NewWeakGlobalRef(jni, a->object) : NULL;
	if (e->handle || !e->held) {
		atomic_fetch_add(&held, e->held);
		return e;
	}
	(*jni)->ExceptionClear(jni);
	atomic_store(&e->state, FOLLOW_FREE);
	return NULL;
}

/* Follows an object, if it is chosen. */
static void follow(struct allocation *a)
{
	uint64_t random = random_next(&a->thread->random);
	bool small = a->size < ojx.config.min_size;
	struct kind *kind = &kinds[small];
	double now = downsample_weight(atomic_load(&kind->kept_interval), a->weight, a->size);
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
	e->thread = a->thread->number;
	e->small = small;
	atomic_store(&e->hits, 0);
	atomic_store(&e->weight, now);
	a->ref.entry = (uint32_t)(e - entries);
	a->ref.claim = atomic_fetch_add(&last_claim, 2) + 2;
	atomic_store(&e->claim, a->ref.claim);
	places[a->ref.entry].size = a->size;
	set_place(a->ref.entry, follow_plain(a->address), a->epoch);
	atomic_fetch_add(&kind->live, 1);
	atomic_store_explicit(&e->state, FOLLOW_FOLLOWED, memory_order_release);
}

/* ---- objects go ------------------------------------------------------------------------ */

static void release(JNIEnv *jni, uint32_t i)
{
	uint32_t followed = FOLLOW_FOLLOWED;

	if (!atomic_compare_exchange_strong(&entries[i].state, &followed, FOLLOW_BUSY))
		return;
	atomic_store(&places[i].at, 0);
	if (entries[i].handle)
		(*jni)->DeleteWeakGlobalRef(jni, entries[i].handle);
	atomic_fetch_sub(&held, entries[i].held);
	atomic_store(&entries[i].state, FOLLOW_FREE);
}

/* Drops objects that would not have been sampled with the current interval. */
static void thin(JNIEnv *jni, struct kind *kind)
{
	for (uint32_t i = 0; i < atomic_load(&follow_table.used); i++) {
		struct follow_entry *e = &entries[i];
		if (atomic_load(&e->state) != FOLLOW_FOLLOWED || &kinds[e->small] != kind)
			continue;
		double weight = downsample_weight(atomic_load(&kind->kept_interval),
						  atomic_load(&e->weight), places[i].size);
		if (downsample_keeps(e->ticket, e->first, weight))
			atomic_store(&e->weight, weight);
		else
			release(jni, i);
	}
}

/* Adjusts a kind's interval so that its number of objects stays between `few` and `much`. */
static void make_room(JNIEnv *jni, struct kind *kind, uint32_t much, uint32_t few)
{
	double interval = atomic_load(&kind->kept_interval), least = 2.0 * (double)alloc_interval();
	uint32_t live = atomic_load(&kind->live);
	bool lack = atomic_exchange(&kind->missed, 0) > 0;

	if (live >= much || lack) {
		atomic_store(&kind->kept_interval, fmax(2 * interval, fmax(least, 4096)));
		thin(jni, kind);
	} else if (live < few && interval > 0) {
		atomic_store(&kind->kept_interval, interval > 2 * least ? interval / 2 : 0);
	}
}

/* Lets new objects go to the first free entries, and lowers `used` to the last entry in use. */
static void close_up(void)
{
	uint32_t n = atomic_load(&follow_table.used), first = 0, end = n;

	while (first < n && atomic_load(&entries[first].state) != FOLLOW_FREE)
		first++;
	atomic_store(&cursor, first);
	while (end > 0 && atomic_load(&entries[end - 1].state) == FOLLOW_FREE)
		end--;
	if (end == n || !atomic_compare_exchange_strong(&follow_table.used, &n, end))
		return;
	/* a thread that took one of these earlier did not raise `used` */
	for (uint32_t i = n; i > end; i--)
		if (atomic_load(&entries[i - 1].state) != FOLLOW_FREE) {
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
	for (uint32_t i = 0; i < atomic_load(&follow_table.used); i++) {
		if (atomic_load_explicit(&entries[i].state, memory_order_acquire) !=
		    FOLLOW_FOLLOWED)
			continue;
		if (atomic_load(&places[i].epoch) != epoch)
			find_place(jni, i, epoch);
		bool dead = atomic_load(&places[i].at) == 0 &&
			    atomic_load(&places[i].epoch) == epoch && epoch_is(epoch);
		if (dead)
			release(jni, i);
		live[entries[i].small] += !dead;
	}
	if (epoch_is(epoch))
		atomic_store(&follow_table.complete, epoch);
	atomic_store(&kinds[0].live, live[0]);
	atomic_store(&kinds[1].live, live[1]);
	make_room(jni, &kinds[0], MUCH, FEW);
	make_room(jni, &kinds[1], MUCH_SMALL, FEW_SMALL);
	close_up();
}

static void release_all(JNIEnv *jni)
{
	for (uint32_t i = 0; entries && i < atomic_load(&follow_table.used); i++)
		release(jni, i);
}

/*
 * ---- Look-ups in the table of followed objects, in handlers: by address, or by class. A
 * found object existed at the time of the look-up: its header is read, and the epoch and the
 * entry must be the same before and after.
 */

#define HEADER 24u /* bytes of an object with class word and length */
#define PICKS  32u /* entries tried for an old object of a class, and as many for any */

/* [handler] Whether the object at `start` matches the entry. */
static bool is_there(const struct follow_entry *e, uintptr_t start)
{
	unsigned char header[HEADER];
	const unsigned char *at = header;
	const struct klass *k = class_by_id(e->class_id);

	if (!k)
		return false;
	if (!peek_works())
		at = (const unsigned char *)
			start; /* then this is a handler, and the object does not move */
	else if (!peek(start, header, layout.length_offset + 4))
		return false; /* a collection has come meanwhile and shrunk the heap */
	return layout_klass(at) == atomic_load_explicit(&k->word, memory_order_relaxed) &&
	       (!k->array || *(const uint32_t *)(at + layout.length_offset) == e->array_length);
}

/*
 * [handler] The object of an entry, if it is at `at` in `epoch`. `view`: the metadata bits of
 * addresses in code.
 */
static bool found(uint32_t i, uintptr_t at, uintptr_t view, uint64_t epoch, struct followed *to)
{
	const struct follow_entry *e = &follow_table.entries[i];
	const struct follow_place *p = &follow_table.places[i];

	*to = (struct followed){
		.ref = { i, atomic_load(&e->claim) & ~1u },
		.context = e->context,
		.class_id = e->class_id,
		.array_length = e->array_length,
		.start = at + view,
		.size = p->size,
		.weight = atomic_load(&e->weight),
		.taken = atomic_load(&e->claim) & 1,
		.born = e->born,
		.owner = e->owner,
		.thread = e->thread,
	};
	return atomic_load(&e->state) == FOLLOW_FOLLOWED && is_there(e, at + view) &&
	       atomic_load(&p->at) == at && epoch_is(epoch);
}

enum follow_found follow_find(uintptr_t address, uint64_t epoch, struct followed *to)
{
	const struct follow_block *blocks = follow_table.blocks;
	uintptr_t a = follow_plain(address);
	uint32_t n = atomic_load(&follow_table.used);

	if (!follow_table.entries)
		return FOLLOW_NONE;
	if (atomic_load_explicit(&follow_table.complete, memory_order_acquire) != epoch)
		return FOLLOW_UNKNOWN;
	for (uint32_t b = 0; b * FOLLOW_BLOCK < n; b++) {
		if (a < atomic_load_explicit(&blocks[b].low, memory_order_relaxed) ||
		    a >= atomic_load_explicit(&blocks[b].high, memory_order_relaxed))
			continue;
		for (uint32_t i = b * FOLLOW_BLOCK; i < (b + 1) * FOLLOW_BLOCK; i++) {
			const struct follow_place *p = &follow_table.places[i];
			uintptr_t at = atomic_load_explicit(&p->at, memory_order_acquire);
			if (!at || a - at >= p->size || atomic_load(&p->epoch) != epoch)
				continue;
			bool there = found(i, at, address - a, epoch, to);
			to->offset = a - at;
			return there ? FOLLOW_FOUND : FOLLOW_UNKNOWN;
		}
	}
	return FOLLOW_NONE;
}

uint32_t follow_hit(struct follow_ref ref, uint32_t times)
{
	return atomic_fetch_add(&follow_table.entries[ref.entry].hits, times) + 1;
}

/*
 * [handler] Whether an entry may be of an object of this class whose use has not been seen. `old`:
 * only if it has survived a collection.
 */
static bool fits(uint32_t i, uint32_t class_id, uint64_t epoch, bool old)
{
	const struct follow_entry *e = &follow_table.entries[i];

	return atomic_load_explicit(&e->state, memory_order_acquire) == FOLLOW_FOLLOWED &&
	       e->class_id == class_id && !(atomic_load(&e->claim) & 1) &&
	       (!old || e->born != epoch) && atomic_load(&follow_table.places[i].epoch) == epoch;
}

bool follow_pick(uint32_t class_id, uint64_t epoch, uintptr_t like, uint64_t *random,
		 struct followed *to)
{
	uint32_t n = atomic_load(&follow_table.used);

	/*
	 * In many programs most young objects are already dead, and watches of allocations cover
	 * them anyway.
	 */
	for (uint32_t k = 0; follow_table.entries && n && k < 2 * PICKS; k++) {
		uint32_t i = (uint32_t)random_below(random, n);
		if (!fits(i, class_id, epoch, k < PICKS))
			continue;
		uintptr_t at = atomic_load(&follow_table.places[i].at);
		if (at && found(i, at, like - follow_plain(like), epoch, to))
			return true;
	}
	return false;
}

bool follow_claim(struct follow_ref ref)
{
	uint32_t unclaimed = ref.claim;

	return !ref.claim || atomic_compare_exchange_strong(&follow_table.entries[ref.entry].claim,
							    &unclaimed, unclaimed | 1);
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
			  "place "
			  "alone");
	find_places(epoch_now());
	atomic_store(&follow_table.complete, epoch_now());
	return entries ? NULL : "out of memory";
}

/* [pause] */
static void gc_finish(uint64_t epoch)
{
	if (atomic_load(&ojx.live))
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

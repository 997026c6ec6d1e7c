/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live_heap.c - see live_heap.h. Adds objects to the table and removes them; live_heap_view.c takes
 * their snapshots.
 *
 * An entry belongs to whoever moves it from FREE or HELD to BUSY. Allocating threads take free
 * entries; whoever has the service's turn (service.c) does the rest.
 *
 * If held objects live longer (weak.h), the length of a string's array decides whether the string
 * may stay. A new string has no array yet, so the length is read later. A string that is too long
 * is dropped; its entry then records that such strings of its context are unknown.
 */
#include "heap/live_heap.h"

#include <math.h>

#include "core/downsample.h"
#include "core/jvm.h"
#include "core/memory.h"
#include "core/peek.h"
#include "core/thread.h"
#include "heap/alloc_interval.h"
#include "heap/allocation.h"
#include "heap/collections.h"
#include "heap/lifetimes.h"
#include "heap/live_heap_view.h"
#include "heap/pending_objects.h"
#include "hotspot/metadata/klass.h"
#include "hotspot/metadata/layout.h"
#include "hotspot/weak.h"

#define PROBES	       64u
#define MANY	       1024u /* from this number on, fewer of the sampled objects are held */
#define FEWER	       4.0
#define STEPS	       32u /* each step of the table or the bytes raises the interval */
#define LEAST_INTERVAL 4096.0
#define HEAP_PART      64	  /* 1/HEAP_PART of the heap may be held, if that keeps it alive */
#define UNHELD_MAX     256u	  /* contexts with long strings; with more, no strings are held */
#define ARRAY_HEADER   16u	  /* bytes */
#define SWEEP_NS       250000000u /* if references are cleared outside pauses */

static struct live_heap_held *entries; /* of the table */
static _Atomic uint32_t cursor;	       /* where the search for a free entry begins */
static _Atomic uint64_t bytes;	       /* that held objects keep alive, if that is limited */
static _Atomic bool lacking;	       /* an object was lost, since nothing was left to hold it */
static uint64_t limit;
static double thinned; /* the interval to which the table is thinned */
static uint32_t nunheld;

/* ---- start ----------------------------------------------------------------------------- */

static void string_init(JNIEnv *jni)
{
	jclass local = (*jni)->FindClass(jni, "java/lang/String");
	jfieldID value = local ? (*jni)->GetFieldID(jni, local, "value", "[B") : NULL;

	live_heap_table.string_value = value;
	live_heap_table.string = value ? jvm_hold(jni, local) : NULL;
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
}

static const char *init(const struct part_start *start)
{
	if (!ojx.scan_on && !(ojx.config.flags & WIRE_LIVES))
		return PART_UNASKED;
	if (!weak_tells() || !peek_works())
		return "the death of objects cannot be told";
	live_heap_table.leaves = weak_prolongs();
	limit = weak_limit(HEAP_PART);
	if (atomic_load_explicit(&ojx.moves_concurrently, memory_order_relaxed))
		string_init(start->jni);
	atomic_store_explicit(&live_heap_table.strings,
			      live_heap_table.leaves && live_heap_table.string,
			      memory_order_relaxed);
	if ((!ojx.scan_on || live_heap_view_init()) && canaries_init(start->jni))
		entries = memory_new(ALIVE_MAX, sizeof *entries);
	live_heap_table.entries = entries;
	return entries ? NULL : "out of memory";
}

/* ---- objects come and go ----------------------------------------------------------------- */

static void raise_used(uint32_t n)
{
	uint32_t now = atomic_load_explicit(&live_heap_table.used, memory_order_acquire);

	while (now < n &&
	       !atomic_compare_exchange_weak_explicit(&live_heap_table.used, &now, n,
						      memory_order_acq_rel, memory_order_acquire))
		;
}

/* An entry for a new object, ALIVE_BUSY; NULL if none is free nearby. */
static struct live_heap_held *claim_entry(void)
{
	uint32_t start = atomic_load_explicit(&cursor, memory_order_relaxed);

	for (uint32_t k = 0; k < PROBES; k++) {
		uint32_t i = (start + k) % ALIVE_MAX, is_free = ALIVE_FREE;
		if (!atomic_compare_exchange_strong_explicit(&entries[i].state, &is_free,
							     ALIVE_BUSY, memory_order_acq_rel,
							     memory_order_acquire))
			continue;
		raise_used(i + 1);
		atomic_store_explicit(&cursor, i + 1, memory_order_relaxed);
		return &entries[i];
	}
	atomic_store_explicit(&cursor, start + PROBES, memory_order_relaxed);
	return NULL;
}

/*
 * When the table is nearly full, fewer objects are added from now on, and the existing ones are
 * thinned soon.
 */
static void raise_interval(void)
{
	double now = atomic_load_explicit(&live_heap_table.interval, memory_order_relaxed),
	       least = 2.0 * (double)alloc_interval();

	atomic_compare_exchange_strong_explicit(&live_heap_table.interval, &now,
						fmax(2 * now, fmax(least, LEAST_INTERVAL)),
						memory_order_relaxed, memory_order_relaxed);
}

/*
 * Whether adding `one`, which makes the total `now`, crosses one of the steps in the last quarter
 * of `max`.
 */
static bool steps_up(uint64_t now, uint64_t one, uint64_t max)
{
	return now > max / 4 * 3 && now / (max / STEPS + 1) != (now - one) / (max / STEPS + 1);
}

/* Counts `n` more held objects and `size` more bytes. */
static void account(uint32_t n, uint64_t size)
{
	uint32_t many =
		atomic_fetch_add_explicit(&live_heap_table.count, n, memory_order_relaxed) + n;
	uint64_t much = atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed) + size;

	if (steps_up(many, n, atomic_load_explicit(&live_heap_table.room, memory_order_relaxed)) ||
	    (limit != UINT64_MAX && steps_up(much, size, limit)))
		raise_interval();
}

static bool is_string(JNIEnv *jni, jobject object)
{
	return atomic_load_explicit(&live_heap_table.strings, memory_order_relaxed) &&
	       (*jni)->IsInstanceOf(jni, object, live_heap_table.string);
}

/* Whether an object may be held. `open`: depends on its array. */
static bool may_hold(JNIEnv *jni, jobject object, const struct klass *k, uint64_t size, bool *open)
{
	*open = false;
	if (!live_heap_table.leaves)
		return true;
	if (size > ALIVE_LEAF_MAX ||
	    atomic_load_explicit(&bytes, memory_order_relaxed) + size > limit)
		return false;
	*open = class_refers(k) && is_string(jni, object);
	return *open || !class_refers(k);
}

/* The sampling interval of held objects, bytes. If many are sampled, a quarter suffices. */
static double interval_now(void)
{
	double least = atomic_load_explicit(&live_heap_table.count, memory_order_relaxed) < MANY
			       ? 0
			       : FEWER * (double)alloc_interval();

	return fmax(atomic_load_explicit(&live_heap_table.interval, memory_order_relaxed), least);
}

/* Holds an object from now on, if it is chosen. */
static void hold(struct allocation *a)
{
	JNIEnv *jni = a->jni;
	uint64_t random = random_next(&a->thread->random);
	bool open, lacks = true; /* unless there is an entry */

	if (!may_hold(jni, a->object, a->klass, a->size, &open))
		return;
	double weight = downsample_weight(interval_now(), a->weight, a->size);
	if (!downsample_keeps((uint32_t)random, a->weight, weight))
		return;
	struct live_heap_held *e = claim_entry();
	if (e) {
		e->handle = weak_hold(jni, a->object, a->address, a->size, &lacks);
		if (!e->handle) {
			atomic_store_explicit(&e->state, ALIVE_FREE, memory_order_release);
			e = NULL;
		}
	}
	if (!e) {
		if (lacks)
			atomic_store_explicit(&lacking, true, memory_order_relaxed);
		return;
	}
	e->context = a->context;
	e->class_id = a->klass->id;
	e->array_length = a->array_length;
	e->ticket = (uint32_t)random;
	e->object_ticket = a->ticket;
	e->thread = thread_number(a->thread);
	e->open = open;
	e->size = a->size;
	e->array = 0;
	e->first = a->weight;
	e->weight = weight;
	e->time = now_ns();
	account(1, a->size); /* before it can be released */
	lifetimes_begin((uint32_t)(e - entries), e->handle);
	atomic_store_explicit(&e->state, ALIVE_HELD, memory_order_release);
	if (a->pending) /* or what its place has become: then tickets differ */
		atomic_store_explicit(&a->pending->held,
				      (uint64_t)a->ticket << 32 | (uint32_t)(e - entries + 1),
				      memory_order_release);
}

/* Releases an object; its entry becomes `next`. */
static void release_to(JNIEnv *jni, struct live_heap_held *e, uint32_t next)
{
	uint32_t held = ALIVE_HELD;

	if (!atomic_compare_exchange_strong_explicit(&e->state, &held, ALIVE_BUSY,
						     memory_order_acq_rel, memory_order_acquire))
		return;
	lifetimes_end((uint32_t)(e - entries));
	weak_release(jni, e->handle);
	atomic_fetch_sub_explicit(&live_heap_table.count, 1, memory_order_relaxed);
	atomic_fetch_sub_explicit(&bytes, e->size + e->array, memory_order_relaxed);
	atomic_store_explicit(&e->state, next, memory_order_release);
}

static void release(JNIEnv *jni, struct live_heap_held *e)
{
	release_to(jni, e, ALIVE_FREE);
}

static void sweep_one(JNIEnv *jni, struct link_ring *ring, uint32_t i)
{
	if (!live_heap_is_held(&entries[i]))
		return;
	if (!weak_is_dead(jni, entries[i].handle))
		lifetimes_still_held(i);
	else if (lifetimes_died(ring, i))
		release(jni, &entries[i]);
}

/* Releases the dead. If that leaves much room, more objects may come. */
static void sweep(JNIEnv *jni, struct link_ring *ring)
{
	double now = atomic_load_explicit(&live_heap_table.interval, memory_order_relaxed),
	       least = 2.0 * (double)alloc_interval();

	for (uint32_t i = 0; i < atomic_load_explicit(&live_heap_table.used, memory_order_acquire);
	     i++)
		sweep_one(jni, ring, i);
	bool few = atomic_load_explicit(&live_heap_table.count, memory_order_relaxed) <
			   atomic_load_explicit(&live_heap_table.room, memory_order_relaxed) / 4 &&
		   atomic_load_explicit(&bytes, memory_order_relaxed) < limit / 4;
	if (few && now > 0) {
		atomic_store_explicit(&live_heap_table.interval,
				      now > 2 * fmax(least, LEAST_INTERVAL) ? now / 2 : 0,
				      memory_order_relaxed);
		thinned = atomic_load_explicit(&live_heap_table.interval, memory_order_relaxed);
	}
}

/* Releases objects that would not have been sampled with the current interval. */
static void thin(JNIEnv *jni)
{
	/* none was left, for one object or for many, since it was last thinned */
	bool lacks =
		atomic_exchange_explicit(&lacking, false, memory_order_relaxed) &&
		atomic_load_explicit(&live_heap_table.interval, memory_order_relaxed) <= thinned;

	/* or there is less room than before */
	if (lacks || atomic_load_explicit(&live_heap_table.count, memory_order_relaxed) >
			     atomic_load_explicit(&live_heap_table.room, memory_order_relaxed))
		raise_interval();
	if (atomic_load_explicit(&live_heap_table.interval, memory_order_relaxed) <= thinned)
		return;
	thinned = atomic_load_explicit(&live_heap_table.interval, memory_order_relaxed);
	for (uint32_t i = 0; i < atomic_load_explicit(&live_heap_table.used, memory_order_acquire);
	     i++) {
		struct live_heap_held *e = &entries[i];
		if (!live_heap_is_held(e))
			continue;
		double weight = downsample_weight(
			atomic_load_explicit(&live_heap_table.interval, memory_order_relaxed),
			e->weight, e->size);
		if (downsample_keeps(e->ticket, e->first, weight))
			e->weight = weight;
		else
			release(jni, e);
	}
}
/* ---- strings where held objects live longer -------------------------------------------------- */

static bool is_unheld(uint32_t context)
{
	for (uint32_t i = 0; i < atomic_load_explicit(&live_heap_table.used, memory_order_acquire);
	     i++)
		if (atomic_load_explicit(&entries[i].state, memory_order_acquire) == ALIVE_UNHELD &&
		    entries[i].context == context)
			return true;
	return false;
}

/* Releases a string that is too long. */
static void unhold(JNIEnv *jni, struct live_heap_held *e)
{
	if (is_unheld(e->context)) {
		release(jni, e);
		return;
	}
	release_to(jni, e, ALIVE_UNHELD);
	if (++nunheld >= UNHELD_MAX)
		atomic_store_explicit(&live_heap_table.strings, false, memory_order_relaxed);
}

/* Reads the length of a new string. A string under construction has no array yet. */
static void measure(JNIEnv *jni, struct live_heap_held *e)
{
	jobject object = (*jni)->NewLocalRef(jni, e->handle), array;

	array = object ? (*jni)->GetObjectField(jni, object, live_heap_table.string_value) : NULL;
	if (array) {
		uint64_t length = ARRAY_HEADER + (uint64_t)(*jni)->GetArrayLength(jni, array);
		e->open = false;
		if (e->size + length > ALIVE_LEAF_MAX) {
			unhold(jni, e);
		} else {
			e->array = length;
			account(0, length);
		}
	}
	(*jni)->DeleteLocalRef(jni, array);
	(*jni)->DeleteLocalRef(jni, object);
}

static void measure_strings(JNIEnv *jni)
{
	for (uint32_t i = 0; i < atomic_load_explicit(&live_heap_table.used, memory_order_acquire);
	     i++)
		if (live_heap_is_held(&entries[i]) && entries[i].open)
			measure(jni, &entries[i]);
}

/* ---- on the service thread ------------------------------------------------------------------- */

/* Drops the dead; sends a view if it is time, or at the end. */
static void serve(const struct part_turn *turn)
{
	JNIEnv *jni = turn->jni;
	struct link_ring *ring = turn->ring;
	bool final = turn->final;
	static uint64_t swept_epoch, swept;
	uint64_t now = now_ns(), epoch = epoch_now();

	if ((*jni)->ExceptionCheck(jni))
		return;
	bool died = canaries_sweep(jni),
	     again = atomic_load_explicit(&ojx.moves_concurrently, memory_order_relaxed);
	if (died || final || epoch != swept_epoch || (again && now - swept > SWEEP_NS)) {
		swept_epoch = epoch;
		swept = now;
		sweep(jni, ring);
	}
	if (live_heap_table.leaves)
		measure_strings(jni);
	thin(jni);
	if (ojx.scan_on)
		live_heap_view(jni, ring, final);
	lifetimes_service(jni, ring, final);
	if (!final && atomic_load_explicit(&live_heap_table.used, memory_order_acquire))
		canaries_add(jni);
}

static void release_all(JNIEnv *jni)
{
	for (uint32_t i = 0;
	     entries && i < atomic_load_explicit(&live_heap_table.used, memory_order_acquire); i++)
		release(jni, &entries[i]);
	canaries_release(jni);
	lifetimes_release(jni);
}

const struct part live_heap_part = {
	.name = "live objects",
	.of_objects = true,
	.init = init,
	.kept = hold,
	.serve = serve,
	.release = release_all,
};

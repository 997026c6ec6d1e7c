/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collections.c - see collections.h.
 *
 * G1 marks while the program runs, and treats as alive all objects that were alive when the marking
 * began. So after a pause that only marks, a dead canary shows that objects were alive when the
 * agent let go of that canary. The agent lets go of one canary after another, so that the last one
 * is recent; the longer the recording, the less often. After a full collection, objects are known
 * to be alive now. A mixed collection of G1 looks at a part of the old generation only, so its dead
 * canaries tell nothing.
 */
#include "heap/collections.h"

#include "core/jvm.h"
#include "heap/alloc_interval.h"
#include "hotspot/vmstructs.h"
#include "hotspot/weak.h"

static _Atomic uint64_t allocated;	    /* bytes */
static _Atomic uint32_t pauses;		    /* that collected */
static const _Atomic uint32_t *collections; /* the VM's count */

bool heap_time_init(const struct vmstructs *vm)
{
	collections = vmstructs_collections(vm);
	return collections != NULL;
}

void heap_time_allocated(double bytes)
{
	atomic_fetch_add_explicit(&allocated, (uint64_t)bytes, memory_order_relaxed);
}

void heap_time_collected(void)
{
	atomic_fetch_add_explicit(&pauses, 1, memory_order_relaxed);
}

uint32_t heap_time_vm_collections(void)
{
	return collections ? atomic_load_explicit(collections, memory_order_acquire) : 0;
}

uint32_t heap_time_full_collections(void)
{
	return collections ? atomic_load_explicit(collections + 1, memory_order_acquire) : 0;
}

struct wire_heap_time heap_time_now(void)
{
	return (struct wire_heap_time){
		.ns = now_ns() - ojx.start_ns,
		.bytes = atomic_load_explicit(&allocated, memory_order_relaxed),
		.collections = ojx.stays ? atomic_load_explicit(&pauses, memory_order_relaxed)
					 : heap_time_vm_collections(),
	};
}

/* ---- the count for the report ---------------------------------------------------------- */

static uint32_t first; /* the VM's count when the recording began */

static const char *count_init(const struct part_start *start)
{
	if (!ojx.stays || !heap_time_init(start->vm))
		return "only pauses are counted";
	first = heap_time_vm_collections();
	atomic_fetch_or_explicit(&ojx.shm->status.jvm_flags, WIRE_JVM_COLLECTIONS,
				 memory_order_relaxed);
	return NULL;
}

/* [pause] The later one of two calls at the same time may have the older count. */
static void count(void)
{
	uint64_t n = heap_time_vm_collections() - first;
	uint64_t told = atomic_load_explicit(&ojx.shm->status.collections, memory_order_relaxed);

	while (n > told &&
	       !atomic_compare_exchange_weak_explicit(&ojx.shm->status.collections, &told, n,
						      memory_order_relaxed, memory_order_relaxed))
		;
}

/* [pause] */
static void count_gc_finish(uint64_t epoch)
{
	(void)epoch;
	count();
}

/* Serial and Parallel collect for a heap dump without an event. */
static void count_serve(const struct part_turn *turn)
{
	(void)turn;
	count();
}

const struct part collections_part = {
	.name = "collections",
	.init = count_init,
	.gc_finish = count_gc_finish,
	.serve = count_serve,
};

/* ---- canaries -------------------------------------------------------------------------- */

static jclass type; /* java.lang.Object */

static bool know_type(JNIEnv *jni)
{
	jclass local = type ? NULL : (*jni)->FindClass(jni, "java/lang/Object");

	if (local)
		type = jvm_hold(jni, local);
	return type != NULL;
}

/*
 * ---- Canaries are held like other objects. With generational ZGC a canary detects
 * collections of the old generation, in which other held objects die, too.
 */

#define YOUNG_CANARIES 16
#define CANARY_NS      100000000u /* least time between two */

static struct young_canary {
	jweak handle;
	uint64_t time; /* a time before its allocation */
	struct wire_heap_time at;
} young_canaries[YOUNG_CANARIES]; /* by time */
static uint32_t nyoung;
static uint64_t canary_gap = CANARY_NS;
static uint64_t horizon;
static struct wire_heap_time horizon_time;

bool canaries_init(JNIEnv *jni)
{
	return know_type(jni);
}

uint64_t canaries_horizon(void)
{
	return horizon;
}

struct wire_heap_time canaries_horizon_time(void)
{
	return horizon_time;
}

/* If there are too many, drops every other one; the rest stay in order. */
bool canaries_sweep(JNIEnv *jni)
{
	bool full = nyoung == YOUNG_CANARIES, died = false;
	uint32_t n = 0;

	for (uint32_t i = 0; i < nyoung; i++) {
		struct young_canary *c = &young_canaries[i];
		bool dead = weak_is_dead(jni, c->handle);
		if (dead && c->time > horizon) {
			horizon = c->time;
			horizon_time = c->at;
		}
		died |= dead;
		if (dead || (full && i % 2 == 0))
			(*jni)->DeleteWeakGlobalRef(jni, c->handle);
		else
			young_canaries[n++] = *c;
	}
	nyoung = n;
	if (died)
		canary_gap = CANARY_NS;
	else if (full)
		canary_gap *= 2; /* the longer they wait, the rarer they become */
	return died;
}

/*
 * Whether the newest canary is so close to the previous one that a new one may replace it. So one
 * is always young.
 */
static bool newest_is_spare(void)
{
	return nyoung >= 2 &&
	       young_canaries[nyoung - 1].time - young_canaries[nyoung - 2].time < canary_gap;
}

void canaries_add(JNIEnv *jni)
{
	static uint64_t last;
	uint64_t now = now_ns();
	struct wire_heap_time at = heap_time_now();

	if (now - last < CANARY_NS || nyoung == YOUNG_CANARIES)
		return;
	last = now;
	if (newest_is_spare())
		(*jni)->DeleteWeakGlobalRef(jni, young_canaries[--nyoung].handle);
	alloc_ignore(true);
	jobject object = (*jni)->AllocObject(jni, type);
	alloc_ignore(false);
	jweak handle = object ? (*jni)->NewWeakGlobalRef(jni, object) : NULL;
	if (object)
		(*jni)->DeleteLocalRef(jni, object);
	if (handle)
		young_canaries[nyoung++] = (struct young_canary){ handle, now, at };
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
}

void canaries_release(JNIEnv *jni)
{
	while (nyoung > 0)
		(*jni)->DeleteWeakGlobalRef(jni, young_canaries[--nyoung].handle);
}

#define CANARIES 16
#define PART	 8	     /* a canary is let go of after 1/PART of the time so far */
#define LEAST_NS 1000000000u /* and after this time at least */

enum state { NONE, HELD, OLD, LET_GO, DEAD };
static struct canary {
	_Atomic uint32_t state; /* OLD and DEAD are set in pauses */
	jobject strong;
	jweak weak;
	uintptr_t place;
	struct wire_heap_time let_go;
} canaries[CANARIES];

bool old_canaries_init(JNIEnv *jni)
{
	return know_type(jni);
}

/* ---- in pauses --------------------------------------------------------------------------- */

/* [pause] */
static void look_at_held(struct canary *c, bool moved)
{
	uintptr_t place = weak_slot(c->weak);

	/* the service thread may just be dropping it */
	uint32_t held = HELD;
	if (moved && place == c->place)
		atomic_compare_exchange_strong_explicit(&c->state, &held, OLD, memory_order_acq_rel,
							memory_order_acquire);
	c->place = place;
}

bool old_canaries_gc_finish(enum old_pause pause, const struct wire_heap_time *now,
			    struct wire_heap_time *alive)
{
	bool died = false;

	for (int i = 0; i < CANARIES; i++) {
		struct canary *c = &canaries[i];
		uint32_t state = atomic_load_explicit(&c->state, memory_order_acquire);
		if (state == HELD)
			look_at_held(c, pause == OLD_YOUNG || pause == OLD_FULL);
		if (state != LET_GO || weak_slot(c->weak) != 0)
			continue;
		if (!atomic_compare_exchange_strong_explicit(
			    &c->state, &state, DEAD, memory_order_acq_rel, memory_order_acquire))
			continue; /* the service thread is just dropping it */
		if (!died || c->let_go.ns > alive->ns)
			*alive = c->let_go;
		died = true;
	}
	if (died && pause == OLD_FULL)
		*alive = *now;
	return died && (pause == OLD_FULL || pause == OLD_MARKS);
}

/* ---- on the service thread --------------------------------------------------------------- */

static void make(JNIEnv *jni, struct canary *c)
{
	alloc_ignore(true);
	jobject object = (*jni)->AllocObject(jni, type);
	alloc_ignore(false);
	c->strong = object ? (*jni)->NewGlobalRef(jni, object) : NULL;
	c->weak = c->strong ? (*jni)->NewWeakGlobalRef(jni, object) : NULL;
	c->place = 0;
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	if (object)
		(*jni)->DeleteLocalRef(jni, object);
	if (c->weak)
		atomic_store_explicit(&c->state, HELD, memory_order_release);
	else if (c->strong)
		(*jni)->DeleteGlobalRef(jni, c->strong);
}

static void let_go(JNIEnv *jni, struct canary *c)
{
	c->let_go = heap_time_now(); /* first: a marking may begin as soon as nothing holds it */
	(*jni)->DeleteGlobalRef(jni, c->strong);
	c->strong = NULL;
	atomic_store_explicit(&c->state, LET_GO, memory_order_release);
}

static void drop(JNIEnv *jni, struct canary *c)
{
	uint32_t state = atomic_exchange_explicit(&c->state, NONE, memory_order_acq_rel);

	if (state == NONE)
		return;
	if (c->strong)
		(*jni)->DeleteGlobalRef(jni, c->strong);
	c->strong = NULL;
	(*jni)->DeleteWeakGlobalRef(jni, c->weak);
}

/*
 * Whether it is time to let go of another canary: no other is let go of now, or the last was long
 * ago.
 */
static bool is_due(void)
{
	uint64_t now = heap_time_now().ns, last = 0;
	bool any = false;

	for (int i = 0; i < CANARIES; i++)
		if (atomic_load_explicit(&canaries[i].state, memory_order_acquire) == LET_GO) {
			any = true;
			last = canaries[i].let_go.ns > last ? canaries[i].let_go.ns : last;
		}
	uint64_t pause = now / PART > LEAST_NS ? now / PART : LEAST_NS;
	return !any || now - last > pause;
}

/* If all canaries are let go of, drops the one that was let go of first. */
static void make_room(JNIEnv *jni)
{
	struct canary *oldest = NULL;

	for (int i = 0; i < CANARIES; i++) {
		struct canary *c = &canaries[i];
		if (atomic_load_explicit(&c->state, memory_order_acquire) != LET_GO)
			return;
		if (!oldest || c->let_go.ns < oldest->let_go.ns)
			oldest = c;
	}
	drop(jni, oldest);
}

void old_canaries_service(JNIEnv *jni)
{
	if (!type)
		return;
	make_room(jni);
	for (int i = 0; i < CANARIES; i++) {
		struct canary *c = &canaries[i];
		uint32_t state = atomic_load_explicit(&c->state, memory_order_acquire);
		if (state == DEAD)
			drop(jni, c);
		if (state == DEAD || state == NONE)
			make(jni, c);
		else if (state == OLD && is_due())
			let_go(jni, c);
	}
}

void old_canaries_release(JNIEnv *jni)
{
	for (int i = 0; i < CANARIES; i++)
		drop(jni, &canaries[i]);
}

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
#include "heap/heap_time.h"
#include "hotspot/weak.h"

#define CANARIES 16
#define PART	 8	     /* a canary is let go of after 1/PART of the time so far */
#define LEAST_NS 1000000000u /* and after this time at least */

enum state { NONE, HELD, OLD, LET_GO, DEAD };

static jclass type;
static struct canary {
	_Atomic uint32_t state; /* OLD and DEAD are set in pauses */
	jobject strong;
	jweak weak;
	uintptr_t place;
	struct wire_heap_time let_go;
} canaries[CANARIES];

bool old_detector_init(JNIEnv *jni)
{
	jclass local = (*jni)->FindClass(jni, "java/lang/Object");

	type = local ? jvm_hold(jni, local) : NULL;
	return type != NULL;
}

/* ---- in pauses --------------------------------------------------------------------------- */

/* [pause] */
static void look_at_held(struct canary *c, bool moved)
{
	uintptr_t place = weak_slot(c->weak);

	/* the service thread may just be dropping it */
	uint32_t held = HELD;
	if (moved && place == c->place)
		atomic_compare_exchange_strong(&c->state, &held, OLD);
	c->place = place;
}

bool old_detector_gc_finish(enum old_pause pause, const struct wire_heap_time *now,
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
		if (!atomic_compare_exchange_strong(&c->state, &state, DEAD))
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
		atomic_store(&c->state, HELD);
	else if (c->strong)
		(*jni)->DeleteGlobalRef(jni, c->strong);
}

static void let_go(JNIEnv *jni, struct canary *c)
{
	c->let_go = heap_time_now(); /* first: a marking may begin as soon as nothing holds it */
	(*jni)->DeleteGlobalRef(jni, c->strong);
	c->strong = NULL;
	atomic_store(&c->state, LET_GO);
}

static void drop(JNIEnv *jni, struct canary *c)
{
	uint32_t state = atomic_exchange(&c->state, NONE);

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
		if (atomic_load(&canaries[i].state) == LET_GO) {
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
		if (atomic_load(&c->state) != LET_GO)
			return;
		if (!oldest || c->let_go.ns < oldest->let_go.ns)
			oldest = c;
	}
	drop(jni, oldest);
}

void old_detector_service(JNIEnv *jni)
{
	if (!type)
		return;
	make_room(jni);
	for (int i = 0; i < CANARIES; i++) {
		struct canary *c = &canaries[i];
		uint32_t state = atomic_load(&c->state);
		if (state == DEAD)
			drop(jni, c);
		if (state == DEAD || state == NONE)
			make(jni, c);
		else if (state == OLD && is_due())
			let_go(jni, c);
	}
}

void old_detector_release(JNIEnv *jni)
{
	for (int i = 0; i < CANARIES; i++)
		drop(jni, &canaries[i]);
}

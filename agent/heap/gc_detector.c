/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gc_detector.c - see gc_detector.h. Canaries are held like other objects. With generational ZGC a
 * canary detects collections of the old generation, in which other held objects die, too.
 */
#include "heap/gc_detector.h"

#include "core/jvm.h"
#include "heap/alloc_interval.h"
#include "heap/heap_time.h"
#include "hotspot/weak.h"

#define CANARIES  16
#define CANARY_NS 100000000u /* least time between two */

static jclass type;
static struct gc_detector {
	jweak handle;
	uint64_t time; /* a time before its allocation */
	struct wire_heap_time at;
} canaries[CANARIES]; /* by time */
static uint32_t ncanaries;
static uint64_t pause = CANARY_NS;
static uint64_t horizon;
static struct wire_heap_time horizon_time;

bool gc_detector_init(JNIEnv *jni)
{
	jclass local = (*jni)->FindClass(jni, "java/lang/Object");

	type = local ? jvm_hold(jni, local) : NULL;
	return type != NULL;
}

uint64_t gc_detector_horizon(void)
{
	return horizon;
}

struct wire_heap_time gc_detector_heap_time(void)
{
	return horizon_time;
}

/* If there are too many, drops every other one; the rest stay in order. */
bool gc_detector_sweep(JNIEnv *jni)
{
	bool full = ncanaries == CANARIES, died = false;
	uint32_t n = 0;

	for (uint32_t i = 0; i < ncanaries; i++) {
		struct gc_detector *c = &canaries[i];
		bool dead = weak_is_dead(jni, c->handle);
		if (dead && c->time > horizon) {
			horizon = c->time;
			horizon_time = c->at;
		}
		died |= dead;
		if (dead || (full && i % 2 == 0))
			(*jni)->DeleteWeakGlobalRef(jni, c->handle);
		else
			canaries[n++] = *c;
	}
	ncanaries = n;
	if (died)
		pause = CANARY_NS;
	else if (full)
		pause *= 2; /* the longer they wait, the rarer they become */
	return died;
}

/*
 * Whether the newest canary is so close to the previous one that a new one may replace it. So one
 * is always young.
 */
static bool newest_is_spare(void)
{
	return ncanaries >= 2 &&
	       canaries[ncanaries - 1].time - canaries[ncanaries - 2].time < pause;
}

void gc_detector_add(JNIEnv *jni)
{
	static uint64_t last;
	uint64_t now = now_ns();
	struct wire_heap_time at = heap_time_now();

	if (now - last < CANARY_NS || ncanaries == CANARIES)
		return;
	last = now;
	if (newest_is_spare())
		(*jni)->DeleteWeakGlobalRef(jni, canaries[--ncanaries].handle);
	alloc_ignore(true);
	jobject object = (*jni)->AllocObject(jni, type);
	alloc_ignore(false);
	jweak handle = object ? (*jni)->NewWeakGlobalRef(jni, object) : NULL;
	if (object)
		(*jni)->DeleteLocalRef(jni, object);
	if (handle)
		canaries[ncanaries++] = (struct gc_detector){ handle, now, at };
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
}

void gc_detector_release(JNIEnv *jni)
{
	while (ncanaries > 0)
		(*jni)->DeleteWeakGlobalRef(jni, canaries[--ncanaries].handle);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attach.c - see attach.h.
 *
 * A thread gets its structure when the agent first runs on it. One that was there before may make
 * no object for long, but accesses some, and its events have to be opened by others. JVMTI does not
 * tell a thread's number, its JNIEnv and its stack. They are read from HotSpot's JavaThread, which
 * may go away meanwhile, through the kernel.
 */
#define _GNU_SOURCE

#include "attach.h"

#include <dlfcn.h>
#include <unistd.h>

#include "alone.h"
#include "core/jvm.h"
#include "core/link.h"
#include "core/part.h"
#include "core/peek.h"
#include "core/registry.h"
#include "core/session.h"
#include "core/thread.h"
#include "heap/alloc_interval.h"
#include "hotspot/metadata/classes.h"
#include "hotspot/threadname.h"
#include "hotspot/vmstructs.h"
#include "perf/events.h"

/*
 * ---- The order: no more events; then the gate is closed and the last thread leaves; from
 * then on nobody but this thread uses what is given back. The library stays loaded, since a
 * thread may still be in front of the gate.
 */

#define CLOSE_NS 60000000000u /* a thread may be suspended inside the agent, by a debugger */

/* The environment stays, see agent.c. */
static void disable_events(jvmtiEnv *jvmti)
{
	static const jvmtiEvent events[] = {
		JVMTI_EVENT_SAMPLED_OBJECT_ALLOC,
		JVMTI_EVENT_THREAD_START,
		JVMTI_EVENT_THREAD_END,
		JVMTI_EVENT_CLASS_LOAD,
		JVMTI_EVENT_CLASS_PREPARE,
		JVMTI_EVENT_GARBAGE_COLLECTION_START,
		JVMTI_EVENT_GARBAGE_COLLECTION_FINISH,
		JVMTI_EVENT_VM_DEATH,
	};

	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
		(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, events[i], NULL);
}

static void give_up_capabilities(jvmtiEnv *jvmti)
{
	jvmtiCapabilities all;

	(*jvmti)->SetEventCallbacks(jvmti, NULL, 0);
	if ((*jvmti)->GetCapabilities(jvmti, &all) == JVMTI_ERROR_NONE)
		(*jvmti)->RelinquishCapabilities(jvmti, &all);
}

static void release_references(JNIEnv *jni)
{
	parts_release(jni);
	classes_release(jni);
	jvm_release(jni);
}

void detach(JNIEnv *jni)
{
	jvmtiEnv *jvmti = ojx.jvmti;

	registry_set_leaving();
	alone_end();
	if (jvmti)
		disable_events(jvmti);
	if (!session_close(CLOSE_NS))
		return; /* for ever: what that thread may use stays, and no session begins */
	events_give_up();
	vmstructs_restore_flag();
	if (jni)
		release_references(jni);
	link_unmap();
	if (jvmti) {
		alloc_give_back(); /* again where the recording has begun */
		give_up_capabilities(jvmti);
	}
	if (ojx.dl)
		dlclose(ojx.dl);
	session_reset();
	registry_release();
}

#define ENV_MAX	  8192			     /* most bytes from a JavaThread to its JNIEnv */
#define ADOPT_MAX ((jint)THREAD_MAX * 3 / 4) /* others get a structure when they need it */

/* ---- threads --------------------------------------------------------------------------- */

/* Where things are in a JavaThread. */
struct places {
	jfieldID java_thread; /* java.lang.Thread.eetop */
	size_t env, os_thread, number, stack_base;
};

static uintptr_t java_thread(JNIEnv *jni, const struct places *at, jthread thread)
{
	return (uintptr_t)(*jni)->GetLongField(jni, thread, at->java_thread);
}

/* Checks them on the calling thread. */
static bool find_places(JNIEnv *jni, jthread current, struct places *at)
{
	const struct vmstructs_wanted wanted[] = {
		{ "JavaThread", "_osthread", .offset = &at->os_thread },
		{ "Thread", "_osthread", .offset = &at->os_thread },
		{ "OSThread", "_thread_id", .offset = &at->number },
		{ "JavaThread", "_stack_base", .offset = &at->stack_base },
		{ "Thread", "_stack_base", .offset = &at->stack_base },
	};
	jclass type = (*jni)->GetObjectClass(jni, current);
	uintptr_t os_thread = 0, high = 0, here = (uintptr_t)__builtin_frame_address(0);
	int32_t number = 0;

	vmstructs_find(ojx.dl, wanted, sizeof wanted / sizeof wanted[0]);
	at->java_thread = (*jni)->GetFieldID(jni, type, "eetop", "J");
	(*jni)->ExceptionClear(jni);
	(*jni)->DeleteLocalRef(jni, type);
	if (!at->java_thread || !at->os_thread || !at->stack_base)
		return false;
	uintptr_t self = java_thread(jni, at, current);
	at->env = (uintptr_t)jni - self;
	return at->env < ENV_MAX && peek(self + at->os_thread, &os_thread, sizeof os_thread) &&
	       peek(os_thread + at->number, &number, sizeof number) && number == gettid() &&
	       peek(self + at->stack_base, &high, sizeof high) && high > here;
}

/* Adopts one thread, if it does not end meanwhile. */
static void adopt(JNIEnv *jni, const struct places *at, jthread thread)
{
	uintptr_t self = java_thread(jni, at, thread), os_thread = 0, high = 0;
	int32_t number = 0;

	if (!self || !peek(self + at->os_thread, &os_thread, sizeof os_thread) || !os_thread ||
	    !peek(os_thread + at->number, &number, sizeof number) || number <= 0 ||
	    !peek(self + at->stack_base, &high, sizeof high) ||
	    java_thread(jni, at, thread) != self)
		return;
	struct thread *t = thread_adopt(number, (JNIEnv *)(self + at->env), high);
	if (t && ojx.config.nevents)
		thread_name(t, jni, thread, false);
}

void attach_threads(JNIEnv *jni, jthread current)
{
	struct places at = { 0 };
	jthread *threads = NULL;
	jint n = 0;

	if (!find_places(jni, current, &at)) {
		link_note("threads of the program are watched from their first sampled "
			  "allocation on: the JVM's threads are not as expected");
		return;
	}
	if ((*jni)->PushLocalFrame(jni, JVM_LOCAL_REFERENCES) != 0)
		return;
	if ((*ojx.jvmti)->GetAllThreads(ojx.jvmti, &n, &threads) == JVMTI_ERROR_NONE) {
		for (jint i = 0; i < n && i < ADOPT_MAX; i++)
			adopt(jni, &at, threads[i]);
		(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)threads);
	}
	(*jni)->PopLocalFrame(jni, NULL);
}

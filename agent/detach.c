/* SPDX-License-Identifier: Apache-2.0 */
/*
 * detach.c - see detach.h.
 *
 * The order: no more events; then the gate is closed and the last thread leaves; from then on
 * nobody but this thread uses what is given back. The library stays loaded, since a thread may
 * still be in front of the gate.
 */
#include "detach.h"

#include <dlfcn.h>

#include "alone.h"
#include "core/jvm.h"
#include "core/link.h"
#include "core/registry.h"
#include "core/session.h"
#include "heap/alloc_interval.h"
#include "heap/follow.h"
#include "heap/live_heap.h"
#include "hotspot/classes.h"
#include "hotspot/vmstructs.h"
#include "perf/events.h"

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
	live_heap_release(jni);
	follow_release(jni);
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

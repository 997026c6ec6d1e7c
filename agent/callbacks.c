/* SPDX-License-Identifier: Apache-2.0 */
/*
 * callbacks.c - see callbacks.h. Every callback goes through the gate of the session. A thread may
 * read the address of a callback and call it long after the event was disabled. If another session
 * has begun by then, the event is one of that session.
 */
#include "callbacks.h"

#include "analyse/object_watch.h"
#include "core/pause.h"
#include "core/session.h"
#include "core/thread.h"
#include "detach.h"
#include "heap/alloc.h"
#include "heap/follow.h"
#include "heap/lives.h"
#include "heap/sample_draw.h"
#include "heap/scan.h"
#include "heap/windows.h"
#include "hotspot/ids.h"
#include "hotspot/threadname.h"
#include "service.h"
#include "start.h"

/* [pause] */
static void pause_begins(void)
{
	if (atomic_load(&ojx.gc_seq) & 1)
		return;
	pause_work_begin();
	if (ojx.scan_on && atomic_load(&ojx.live))
		scan_gc_start();
	lives_gc_start();
	object_watch_gc_start();
	if (windows_wanted() && atomic_load(&ojx.live))
		windows_gc_start();
	atomic_fetch_add(&ojx.gc_seq, 1);
	atomic_fetch_add(&ojx.shm->status.epoch, 1);
	pause_work_end(false);
}

/* [pause] Runs on the VM thread, while the Java threads stand still. */
static void JNICALL gc_start(jvmtiEnv *jvmti)
{
	(void)jvmti;
	if (!session_enter())
		return;
	pause_begins();
	session_leave();
}

/* [pause] */
static void pause_ends(void)
{
	uint64_t seq = atomic_load(&ojx.gc_seq);
	if (!(seq & 1))
		return;
	pause_work_begin();
	if (ojx.config.flags & FOLLOW_FLAGS && atomic_load(&ojx.live))
		follow_gc_finish(epoch_of(seq + 1));
	if (lives_wanted())
		lives_gc_finish();
	object_watch_gc_finish(epoch_of(seq + 1));
	if (windows_wanted())
		windows_gc_finish();
	pause_work_end(true);
	atomic_store(&ojx.gc_time, now_ns());
	atomic_fetch_add(&ojx.gc_seq, 1);
}

/* [pause] */
static void JNICALL gc_finish(jvmtiEnv *jvmti)
{
	(void)jvmti;
	if (!session_enter())
		return;
	pause_ends();
	session_leave();
}

static void JNICALL alloc_event(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object,
				jclass type, jlong size)
{
	(void)jvmti;
	if (!session_enter())
		return;
	alloc_sampled(jni, thread, object, type, size);
	session_leave();
}

static void begin_thread(JNIEnv *jni, jthread thread)
{
	struct thread *t = thread_known();

	if (t) { /* the main thread, or one that was adopted before it attached itself again */
		thread_self(jni);
		return;
	}
	sample_draw_begin(jni);
	t = thread_self(jni);
	if (t && ojx.config.nevents) /* accesses may be all that is known of it */
		thread_name(t, jni, thread, false);
}

static void JNICALL thread_started(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jvmti;
	if (!session_enter())
		return;
	begin_thread(jni, thread);
	session_leave();
}

static void JNICALL thread_ended(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jni;
	(void)thread;
	(void)jvmti;
	if (!session_enter())
		return;
	thread_end();
	session_leave();
}

static void JNICALL class_prepared(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass type)
{
	(void)jni;
	(void)thread;
	(void)jvmti;
	if (!session_enter())
		return;
	ids_prepare_class(type, true);
	session_leave();
}

/* AsyncGetCallTrace requires that this event is enabled. */
static void JNICALL class_loaded(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass type)
{
	(void)jvmti;
	(void)jni;
	(void)thread;
	(void)type;
}

static void JNICALL vm_died(jvmtiEnv *jvmti, JNIEnv *jni)
{
	(void)jvmti;
	if (!session_enter())
		return;
	service_end(jni);
	session_leave();
}

static void JNICALL vm_started(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jvmti;
	if (!session_enter())
		return;
	bool good = start_recording(jni, thread);
	session_leave();
	if (!good)
		detach(jni);
}

bool callbacks_set(void)
{
	const jvmtiEventCallbacks callbacks = {
		.VMInit = vm_started,
		.VMDeath = vm_died,
		.ThreadStart = thread_started,
		.ThreadEnd = thread_ended,
		.ClassLoad = class_loaded,
		.ClassPrepare = class_prepared,
		.GarbageCollectionStart = gc_start,
		.GarbageCollectionFinish = gc_finish,
		.SampledObjectAlloc = alloc_event,
	};

	return (*ojx.jvmti)->SetEventCallbacks(ojx.jvmti, &callbacks, sizeof callbacks) ==
	       JVMTI_ERROR_NONE;
}

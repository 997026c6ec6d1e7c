/* SPDX-License-Identifier: Apache-2.0 */
/* service.c - see service.h. */
#define _GNU_SOURCE
#include "service.h"

#include <time.h>

#include "alone.h"
#include "attach.h"
#include "core/jvm.h"
#include "core/link.h"
#include "core/part.h"
#include "core/registry.h"
#include "core/thread.h"
#include "core/trace.h"
#include "governor.h"
#include "perf/events.h"

#define FINAL_WAIT 2000000000u /* ns */
#define TURN_STEP  1000000     /* ns */
#define SOON_MS	   20	       /* longest wait of urgent work, */
#define SOON_PART  8	       /* and such a part of the time between two collections, */
#define SOON_LEAST 2	       /* but not less */
#define LEAVING_MS 60000
#define CLOSINGS   100	    /* attempts, */
#define CLOSING_NS 50000000 /* after each */

static struct thread *service;
/*
 * Guards the use of JNI and JVMTI: either the service thread has the turn or, in VMDeath, the
 * thread that does the rest. The holder may be suspended inside JNI or JVMTI. So VMDeath waits for
 * a limited time. The service thread may wait for any time, since nobody waits for it; and it must
 * wait, since its ring is in use.
 */
static _Atomic bool turn_taken;
static _Atomic bool ended; /* nothing more is recorded */
static _Atomic bool dying; /* the VM dies: the service thread has to end soon */

/*
 * False if the turn is not free within `limit_ns`. Polls with the monotonic clock, since somebody
 * may set the time of day back.
 */
static bool take_turn(uint64_t limit_ns)
{
	const struct timespec step = { .tv_nsec = TURN_STEP };
	uint64_t since = now_ns();

	while (atomic_exchange_explicit(&turn_taken, true, memory_order_acq_rel)) {
		if (now_ns() - since > limit_ns)
			return false;
		nanosleep(&step, NULL);
	}
	return true;
}

static void end_turn(void)
{
	atomic_store_explicit(&turn_taken, false, memory_order_release);
}

static void set_state(uint32_t state)
{
	atomic_store_explicit(&ojx.shm->status.state, state, memory_order_release);
}

/* A turn on the calling thread, whose JNIEnv is `jni`. */
static struct part_turn turn_of(JNIEnv *jni, bool final)
{
	return (struct part_turn){
		.service = service, .ring = &service->ring, .jni = jni, .final = final
	};
}

/* How long urgent work may wait, ms. */
static int soon_ms(void)
{
	uint64_t part = epoch_length() / SOON_PART / 1000000;

	return part > SOON_MS ? SOON_MS : part < SOON_LEAST ? SOON_LEAST : (int)part;
}

/*
 * Waits for the next round. Serves earlier what cannot wait: deferred samples, and objects whose
 * snapshot is due before the next pause, since a collection would separate the samples from their
 * objects. False if the tool is gone.
 */
static bool rest(void)
{
	bool connected = true;
	int left = governor_pause();
	const struct part_turn turn = turn_of(service->jni, false);

	while (connected && left > 0 &&
	       !atomic_load_explicit(&ojx.shm->stop, memory_order_acquire) &&
	       !atomic_load_explicit(&ended, memory_order_acquire)) {
		int ms = left;
		if (parts_are_urgent() && left > soon_ms())
			ms = soon_ms();
		connected = link_wait(ms);
		left -= ms;
		take_turn(UINT64_MAX);
		if (left > 0 && !atomic_load_explicit(&ended, memory_order_acquire))
			parts_hurry(&turn);
		end_turn();
	}
	return connected;
}

/* What pauses have counted since the last round. */
static void trace_collections(void)
{
	static uint64_t seen, spent;
	uint64_t now = atomic_load_explicit(&ojx.gc_seq, memory_order_relaxed) / 2;
	uint64_t ns = atomic_load_explicit(&ojx.shm->status.cost.pause_ns, memory_order_relaxed);

	if (now != seen)
		trace("collections: %llu pauses, of which the agent made %.3f ms longer",
		      (unsigned long long)(now - seen), (double)(ns - spent) / 1e6);
	seen = now;
	spent = ns;
}

/* One round of the service thread's work. */
static void service_round(void)
{
	const struct part_turn turn = turn_of(service->jni, false);

	if (atomic_load_explicit(&trace_on, memory_order_relaxed))
		trace_collections();
	parts_serve(&turn);
	if (atomic_load_explicit(&ojx.live, memory_order_acquire))
		governor_tick();
	alone_serve();
	link_tidy();
}

/* The last round: sends everything that is known. `jni`: of the calling thread. */
static void finish(JNIEnv *jni)
{
	const struct part_turn turn = turn_of(jni, true);
	uint64_t since = cpu_ns();

	if (atomic_exchange_explicit(&ended, true, memory_order_acq_rel))
		return;
	atomic_store_explicit(&ojx.live, 0, memory_order_release);
	trace("end: the last round");
	parts_end(&turn);
	parts_serve(&turn);
	governor_end(since);
	set_state(WIRE_STOPPED);
}

/*
 * Stops what costs the program something. GC events stay on, since running threads may check
 * whether an address is valid. ThreadEnd events stay on, since the structures of ended threads are
 * recycled.
 */
static void give_back(jvmtiEnv *jvmti, JNIEnv *jni)
{
	static const jvmtiEvent events[] = { JVMTI_EVENT_SAMPLED_OBJECT_ALLOC,
					     JVMTI_EVENT_THREAD_START, JVMTI_EVENT_CLASS_LOAD,
					     JVMTI_EVENT_CLASS_PREPARE };

	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
		(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, events[i], NULL);
	finish(jni);
	parts_release(jni);
}

/* False where there is something left to close. */
static bool close_link(void)
{
	take_turn(UINT64_MAX);
	bool done = atomic_load_explicit(&dying, memory_order_acquire) || link_close();
	end_turn();
	return done;
}

/*
 * The tool has gone, or wants no more: the program runs on as if the agent were not there. If the
 * VM dies, service_end does the rest.
 */
static void leave(jvmtiEnv *jvmti, JNIEnv *jni, bool connected)
{
	const struct timespec step = { .tv_nsec = CLOSING_NS };

	take_turn(UINT64_MAX);
	if (!atomic_load_explicit(&dying, memory_order_acquire)) {
		give_back(jvmti, jni);
		registry_set_leaving(); /* who sees the end of the file may begin again */
		alone_end();
	}
	end_turn();
	for (int i = 0;
	     i < CLOSINGS && !atomic_load_explicit(&dying, memory_order_acquire) && !events_close();
	     i++)
		nanosleep(&step, NULL);
	registry_set_leaving();
	while (connected) /* the tool reads what is left, and goes */
		connected = link_wait(LEAVING_MS);
	for (int i = 0; i < CLOSINGS && !close_link(); i++)
		nanosleep(&step, NULL);
	if (!atomic_load_explicit(&dying, memory_order_acquire))
		detach(jni);
}

void service_begin_sampling(void)
{
	governor_start();
	if (!(ojx.config.flags & WIRE_NO_OBJECTS))
		jvm_enable(JVMTI_EVENT_SAMPLED_OBJECT_ALLOC);
}

void service_go_live(void)
{
	service_begin_sampling();
	atomic_store_explicit(&ojx.live, 1, memory_order_release);
	set_state(WIRE_RECORDING);
}

static void JNICALL service_main(jvmtiEnv *jvmti, JNIEnv *jni, void *arg)
{
	(void)arg;
	uint64_t begin = now_ns() + ojx.config.delay_ms * 1000000ull;
	bool connected = true, stop = false;

	service = thread_self(jni);
	if (!service) {
		detach(jni);
		return;
	}
	link_ring_acquire(&service->ring, true);
	const struct part_turn first = turn_of(jni, false);
	parts_begin(&first);
	while (connected && !stop && !atomic_load_explicit(&ended, memory_order_acquire)) {
		take_turn(UINT64_MAX);
		if (!atomic_load_explicit(&ended, memory_order_acquire)) {
			if (!atomic_load_explicit(&ojx.live, memory_order_acquire) &&
			    now_ns() >= begin)
				service_go_live();
			service_round();
		}
		end_turn();
		connected = rest();
		stop = atomic_load_explicit(&ojx.shm->stop, memory_order_acquire);
	}
	leave(jvmti, jni, connected);
}

jobject service_new(JNIEnv *jni)
{
	jobject thread = NULL;
	jint n = 0;
	jthreadGroup *groups = NULL;

	if ((*ojx.jvmti)->GetTopThreadGroups(ojx.jvmti, &n, &groups) != JVMTI_ERROR_NONE || n < 1)
		return NULL;
	jclass type = (*jni)->FindClass(jni, "java/lang/Thread");
	jmethodID init = type ? (*jni)->GetMethodID(jni, type, "<init>",
						    "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V")
			      : NULL;
	jstring name = init ? (*jni)->NewStringUTF(jni, "ojx") : NULL;
	if (name)
		thread = (*jni)->NewObject(jni, type, init, groups[0], name);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)groups);
	if ((*jni)->ExceptionCheck(jni))
		(*jni)->ExceptionClear(jni);
	return thread;
}

bool service_start(jobject thread)
{
	return thread &&
	       (*ojx.jvmti)
			       ->RunAgentThread(ojx.jvmti, thread, service_main, NULL,
						JVMTI_THREAD_NORM_PRIORITY) == JVMTI_ERROR_NONE;
}

void service_end(JNIEnv *jni)
{
	atomic_store_explicit(&ojx.live, 0, memory_order_release);
	atomic_store_explicit(&dying, true, memory_order_release);
	if (!service)
		return;
	if (!take_turn(FINAL_WAIT))
		return;
	finish(jni); /* its ring belongs to this thread now */
	alone_end();
	link_wake(); /* or the VM waits a third of a second for threads in native code */
	end_turn();
}

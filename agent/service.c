/* SPDX-License-Identifier: Apache-2.0 */
/* service.c - see service.h. */
#define _GNU_SOURCE
#include "service.h"

#include <time.h>

#include "alone.h"
#include "analyse/deferred_samples.h"
#include "analyse/locality.h"
#include "analyse/next_use.h"
#include "analyse/watch.h"
#include "attach.h"
#include "code/next_access.h"
#include "core/jvm.h"
#include "core/link.h"
#include "core/registry.h"
#include "core/seccomp.h"
#include "core/thread.h"
#include "governor.h"
#include "heap/alloc.h"
#include "heap/alloc_interval.h"
#include "heap/follow.h"
#include "heap/live_heap.h"
#include "heap/scan.h"
#include "heap/window_send.h"
#include "hotspot/ids.h"
#include "hotspot/javastack.h"
#include "hotspot/methods.h"
#include "hotspot/stacks.h"
#include "perf/events.h"
#include "perf/sampler.h"
#include "perf/slots.h"
#include "perf/straytrap.h"

#define FINAL_WAIT 2000000000u /* ns */
#define TURN_STEP  1000000     /* ns */
#define SOON_MS	   20	       /* longest wait of urgent work */
#define LEAVING_MS 60000
#define CLOSINGS   100	    /* attempts, */
#define CLOSING_NS 50000000 /* after each */
#define CLASSES	   500	    /* in a round */

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
static unsigned late;	   /* deferred samples that the last round resolved */

/*
 * False if the turn is not free within `limit_ns`. Polls with the monotonic clock, since somebody
 * may set the time of day back.
 */
static bool take_turn(uint64_t limit_ns)
{
	const struct timespec step = { .tv_nsec = TURN_STEP };
	uint64_t since = now_ns();

	while (atomic_exchange(&turn_taken, true)) {
		if (now_ns() - since > limit_ns)
			return false;
		nanosleep(&step, NULL);
	}
	return true;
}

static void end_turn(void)
{
	atomic_store(&turn_taken, false);
}

static void set_state(uint32_t state)
{
	atomic_store_explicit(&ojx.shm->status.state, state, memory_order_release);
}

/* Whether signals of the agent have come since the last call. */
static bool signals_come(void)
{
	static uint64_t before;
	uint64_t now = atomic_load_explicit(&ojx.shm->status.cost.trap_ns, memory_order_relaxed);
	bool come = now != before;

	before = now;
	return come;
}

bool service_check_filters(void)
{
	if (seccomp_permits_now() || !seccomp_differs())
		return true;
	link_note("a seccomp filter that ojx does not have may kill the callers of perf_event_open "
		  "and "
		  "process_vm_readv: from now on there are no watches and no samples of accesses, "
		  "and objects are read in GC pauses only");
	if (atomic_load(&ojx.watch_on) || atomic_load(&ojx.sampling_on))
		events_stop();
	return false;
}

static void between_rounds(bool signals)
{
	service_check_filters();
	if (signals)
		watch_still_ours();
	late = deferred_samples_serve(&service->ring);
	if (next_use_is_due())
		next_use_serve(&service->ring, false);
	scan_hurry(&service->ring);
}

/*
 * Waits for the next round. Serves some work earlier: deferred samples, and objects whose snapshot
 * is due before the next pause, since a collection would separate the samples from their objects.
 * While signals come, it checks often that they are still delivered to the agent; otherwise the JVM
 * would crash. False if the tool is gone.
 */
static bool rest(void)
{
	bool connected = true;
	int left = governor_pause();

	while (connected && left > 0 && !atomic_load(&ojx.shm->stop) && !atomic_load(&ended)) {
		bool signals = signals_come();
		bool soon = late || signals || scan_hurries() || next_use_is_busy();
		int ms = soon && left > SOON_MS ? SOON_MS : left;
		connected = link_wait(ms);
		left -= ms;
		take_turn(UINT64_MAX);
		if (left > 0 && !atomic_load(&ended))
			between_rounds(signals);
		end_turn();
	}
	return connected;
}

/* One round of the service thread's work. */
static void service_round(void)
{
	service_check_filters();
	if (ojx.walks && (atomic_load(&ojx.watch_on) || atomic_load(&ojx.sampling_on))) {
		if (ids_wanted())
			attach_prepare_classes(service->jni, CLASSES);
	} else {
		attach_drop_classes(service->jni);
	}
	thread_sweep();
	next_access_serve();
	if (ojx.config.flags & FOLLOW_FLAGS) {
		follow_service(service->jni);
		late = deferred_samples_serve(&service->ring);
		locality_service(&service->ring);
	}
	methods_resolve();
	stacks_tell_room();
	sample_draw_tell();
	if (atomic_load(&ojx.watch_on) || atomic_load(&ojx.sampling_on))
		watch_still_ours();
	slots_sweep(service);
	if (ojx.scan_on)
		scan_service(&service->ring, false);
	window_send(&service->ring, false);
	next_use_serve(&service->ring, false);
	live_heap_service(service->jni, &service->ring, false);
	if (atomic_load(&ojx.live))
		governor_tick();
	alone_serve();
	link_tidy();
}

/* The last round: sends everything that is known. `jni`: of the calling thread. */
static void finish(struct thread *t, JNIEnv *jni)
{
	uint64_t since = cpu_ns();

	if (atomic_exchange(&ended, true))
		return;
	atomic_store(&ojx.live, 0);
	if (service_check_filters() &&
	    (atomic_load(&ojx.watch_on) || atomic_load(&ojx.sampling_on)))
		watch_still_ours();
	next_use_serve(&t->ring, true);
	events_stop();
	straytrap_tell();
	slots_sweep(t);
	if (ojx.scan_on)
		scan_service(&t->ring, true);
	window_send(&t->ring, true);
	live_heap_service(jni, &t->ring, true);
	if (ojx.config.flags & FOLLOW_FLAGS) {
		deferred_samples_serve(&t->ring);
		locality_service(&t->ring);
	}
	methods_resolve();
	governor_end(since);
	javastack_tell();
	ids_tell();
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
	finish(service, jni);
	attach_drop_classes(jni);
	alloc_give_back();
	live_heap_release(jni);
	if (ojx.config.flags & FOLLOW_FLAGS)
		follow_release(jni);
}

/* False where there is something left to close. */
static bool close_link(void)
{
	take_turn(UINT64_MAX);
	bool done = atomic_load(&dying) || link_close();
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
	if (!atomic_load(&dying)) {
		give_back(jvmti, jni);
		registry_set_leaving(); /* who sees the end of the file may begin again */
		alone_end();
	}
	end_turn();
	for (int i = 0; i < CLOSINGS && !atomic_load(&dying) && !events_close(); i++)
		nanosleep(&step, NULL);
	registry_set_leaving();
	while (connected) /* the tool reads what is left, and goes */
		connected = link_wait(LEAVING_MS);
	for (int i = 0; i < CLOSINGS && !close_link(); i++)
		nanosleep(&step, NULL);
	if (!atomic_load(&dying))
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
	atomic_store(&ojx.live, 1);
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
	events_end(service); /* this thread runs no Java code and never touches an object */
	atomic_store(&ojx.watch_on, !(ojx.config.flags & WIRE_NO_WATCH) && watch_init());
	if (atomic_load(&ojx.watch_on) && ojx.walks)
		atomic_fetch_or(&ojx.shm->status.engines, WIRE_ENGINE_WATCH);
	sampler_start_all();
	while (connected && !stop && !atomic_load(&ended)) {
		take_turn(UINT64_MAX);
		if (!atomic_load(&ended)) {
			if (!atomic_load(&ojx.live) && now_ns() >= begin)
				service_go_live();
			service_round();
		}
		end_turn();
		connected = rest();
		stop = atomic_load(&ojx.shm->stop);
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
	atomic_store(&ojx.live, 0);
	atomic_store(&dying, true);
	if (!service)
		return;
	if (!take_turn(FINAL_WAIT))
		return;
	finish(service, jni); /* its ring belongs to this thread now */
	alone_end();
	link_wake(); /* or the VM waits a third of a second for threads in native code */
	end_turn();
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent.c - loads the agent and subscribes to events.
 *
 * core/state.h states the rules. Loading never fails the JVM: if the agent cannot work, it tells
 * the tool, and the program runs as if the agent were not there.
 */
#define _GNU_SOURCE
#include "core/state.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/deferred_samples.h"
#include "analyse/locality.h"
#include "analyse/waste.h"
#include "analyse/watch.h"
#include "core/jvm.h"
#include "core/link.h"
#include "core/peek.h"
#include "core/seccomp.h"
#include "core/thread.h"
#include "heap/alloc.h"
#include "heap/follow.h"
#include "heap/live_heap.h"
#include "heap/scan.h"
#include "hotspot/intrinsics.h"
#include "hotspot/javastack.h"
#include "hotspot/klassname.h"
#include "hotspot/layout.h"
#include "hotspot/ranges.h"
#include "hotspot/threadname.h"
#include "hotspot/vmstructs.h"
#include "hotspot/walk.h"
#include "hotspot/weak.h"
#include "perf/events.h"
#include "perf/sampler.h"
#include "perf/slots.h"
#include "service.h"

#define EXPORT		   __attribute__((visibility("default")))
#define FIRST_JDK	   11
#define EXACT_LINES_BUDGET 5	/* percent */
#define LOADED_CLASSES	   4096 /* local references, enough at the VM's start */

static struct vmstructs vm;
static char vm_name[WIRE_TEXT], vm_version[WIRE_TEXT];

/* ---- events ---------------------------------------------------------------------------- */

/* [pause] */
static void count_pause(uint64_t start)
{
	uint64_t cost = now_ns() - start;

	status_add(cost.pause_ns, cost);
	if (cost > atomic_load(&ojx.shm->status.max_pause_ns))
		atomic_store(&ojx.shm->status.max_pause_ns, cost);
}

/* [pause] Runs on the VM thread, while the Java threads stand still. */
static void JNICALL gc_start(jvmtiEnv *jvmti)
{
	(void)jvmti;
	if (atomic_load(&ojx.gc_seq) & 1)
		return;
	uint64_t start = now_ns();
	if (ojx.scan_on && atomic_load(&ojx.live))
		scan_gc_start();
	atomic_fetch_add(&ojx.gc_seq, 1);
	atomic_fetch_add(&ojx.shm->status.epoch, 1);
	count_pause(start);
}

/* [pause] */
static void JNICALL gc_finish(jvmtiEnv *jvmti)
{
	(void)jvmti;
	uint64_t seq = atomic_load(&ojx.gc_seq), start = now_ns();
	if (!(seq & 1))
		return;
	if (ojx.config.flags & FOLLOW_FLAGS && atomic_load(&ojx.live)) {
		follow_gc_finish(epoch_of(seq + 1));
		count_pause(start);
	}
	atomic_store(&ojx.gc_time, now_ns());
	atomic_fetch_add(&ojx.gc_seq, 1);
}

static void JNICALL thread_started(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jvmti;
	if (thread_known())
		return; /* the main thread, which is older than the agent */
	struct thread *t = thread_self(jni);
	if (!t)
		return;
	t->draw_interval = (double)alloc_interval();
	if (ojx.config.nevents) /* accesses may be all that is known of it */
		thread_name(t, jni, thread, false);
}

static void JNICALL thread_ended(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jvmti;
	(void)jni;
	(void)thread;
	thread_end();
}

/* AsyncGetCallTrace finds only methods that already have an id. */
static void JNICALL class_prepared(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass type)
{
	(void)jni;
	(void)thread;
	jint n = 0;
	jmethodID *methods = NULL;
	if ((*jvmti)->GetClassMethods(jvmti, type, &n, &methods) == JVMTI_ERROR_NONE)
		(*jvmti)->Deallocate(jvmti, (unsigned char *)methods);
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
	service_end(jni);
}

/* ---- start ----------------------------------------------------------------------------- */

/* Creates ids for the methods of classes that were loaded before ClassPrepare was enabled. */
static void prepare_loaded_classes(JNIEnv *jni)
{
	jint n = 0;
	jclass *classes = NULL;

	if ((*jni)->PushLocalFrame(jni, LOADED_CLASSES) != 0)
		return;
	if ((*ojx.jvmti)->GetLoadedClasses(ojx.jvmti, &n, &classes) == JVMTI_ERROR_NONE) {
		for (jint i = 0; i < n; i++)
			class_prepared(ojx.jvmti, jni, NULL, classes[i]);
		(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)classes);
	}
	(*jni)->PopLocalFrame(jni, NULL);
}

/* Whether any analysis needs watches. Sampling accesses alone does not. */
static bool wants_watches(void)
{
	const struct wire_config *c = &ojx.config;

	return !(c->flags & WIRE_NO_WATCH) && (!(c->flags & WIRE_NO_CONTENTS) || c->waste);
}

/* Turns on what the collector and the machine allow. */
static void choose_engines(JNIEnv *jni)
{
	const char *gc = vmstructs_gc(&vm);
	bool readable = !(ojx.config.flags & WIRE_NO_PEEK) && peek_init();

	strncpy(ojx.gc, gc, WIRE_TEXT - 1);
	memcpy(ojx.shm->status.gc, ojx.gc, WIRE_TEXT);
	atomic_store(&ojx.moves_concurrently,
		     strcmp(gc, "Z") == 0 || strcmp(gc, "Shenandoah") == 0);
	bool counts = strcmp(gc, "Serial") == 0 || strcmp(gc, "Parallel") == 0;
	ojx.stays = counts || strcmp(gc, "G1") == 0;
	if (counts)
		ojx.collections = vmstructs_collections(&vm);
	if (!readable && !(ojx.config.flags & WIRE_NO_PEEK)) /* otherwise the tool has said so */
		link_note("process_vm_readv is not permitted: objects are read in GC pauses only");
	if (!layout_measure(jni)) {
		link_note(
			"the object layout of this JVM is unknown: allocations only, no contents");
		return;
	}
	weak_init(&vm);
	if (ojx.config.flags & FOLLOW_FLAGS)
		locality_init(&vm, jni);
	else if (ojx.config.waste)
		klassname_init(&vm, jni);
	ojx.scan_on = !(ojx.config.flags & WIRE_NO_SCAN) && scan_init();
	if (ojx.scan_on) {
		live_heap_init(jni);
		atomic_fetch_or(&ojx.shm->status.engines, WIRE_ENGINE_SCAN);
	}
}

/* Registers the users of allocations, watches and access samples. */
static void choose_users(void)
{
	static const struct sampler_user locality = { locality_sample, NULL },
					 by_time = { locality_sample, deferred_samples_keep },
					 waste = { waste_sample, NULL };

	alloc_set_watcher(watch_consider);
	slots_add_user(&watch_user);
	slots_add_user(&waste_user);
	if (ojx.config.flags & FOLLOW_FLAGS)
		sampler_add_user(ojx.config.flags & WIRE_LOCALITY ? &by_time : &locality);
	if (ojx.config.waste)
		sampler_add_user(&waste);
	events_init();
}

static void JNICALL vm_started(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	(void)jvmti;
	static const jvmtiEvent events[] = {
		JVMTI_EVENT_GARBAGE_COLLECTION_START,
		JVMTI_EVENT_GARBAGE_COLLECTION_FINISH,
		JVMTI_EVENT_THREAD_START,
		JVMTI_EVENT_THREAD_END,
	};

	ojx.start_ns = now_ns();
	atomic_store(&ojx.gc_time, ojx.start_ns);
	choose_engines(jni);
	choose_users();
	bool watches = layout.known && wants_watches() && watch_allowed();
	if (!watches)
		ojx.config.flags |= WIRE_NO_WATCH;
	if (watches || (layout.known && sampler_wanted())) {
		jvm_enable(JVMTI_EVENT_CLASS_LOAD);
		jvm_enable(JVMTI_EVENT_CLASS_PREPARE);
		prepare_loaded_classes(jni);
		walk_init(&vm, ojx.dl);
		ranges_init(&vm);
		sampler_init();
	}
	threadname_init(jni);
	intrinsics_init(jni);
	javastack_init(jni, thread);
	struct thread *main_thread = thread_self(jni);
	if (main_thread)
		thread_name(main_thread, jni, thread, false);
	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
		jvm_enable(events[i]);
	jobject service_thread = service_new(jni); /* before allocations are counted */
	if (alloc_exact()) { /* samples come from here on, whatever the delay */
		atomic_fetch_or(&ojx.shm->status.engines, WIRE_ENGINE_EXACT);
		service_begin_sampling();
		alloc_exhaust_buffer(jni);
	}
	if (!ojx.config.delay_ms) /* here, since the service thread may wait for a processor */
		service_go_live();
	if (!service_start(service_thread))
		link_note("the agent's thread could not be started: nothing is recorded");
}

/* Copies a system property; an empty text if there is none. */
static void property(const char *name, char *to, size_t room)
{
	char *value = NULL;
	*to = '\0';
	if ((*ojx.jvmti)->GetSystemProperty(ojx.jvmti, name, &value) == JVMTI_ERROR_NONE && value) {
		strncpy(to, value, room - 1);
		to[room - 1] = '\0';
		(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)value);
	}
}

/* Opens libjvm, whose tables and functions are looked up by name. */
static void *open_libjvm(void)
{
	Dl_info info;
	if (!dladdr(*(void **)&(*ojx.jvmti)->Allocate, &info) || !info.dli_fname)
		return NULL;
	return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

/* Why this JVM cannot be profiled, or WIRE_ACCEPTED. */
static int refusal(void)
{
	char spec[16];
	jvmtiCapabilities offered = { 0 };

	property("java.vm.name", vm_name, sizeof vm_name);
	property("java.vm.version", vm_version, sizeof vm_version);
	property("java.vm.specification.version", spec, sizeof spec);
	ojx.dl = open_libjvm();
	if (!ojx.dl || !dlsym(ojx.dl, "gHotSpotVMStructs"))
		return WIRE_NOT_HOTSPOT;
	if (strncmp(spec, "1.", 2) == 0 || atoi(spec) < FIRST_JDK)
		return WIRE_TOO_OLD;
	(*ojx.jvmti)->GetPotentialCapabilities(ojx.jvmti, &offered);
	if (!offered.can_generate_sampled_object_alloc_events ||
	    !offered.can_generate_garbage_collection_events || !offered.can_tag_objects)
		return WIRE_NO_SAMPLING;
	return WIRE_ACCEPTED;
}

/* Sets capabilities and callbacks. The events themselves are enabled when the VM has started. */
static bool subscribe(void)
{
	const jvmtiCapabilities wanted = {
		.can_generate_sampled_object_alloc_events = 1,
		.can_generate_garbage_collection_events = 1,
		.can_tag_objects = 1,
		.can_get_line_numbers = 1,
		.can_get_source_file_name = 1,
	};
	const jvmtiEventCallbacks callbacks = {
		.VMInit = vm_started,
		.VMDeath = vm_died,
		.ThreadStart = thread_started,
		.ThreadEnd = thread_ended,
		.ClassLoad = class_loaded,
		.ClassPrepare = class_prepared,
		.GarbageCollectionStart = gc_start,
		.GarbageCollectionFinish = gc_finish,
		.SampledObjectAlloc = alloc_sampled,
	};
	jvmtiEnv *jvmti = ojx.jvmti;

	return (*jvmti)->AddCapabilities(jvmti, &wanted) == JVMTI_ERROR_NONE &&
	       (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) ==
		       JVMTI_ERROR_NONE &&
	       (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL) ==
		       JVMTI_ERROR_NONE &&
	       (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH,
						  NULL) == JVMTI_ERROR_NONE;
}

/* options: path of the tool's socket. */
EXPORT JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *java_vm, char *options, void *reserved)
{
	static bool loaded;
	(void)reserved;

	if (loaded || !options || !*options)
		return JNI_OK;
	loaded = true;
	ojx.vm = java_vm;
	if ((*java_vm)->GetEnv(java_vm, (void **)&ojx.jvmti, JVMTI_VERSION_1_2) != JNI_OK)
		return JNI_OK;
	int refused = refusal();
	if (!link_open(options, vm_name, vm_version, refused))
		return JNI_OK;
	seccomp_expect(ojx.config.seccomp_mode, ojx.config.seccomp_filters);
	if (!service_check_filters())
		ojx.config.flags |= WIRE_NO_WATCH | WIRE_NO_PEEK;
	if (ojx.config.max_stack < 1 || ojx.config.max_stack > WIRE_MAX_STACK)
		ojx.config.max_stack = 128;
	vmstructs_read(&vm, ojx.dl);
	/*
	 * Without this flag compiled code knows bytecode positions only near calls, and a use gets
	 * the nearest one. It makes the JIT compilers some percent slower, so a small budget does
	 * without.
	 */
	if ((!(ojx.config.flags & WIRE_NO_WATCH) || sampler_wanted()) &&
	    ojx.config.budget >= EXACT_LINES_BUDGET)
		vmstructs_set_flag(&vm, "DebugNonSafepoints", true);
	if (!subscribe())
		link_note("the JVM refuses the needed events: nothing is recorded");
	return JNI_OK;
}

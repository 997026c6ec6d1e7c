/* SPDX-License-Identifier: Apache-2.0 */
/* start.c - see start.h. */
#define _GNU_SOURCE
#include "start.h"

#include <string.h>

#include "analyse/deferred_samples.h"
#include "analyse/locality.h"
#include "analyse/next_use.h"
#include "analyse/object_watch.h"
#include "analyse/waste.h"
#include "analyse/watch.h"
#include "attach.h"
#include "core/jvm.h"
#include "core/link.h"
#include "core/peek.h"
#include "core/thread.h"
#include "governor.h"
#include "heap/alloc.h"
#include "heap/alloc_interval.h"
#include "heap/follow.h"
#include "heap/live_heap.h"
#include "heap/lives.h"
#include "heap/scan.h"
#include "heap/windows.h"
#include "hotspot/ids.h"
#include "hotspot/javastack.h"
#include "hotspot/klassname.h"
#include "hotspot/layout.h"
#include "hotspot/stacks.h"
#include "hotspot/threadname.h"
#include "hotspot/vmstructs.h"
#include "hotspot/walk.h"
#include "hotspot/weak.h"
#include "perf/events.h"
#include "perf/sampler.h"
#include "perf/slots.h"
#include "service.h"

#define EXACT_LINES_BUDGET 5 /* percent */

static struct vmstructs vm;

void start_read_vm(void)
{
	vmstructs_read(&vm, ojx.dl);
	/*
	 * Without this flag compiled code knows bytecode positions only near calls, and a use gets
	 * the nearest one. It makes the JIT compilers some percent slower, so a small budget does
	 * without.
	 */
	if ((!(ojx.config.flags & WIRE_NO_WATCH) || sampler_wanted()) &&
	    ojx.config.budget >= EXACT_LINES_BUDGET)
		vmstructs_set_flag(&vm, "DebugNonSafepoints", true);
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
	bool readable = peek_init(!(ojx.config.flags & WIRE_NO_PEEK));

	strncpy(ojx.gc, gc, WIRE_TEXT - 1);
	memcpy(ojx.shm->status.gc, ojx.gc, WIRE_TEXT);
	if (vmstructs_flag(&vm, "UseStringDeduplication"))
		atomic_fetch_or(&ojx.shm->status.jvm_flags, WIRE_JVM_DEDUPLICATES);
	atomic_store(&ojx.moves_concurrently,
		     strcmp(gc, "Z") == 0 || strcmp(gc, "Shenandoah") == 0);
	bool counts = strcmp(gc, "Serial") == 0 || strcmp(gc, "Parallel") == 0;
	ojx.stays = counts || strcmp(gc, "G1") == 0;
	if (counts)
		ojx.collections = vmstructs_collections(&vm);
	if (!readable)
		link_note("neither process_vm_readv nor /proc/self/mem is permitted: objects are "
			  "read in GC pauses only");
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
	if (ojx.scan_on)
		atomic_fetch_or(&ojx.shm->status.engines, WIRE_ENGINE_SCAN);
	if (ojx.scan_on || ojx.config.flags & WIRE_LIVES)
		live_heap_init(jni);
	lives_init(jni, &vm);
	windows_init(jni, &vm);
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
	slots_add_user(&object_watch_user);
	if (ojx.config.flags & FOLLOW_FLAGS)
		sampler_add_user(ojx.config.flags & WIRE_LOCALITY ? &by_time : &locality);
	if (ojx.config.waste)
		sampler_add_user(&waste);
	events_init();
}

/* What uses need: ids of methods, where these cannot be read otherwise; ranges of code. */
static void prepare_walks(JNIEnv *jni)
{
	jvm_enable(JVMTI_EVENT_CLASS_LOAD);
	ids_init();
	if (ids_wanted() && !ojx.attached) /* few; otherwise the service thread does it in slices */
		attach_prepare_classes(jni, UINT32_MAX);
	walk_init(&vm, ojx.dl);
	ranges_init(&vm);
	sampler_init();
}

/* The service thread's object is made before allocations are counted. */
static bool start_service(JNIEnv *jni)
{
	jobject service_thread = service_new(jni);

	if (alloc_exact()) { /* samples come from here on, whatever the delay */
		atomic_fetch_or(&ojx.shm->status.engines, WIRE_ENGINE_EXACT);
		service_begin_sampling();
		alloc_exhaust_buffer(jni);
	}
	if (!ojx.config.delay_ms) /* here, since the service thread may wait for a processor */
		service_go_live();
	if (service_start(service_thread))
		return true;
	link_note("the agent's thread could not be started: nothing is recorded");
	return false;
}

bool start_recording(JNIEnv *jni, jthread thread)
{
	ojx.start_ns = now_ns();
	governor_begin();
	atomic_store(&ojx.gc_time, ojx.start_ns);
	/* before anything is measured: what was read while objects moved does not count */
	jvm_enable(JVMTI_EVENT_GARBAGE_COLLECTION_FINISH); /* first: no start is without its end */
	jvm_enable(JVMTI_EVENT_GARBAGE_COLLECTION_START);
	choose_engines(jni);
	choose_users();
	bool walks = wants_watches();
	bool watches = layout.known && (walks || next_use_wanted()) && watch_allowed();
	if (!watches)
		ojx.config.flags |= WIRE_NO_WATCH;
	javastack_init(jni, thread);
	ojx.walks = (watches && walks) || (layout.known && sampler_wanted());
	if (ojx.walks)
		prepare_walks(jni);
	threadname_init(jni);
	intrinsics_init(jni);
	sample_draw_init();
	struct thread *self = ojx.attached ? NULL : thread_self(jni);
	if (self) {
		sample_draw_begin(jni);
		thread_name(self, jni, thread, false);
	}
	jvm_enable(JVMTI_EVENT_THREAD_START);
	jvm_enable(JVMTI_EVENT_THREAD_END);
	if (ojx.attached) /* after that: none ends unnoticed */
		attach_threads(jni, thread);
	governor_begun();
	return start_service(jni);
}

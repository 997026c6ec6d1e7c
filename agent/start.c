/* SPDX-License-Identifier: Apache-2.0 */
/* start.c - see start.h. */
#define _GNU_SOURCE
#include "start.h"

#include <string.h>

#include "attach.h"
#include "core/jvm.h"
#include "core/link.h"
#include "core/part.h"
#include "core/peek.h"
#include "core/thread.h"
#include "governor.h"
#include "heap/alloc.h"
#include "heap/alloc_interval.h"
#include "hotspot/metadata/layout.h"
#include "hotspot/threadname.h"
#include "hotspot/vmstructs.h"
#include "parts.h"
#include "perf/sampler.h"
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

/* Learns what parts depend on: the collector, safe reading, the layout of objects. */
static void learn_vm(JNIEnv *jni)
{
	const char *gc = vmstructs_gc(&vm);
	bool readable = peek_init(!(ojx.config.flags & WIRE_NO_PEEK));

	strncpy(ojx.gc, gc, WIRE_TEXT - 1);
	memcpy(ojx.shm->status.gc, ojx.gc, WIRE_TEXT);
	if (vmstructs_flag(&vm, "UseStringDeduplication"))
		atomic_fetch_or_explicit(&ojx.shm->status.jvm_flags, WIRE_JVM_DEDUPLICATES,
					 memory_order_relaxed);
	atomic_store_explicit(&ojx.moves_concurrently,
			      strcmp(gc, "Z") == 0 || strcmp(gc, "Shenandoah") == 0,
			      memory_order_relaxed);
	bool counts = strcmp(gc, "Serial") == 0 || strcmp(gc, "Parallel") == 0;
	ojx.stays = counts || strcmp(gc, "G1") == 0;
	if (counts)
		ojx.collections = vmstructs_collections(&vm);
	if (!readable)
		link_note("neither process_vm_readv nor /proc/self/mem is permitted: objects are "
			  "read in GC pauses only");
	if (!layout_measure(jni))
		link_note(
			"the object layout of this JVM is unknown: allocations only, no contents");
}

/* The service thread's object is made before allocations are counted. */
static bool start_service(JNIEnv *jni)
{
	jobject service_thread = service_new(jni);

	if (alloc_exact()) { /* samples come from here on, whatever the delay */
		atomic_fetch_or_explicit(&ojx.shm->status.engines, WIRE_ENGINE_EXACT,
					 memory_order_relaxed);
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
	atomic_store_explicit(&ojx.gc_time, ojx.start_ns, memory_order_relaxed);
	/* before anything is measured: what was read while objects moved does not count */
	jvm_enable(JVMTI_EVENT_GARBAGE_COLLECTION_FINISH); /* first: no start is without its end */
	jvm_enable(JVMTI_EVENT_GARBAGE_COLLECTION_START);
	learn_vm(jni);
	const struct part_start start = {
		.vm = &vm, .jni = jni, .thread = thread, .layout = layout.known
	};
	parts_init(agent_parts, agent_nparts, &start);
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

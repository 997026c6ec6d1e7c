/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agent.c - loads the agent, when the JVM starts or when it runs already.
 *
 * core/state.h states the rules. Loading never fails the JVM: if the agent cannot work, it tells
 * the tool, and the program runs as if the agent were not there.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alone.h"
#include "attach.h"
#include "core/cost.h"
#include "core/handshake.h"
#include "core/link.h"
#include "core/part.h"
#include "core/registry.h"
#include "core/room.h"
#include "core/seccomp.h"
#include "core/session.h"
#include "core/state.h"
#include "core/thread.h"
#include "core/tls.h"
#include "core/trace.h"
#include "heap/alloc.h"
#include "heap/alloc_interval.h"
#include "hotspot/metadata/shape.h"
#include "hotspot/threadname.h"
#include "hotspot/versions.h"
#include "perf/events.h"
#include "service.h"
#include "start.h"

/*
 * ---- the JVMTI events that the agent handles. Every callback goes through the gate of the
 * session. A thread may read the address of a callback and call it long after the event was
 * disabled. If another session has begun by then, the event is one of that session.
 */

/* [pause] */
static void pause_begins(void)
{
	if (atomic_load_explicit(&ojx.gc_seq, memory_order_seq_cst) & 1)
		return;
	pause_work_begin();
	parts_gc_start();
	atomic_store_explicit(&ojx.epoch_ns,
			      now_ns() - atomic_load_explicit(&ojx.gc_time, memory_order_relaxed),
			      memory_order_relaxed);
	atomic_fetch_add_explicit(&ojx.gc_seq, 1, memory_order_seq_cst);
	atomic_fetch_add_explicit(&ojx.shm->status.epoch, 1, memory_order_relaxed);
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
	uint64_t seq = atomic_load_explicit(&ojx.gc_seq, memory_order_seq_cst);
	if (!(seq & 1))
		return;
	pause_work_begin();
	parts_gc_finish(epoch_of(seq + 1));
	pause_work_end(true);
	atomic_store_explicit(&ojx.gc_time, now_ns(), memory_order_relaxed);
	atomic_fetch_add_explicit(&ojx.gc_seq, 1, memory_order_seq_cst);
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
	parts_loaded(type);
	session_leave();
}

/* AsyncGetCallTrace requires that this event is enabled. */
static void JNICALL class_loaded(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass type)
{
	(void)jvmti;
	(void)jni;
	(void)thread;
	if (!session_enter())
		return;
	shape_class_loaded(type);
	session_leave();
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

/* Sets the callbacks of ojx.jvmti. False if the JVM refuses. */
static bool callbacks_set(void)
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

#define EXPORT		 __attribute__((visibility("default")))
#define LOCAL_REFERENCES 64

/*
 * One for all sessions. A JVM that disposed of an environment while collections went on has
 * crashed: presumably its own thread was still clearing the environment's tags of dead objects.
 */
OUTLIVES_SESSION static jvmtiEnv *environment;
static char vm_name[WIRE_TEXT], vm_version[WIRE_TEXT];

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
	if (strncmp(spec, "1.", 2) == 0 || atoi(spec) < version_first(VERSION_RUNS))
		return WIRE_TOO_OLD;
	if (!tls_is_there())
		return WIRE_NO_VARIABLES;
	(*ojx.jvmti)->GetPotentialCapabilities(ojx.jvmti, &offered);
	return offered.can_generate_sampled_object_alloc_events ? WIRE_ACCEPTED : WIRE_NO_SAMPLING;
}

/* Sets capabilities, callbacks and those events that are enabled from the beginning. */
static bool subscribe(void)
{
	const jvmtiCapabilities wanted = {
		/* only one agent can have it */
		.can_generate_sampled_object_alloc_events = !(ojx.config.flags & WIRE_NO_OBJECTS),
		.can_generate_garbage_collection_events = 1,
		.can_tag_objects = 1,
		.can_get_line_numbers = 1,
		.can_get_source_file_name = 1,
	};
	jvmtiEnv *jvmti = ojx.jvmti;

	return (*jvmti)->AddCapabilities(jvmti, &wanted) == JVMTI_ERROR_NONE && callbacks_set() &&
	       (ojx.attached ||
		(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT,
						   NULL) == JVMTI_ERROR_NONE) &&
	       (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH,
						  NULL) == JVMTI_ERROR_NONE;
}

/* Checks the configuration, of which some cannot be had here. */
static void settle_config(void)
{
	struct wire_config *c = &ojx.config;

	seccomp_expect(c->seccomp_mode, c->seccomp_filters);
	if (!events_permitted())
		c->flags |= WIRE_NO_WATCH | WIRE_NO_PEEK;
	if (c->max_stack < 1 || c->max_stack > WIRE_MAX_STACK)
		c->max_stack = 128;
	if (ojx.attached && c->flags & WIRE_EXACT) {
		c->flags &= ~(uint32_t)WIRE_EXACT;
		link_note("not every allocation can be counted in a JVM that runs already: they "
			  "are sampled");
	}
}

/* Connects with the tool whose socket is at the path, or begins a recording alone. */
static bool open_link(const char *options, int refused)
{
	struct handshake h;

	if (!alone_wanted(options))
		return link_open(options, vm_name, vm_version, refused);
	if (refused != WIRE_ACCEPTED) {
		handshake_complain(
			"the agent",
			refused == WIRE_NO_SAMPLING ? "another agent has the allocation sampler"
			: refused == WIRE_NO_VARIABLES
				? "the C library has no room left for its variables: start the JVM "
				  "with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=4096"
				: "this is no HotSpot of JDK 11 or later");
		return false;
	}
	return alone_begin(options, &h) && link_join(&h, vm_name, vm_version);
}

/* Whether the JVM ends just now, as one may that is attached to. */
static bool is_ending(void)
{
	jvmtiPhase phase = JVMTI_PHASE_LIVE;

	return (*ojx.jvmti)->GetPhase(ojx.jvmti, &phase) == JVMTI_ERROR_NONE &&
	       phase == JVMTI_PHASE_DEAD;
}

/* Begins a session, as the options say. False if there is nothing to record. */
static bool begin(JavaVM *java_vm, const char *options, bool attached)
{
	trace_begin();
	ojx.vm = java_vm;
	ojx.attached = attached;
	if (!environment &&
	    (*java_vm)->GetEnv(java_vm, (void **)&environment, JVMTI_VERSION_1_2) != JNI_OK)
		return false;
	ojx.jvmti = environment;
	if (!open_link(options, refusal()))
		return false;
	registry_set_holder(ojx.tool);
	settle_config();
	start_read_vm();
	if (subscribe()) {
		if (!attached && !(ojx.config.flags & WIRE_NO_OBJECTS))
			alloc_interval_at_load();
		return true;
	}
	if (!is_ending()) /* which is nothing to tell of */
		link_note("the JVM refuses the needed events: nothing is recorded");
	return false;
}

/* Whether there is room for a recording; says otherwise that there is none. */
static bool has_room(const char *options)
{
	struct room r;

	if (room_fits(&r))
		return true;
	if (alone_wanted(options))
		handshake_complain(options, "a limit of memory (ulimit -v, -d) leaves too little");
	else
		handshake_refuse(options,
				 &(struct wire_hello){ .refused = WIRE_NO_ROOM,
						       .limit = r.limit,
						       .left_mb = (uint32_t)(r.left >> 20),
						       .need_mb = (uint32_t)(r.need >> 20) });
	return false;
}

static bool begin_attached(JavaVM *java_vm, JNIEnv *jni, const char *options)
{
	jthread thread = NULL;

	return begin(java_vm, options, true) &&
	       (*ojx.jvmti)->GetCurrentThread(ojx.jvmti, &thread) == JVMTI_ERROR_NONE &&
	       start_recording(jni, thread);
}

/* Ends a recording alone; "stop" is the option of the attachment that asks for it. */
static jint stop_alone(void)
{
	bool stopped = false;

	if (session_enter()) {
		stopped = alone_stop();
		session_leave();
	}
	if (!stopped)
		dprintf(STDERR_FILENO, "ojx: stop: this agent makes no recording into a file\n");
	return stopped ? JNI_OK : JNI_ERR;
}

/* Begins a recording in a VM that runs. JNI_ERR if there is none; the tool has been told why. */
static jint begin_running(JavaVM *java_vm, JNIEnv *jni, const char *options)
{
	int32_t holder = 0;

	if (!has_room(options))
		return JNI_ERR;
	if (!registry_claim(true, &holder)) {
		if (alone_wanted(options))
			handshake_complain(options, "it is recorded already");
		else
			handshake_refuse(options, &(struct wire_hello){ .refused = WIRE_BUSY,
									.holder = holder });
		return JNI_ERR;
	}
	if (!session_open()) {
		registry_release();
		return JNI_ERR;
	}
	session_enter(); /* the service thread may end before this one has left */
	bool good = (*jni)->PushLocalFrame(jni, LOCAL_REFERENCES) == 0;
	if (good) {
		good = begin_attached(java_vm, jni, options);
		(*jni)->PopLocalFrame(jni, NULL);
	}
	session_leave();
	if (!good)
		detach(jni);
	return good ? JNI_OK : JNI_ERR;
}

/* ---- where memory is limited --------------------------------------------------------------- */

/* The JVM has reserved its memory by now, and what is left is known. */
static void JNICALL begin_late(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	JavaVM *java_vm = NULL;
	void *options = NULL;
	(void)thread;

	(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_VM_INIT, NULL);
	(*jvmti)->GetEnvironmentLocalStorage(jvmti, &options);
	if (options && (*jni)->GetJavaVM(jni, &java_vm) == JNI_OK)
		begin_running(java_vm, jni, options);
	(*jvmti)->SetEnvironmentLocalStorage(jvmti, NULL);
	free(options);
}

/* Has begin_late called. */
static void expect_vm(JavaVM *java_vm, const char *options)
{
	const jvmtiEventCallbacks callbacks = { .VMInit = begin_late };
	char *copy = strdup(options);

	if (copy &&
	    (*java_vm)->GetEnv(java_vm, (void **)&environment, JVMTI_VERSION_1_2) == JNI_OK &&
	    (*environment)->SetEnvironmentLocalStorage(environment, copy) == JVMTI_ERROR_NONE &&
	    (*environment)->SetEventCallbacks(environment, &callbacks, sizeof callbacks) ==
		    JVMTI_ERROR_NONE &&
	    (*environment)
			    ->SetEventNotificationMode(environment, JVMTI_ENABLE,
						       JVMTI_EVENT_VM_INIT,
						       NULL) == JVMTI_ERROR_NONE)
		return;
	free(copy);
}

/* ---- what the JVM calls -------------------------------------------------------------------- */

/* options: path of the tool's socket, or what alone_options.h reads. */
EXPORT JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *java_vm, char *options, void *reserved)
{
	int32_t holder;
	(void)reserved;

	if (!options || !*options)
		return JNI_OK;
	if (room_is_limited()) {
		expect_vm(java_vm, options);
		return JNI_OK;
	}
	if (!registry_claim(false, &holder)) {
		if (alone_wanted(options))
			handshake_complain(options, "it is recorded already");
		return JNI_OK;
	}
	if (!session_open())
		registry_release();
	else if (!begin(java_vm, options, false))
		detach(NULL);
	return JNI_OK;
}

/*
 * On the VM's attach listener, while the program runs. JNI_ERR if nothing is recorded; the tool has
 * been told why.
 */
EXPORT JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *java_vm, char *options, void *reserved)
{
	JNIEnv *jni = NULL;
	(void)reserved;

	if (!options || !*options ||
	    (*java_vm)->GetEnv(java_vm, (void **)&jni, JNI_VERSION_1_6) != JNI_OK)
		return JNI_ERR;
	if (strcmp(options, "stop") == 0)
		return stop_alone();
	return begin_running(java_vm, jni, options);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * methods.c - see methods.h.
 *
 * Names are resolved some milliseconds later, so that the program's threads need not wait for it.
 * It also lets handlers, which may not call JVMTI, queue methods as allocations do. The queue is
 * private: JVMTI trusts any id that it gets, and stacks lie in shared memory.
 */
#include "hotspot/metadata/methods.h"

#include <classfile_constants.h>
#include <stdlib.h>
#include <string.h>

#include "core/hashtable.h"
#include "core/link.h"
#include "core/state.h"
#include "hotspot/metadata/bytecodes.h"
#include "hotspot/metadata/loaders.h"
#include "hotspot/metadata/metadata.h"

/* ---- names of methods from JVMTI, where HotSpot's records cannot be read. */

typedef void methods_define(uint64_t method, const struct metadata_names *names);

/* What JVMTI tells about a method. */
struct raw {
	char *class_signature, *name, *descriptor, *file;
	jint nlines;
	jvmtiLineNumberEntry *lines;
	uint32_t flags; /* wire_method_flags */
};

/*
 * The loader of a class: the boot loader (NULL), the platform loader, or another one. The platform
 * loader is recognised by its class, so that no Java code has to run.
 */
static uint32_t home_flags(JNIEnv *jni, jclass class, const char *signature)
{
	jvmtiEnv *jvmti = ojx.jvmti;
	jobject loader = NULL;
	char *name = NULL;

	if ((*jvmti)->GetClassLoader(jvmti, class, &loader) != JVMTI_ERROR_NONE)
		return 0;
	if (!loader)
		return WIRE_METHOD_LOADER | WIRE_METHOD_PLATFORM;
	jclass kind = (*jni)->GetObjectClass(jni, loader);
	if (!kind || (*jvmti)->GetClassSignature(jvmti, kind, &name, NULL) != JVMTI_ERROR_NONE)
		return 0;
	bool platform =
		strcmp(name, "Ljdk/internal/loader/ClassLoaders$PlatformClassLoader;") == 0 ||
		(signature && loader_has_jdk_class(jni, loader, signature, strlen(signature)));
	(*jvmti)->Deallocate(jvmti, (unsigned char *)name);
	return WIRE_METHOD_LOADER | (platform ? WIRE_METHOD_PLATFORM : 0u);
}

/* An enum that has values(): the classes of its constants' bodies extend it, not java.lang.Enum. */
static bool is_enum(JNIEnv *jni, jclass class)
{
	jvmtiEnv *jvmti = ojx.jvmti;
	jint modifiers = 0;
	char *name = NULL;

	if ((*jvmti)->GetClassModifiers(jvmti, class, &modifiers) != JVMTI_ERROR_NONE ||
	    !(modifiers & JVM_ACC_ENUM))
		return false;
	jclass super = (*jni)->GetSuperclass(jni, class);
	if (!super || (*jvmti)->GetClassSignature(jvmti, super, &name, NULL) != JVMTI_ERROR_NONE)
		return false;
	bool found = strcmp(name, "Ljava/lang/Enum;") == 0;
	(*jvmti)->Deallocate(jvmti, (unsigned char *)name);
	return found;
}

/* By which the tool knows methods that a compiler made. */
static uint32_t kind_flags(JNIEnv *jni, jmethodID method, jclass class)
{
	jvmtiEnv *jvmti = ojx.jvmti;
	jint modifiers = 0;

	if ((*jvmti)->GetMethodModifiers(jvmti, method, &modifiers) != JVMTI_ERROR_NONE)
		return 0;
	return (modifiers & JVM_ACC_STATIC ? WIRE_METHOD_STATIC : 0u) |
	       (modifiers & JVM_ACC_SYNTHETIC ? WIRE_METHOD_SYNTHETIC : 0u) |
	       (modifiers & JVM_ACC_BRIDGE ? WIRE_METHOD_BRIDGE : 0u) |
	       (modifiers & JVM_ACC_STATIC && is_enum(jni, class) ? WIRE_METHOD_ENUM : 0u);
}

static void ask(struct raw *n, JNIEnv *jni, jmethodID method)
{
	jvmtiEnv *jvmti = ojx.jvmti;
	jclass declarer = NULL;

	if ((*jvmti)->GetMethodName(jvmti, method, &n->name, &n->descriptor, NULL) !=
	    JVMTI_ERROR_NONE)
		return;
	if ((*jvmti)->GetMethodDeclaringClass(jvmti, method, &declarer) == JVMTI_ERROR_NONE) {
		(*jvmti)->GetClassSignature(jvmti, declarer, &n->class_signature, NULL);
		(*jvmti)->GetSourceFileName(jvmti, declarer, &n->file);
		n->flags = home_flags(jni, declarer, n->class_signature) |
			   kind_flags(jni, method, declarer);
	}
	(*jvmti)->GetLineNumberTable(jvmti, method, &n->nlines, &n->lines);
}

static void give_back(struct raw *n)
{
	jvmtiEnv *jvmti = ojx.jvmti;

	(*jvmti)->Deallocate(jvmti, (unsigned char *)n->class_signature);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)n->name);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)n->descriptor);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)n->file);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)n->lines);
}

static struct metadata_text text_of(const char *text)
{
	return (struct metadata_text){ text, text ? (uint16_t)strnlen(text, UINT16_MAX) : 0 };
}

/* Lines as the tool wants them, in the memory of JVMTI's, which are larger. */
static struct wire_line *convert(jvmtiLineNumberEntry *lines, jint n)
{
	for (jint i = 0; i < n; i++) {
		const struct wire_line line = { (uint16_t)lines[i].start_location,
						(uint16_t)lines[i].line_number };
		memcpy((char *)lines + (size_t)i * sizeof line, &line, sizeof line);
	}
	return (struct wire_line *)(void *)lines;
}

/* Calls `define` with what JVMTI tells; not at all if the class was unloaded. */
static void methods_jvmti(JNIEnv *jni, jmethodID method, methods_define *define)
{
	struct raw n = { 0 };

	ask(&n, jni, method);
	const struct metadata_names names = {
		.class_signature = text_of(n.class_signature),
		.name = text_of(n.name),
		.descriptor = text_of(n.descriptor),
		.file = text_of(n.file),
		.lines = convert(n.lines, n.nlines),
		.nlines = n.nlines > 0 ? (uint32_t)n.nlines : 0,
		.flags = n.flags,
	};
	if (n.name)
		define((uint64_t)(uintptr_t)method, &names);
	give_back(&n);
}

#define FIRST 1024 /* slots of the first tier */
#define QUEUE WIRE_MOST_METHODS

static struct hashtable_slot slots[HASHTABLE_SLOTS(FIRST)];
static const struct hashtable known = { slots, FIRST }; /* numbers or jmethodIDs that were queued */
static _Atomic uint64_t queue[QUEUE];			/* the same in the order of arrival */
static _Atomic uint32_t queued;
static uint32_t cursor; /* in the queue: methods before it have names */

/* [handler] Queues a new method, if there is room. */
static void meet(uint64_t method)
{
	bool mine = false;

	bool room = hashtable_claim(&known, method, &mine) != NULL;
	if (room && !mine)
		return;
	uint32_t at = room ? atomic_fetch_add_explicit(&queued, 1, memory_order_acq_rel) : QUEUE;
	if (at < QUEUE)
		atomic_store_explicit(&queue[at], method, memory_order_release);
	else
		limit_reached(WIRE_LIMIT_METHODS);
}

uint64_t methods_number(jmethodID id)
{
	uint64_t number = metadata_number_of(id);

	return number ? number : METHODS_UNKNOWN;
}

void methods_meet(const struct wire_frame *frames, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (frames[i].method && frames[i].method != METHODS_UNKNOWN)
			meet(frames[i].method);
}

static char *append(char *to, struct metadata_text text)
{
	if (text.len)
		memcpy(to, text.text, text.len);
	return to + text.len;
}

static int by_bci(const void *a, const void *b)
{
	const struct wire_line *x = a, *y = b;
	return (x->bci > y->bci) - (x->bci < y->bci);
}

/* Sends what the lines load, which are in order. Of a method that loads nothing it sends that. */
static void define_loads(uint64_t method, const struct metadata_names *n)
{
	static uint16_t loads[UINT16_MAX + 1];
	size_t bytes = n->nlines * sizeof(struct wire_load);

	if (n->nlines > UINT16_MAX ||
	    !bytecodes_loads(n->code, n->code_size, n->lines, n->nlines, loads))
		return;
	struct wire_loads *rec = link_define_reserve(wire_pad(sizeof *rec + bytes));
	if (!rec)
		return;
	rec->method = method;
	rec->n = n->nlines;
	rec->pad = 0;
	memcpy(rec + 1, loads, bytes);
	link_define(rec, WIRE_LOADS);
}

static void define(uint64_t method, const struct metadata_names *n)
{
	uint32_t texts = wire_pad((uint64_t)n->class_signature.len + n->name.len +
				  n->descriptor.len + n->file.len);
	uint32_t nlines = n->nlines;
	struct wire_method *rec = link_define_reserve(
		wire_pad(sizeof *rec + texts + nlines * sizeof(struct wire_line)));
	if (!rec)
		return;
	rec->method = method;
	rec->class_len = n->class_signature.len;
	rec->name_len = n->name.len;
	rec->descriptor_len = n->descriptor.len;
	rec->file_len = n->file.len;
	rec->nlines = nlines;
	rec->flags = n->flags;
	char *at = append((char *)(rec + 1), n->class_signature);
	at = append(at, n->name);
	at = append(at, n->descriptor);
	append(at, n->file);
	if (nlines) { /* sorts the private copy, which the tool cannot change */
		qsort(n->lines, nlines, sizeof *n->lines, by_bci);
		memcpy((char *)(rec + 1) + texts, n->lines, nlines * sizeof *n->lines);
	}
	link_define(rec, WIRE_METHOD);
	if (nlines && n->code_size)
		define_loads(method, n);
}

static void serve(const struct part_turn *turn)
{
	JNIEnv *jni = turn->jni;

	link_define_ahead();
	for (; cursor < QUEUE && cursor < atomic_load_explicit(&queued, memory_order_acquire);
	     cursor++) {
		uint64_t method = atomic_load_explicit(&queue[cursor], memory_order_acquire);
		struct metadata_names n;
		if (!method || (*jni)->PushLocalFrame(jni, 8) != 0)
			return; /* still being written, or out of memory for now */
		if (!metadata_known())
			methods_jvmti(jni, (jmethodID)(uintptr_t)method, define);
		else if (metadata_names(jni, metadata_where(method), method, &n))
			define(method, &n);
		(*jni)->PopLocalFrame(jni, NULL);
	}
}

const struct part methods_part = { .name = "methods", .serve = serve };

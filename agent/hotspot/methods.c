/* SPDX-License-Identifier: Apache-2.0 */
/*
 * methods.c - see methods.h.
 *
 * Resolving the names some milliseconds later keeps JVMTI's slow calls out of the program's
 * threads. It also lets handlers, which may not call JVMTI, queue methods as allocations do. The
 * queue is private: JVMTI trusts any id that it gets, and stacks lie in shared memory.
 */
#include "hotspot/methods.h"

#include <classfile_constants.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/link.h"
#include "core/tiers.h"

#define FIRST 512	 /* slots of the first tier */
#define QUEUE (1u << 15) /* most methods that can be named */

static struct tiers_slot slots[TIERS_SLOTS(FIRST)];
static const struct tiers known = { slots, FIRST }; /* jmethodIDs that were queued */
static _Atomic uint64_t queue[QUEUE];		    /* the same in the order of arrival */
static _Atomic uint32_t queued;
static uint32_t cursor; /* in the queue: methods before it have names */

/* What JVMTI tells about a method. */
struct names {
	char *class_signature, *name, *descriptor, *file;
	jint nlines;
	jvmtiLineNumberEntry *lines;
	uint32_t flags; /* wire_method_flags */
};

/* [handler] Queues a new method, if there is room. */
static void meet(uint64_t method)
{
	bool mine = false;

	if (!tiers_claim(&known, method, &mine) || !mine)
		return;
	uint32_t at = atomic_fetch_add(&queued, 1);
	if (at < QUEUE)
		atomic_store_explicit(&queue[at], method, memory_order_release);
}

void methods_meet(const struct wire_frame *frames, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (frames[i].method && frames[i].method != METHODS_UNKNOWN)
			meet(frames[i].method);
}

/*
 * The loader of a class: the boot loader (NULL), the platform loader, or another one. The platform
 * loader is recognised by its class, so that no Java code has to run.
 */
static uint32_t loader_flags(JNIEnv *jni, jclass class)
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
	bool platform = strcmp(name, "Ljdk/internal/loader/ClassLoaders$PlatformClassLoader;") == 0;
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

static void names_get(struct names *n, JNIEnv *jni, jmethodID method)
{
	jvmtiEnv *jvmti = ojx.jvmti;
	jclass declarer = NULL;

	if ((*jvmti)->GetMethodName(jvmti, method, &n->name, &n->descriptor, NULL) !=
	    JVMTI_ERROR_NONE)
		return;
	if ((*jvmti)->GetMethodDeclaringClass(jvmti, method, &declarer) == JVMTI_ERROR_NONE) {
		(*jvmti)->GetClassSignature(jvmti, declarer, &n->class_signature, NULL);
		(*jvmti)->GetSourceFileName(jvmti, declarer, &n->file);
		n->flags = loader_flags(jni, declarer) | kind_flags(jni, method, declarer);
	}
	(*jvmti)->GetLineNumberTable(jvmti, method, &n->nlines, &n->lines);
}

static void names_free(struct names *n)
{
	jvmtiEnv *jvmti = ojx.jvmti;
	(*jvmti)->Deallocate(jvmti, (unsigned char *)n->class_signature);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)n->name);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)n->descriptor);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)n->file);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)n->lines);
}

static uint16_t text_len(const char *text)
{
	return text ? (uint16_t)strnlen(text, UINT16_MAX) : 0;
}

static char *append(char *to, const char *text, uint16_t len)
{
	if (len)
		memcpy(to, text, len);
	return to + len;
}

static int by_bci(const void *a, const void *b)
{
	const jvmtiLineNumberEntry *x = a, *y = b;
	return (x->start_location > y->start_location) - (x->start_location < y->start_location);
}

static void define(uint64_t method, const struct names *n)
{
	uint16_t class_len = text_len(n->class_signature), name_len = text_len(n->name),
		 descriptor_len = text_len(n->descriptor), file_len = text_len(n->file);
	uint32_t texts = wire_pad((uint64_t)class_len + name_len + descriptor_len + file_len);
	uint32_t nlines = n->nlines > 0 ? (uint32_t)n->nlines : 0;
	struct wire_method *rec = link_define_reserve(
		wire_pad(sizeof *rec + texts + nlines * sizeof(struct wire_line)));
	if (!rec)
		return;
	rec->method = method;
	rec->class_len = class_len;
	rec->name_len = name_len;
	rec->descriptor_len = descriptor_len;
	rec->file_len = file_len;
	rec->nlines = nlines;
	rec->flags = n->flags;
	char *at = append((char *)(rec + 1), n->class_signature, class_len);
	at = append(at, n->name, name_len);
	at = append(at, n->descriptor, descriptor_len);
	append(at, n->file, file_len);
	struct wire_line *lines = (struct wire_line *)((char *)(rec + 1) + texts);
	if (nlines) /* sorts the private copy, which the tool cannot change */
		qsort(n->lines, nlines, sizeof *n->lines, by_bci);
	for (uint32_t i = 0; i < nlines; i++)
		lines[i] = (struct wire_line){ (uint16_t)n->lines[i].start_location,
					       (uint16_t)n->lines[i].line_number };
	link_define(rec, WIRE_METHOD);
}

void methods_resolve(void)
{
	JNIEnv *jni = NULL;

	link_define_ahead();
	if ((*ojx.vm)->GetEnv(ojx.vm, (void **)&jni, JNI_VERSION_1_6) != JNI_OK)
		return;
	for (; cursor < QUEUE && cursor < atomic_load(&queued); cursor++) {
		struct names n = { 0 };
		uint64_t method = atomic_load_explicit(&queue[cursor], memory_order_acquire);
		if (!method || (*jni)->PushLocalFrame(jni, 8) != 0)
			return; /* still being written, or out of memory for now */
		names_get(&n, jni, (jmethodID)(uintptr_t)method);
		if (n.name)
			define(method, &n);
		names_free(&n);
		(*jni)->PopLocalFrame(jni, NULL);
	}
}

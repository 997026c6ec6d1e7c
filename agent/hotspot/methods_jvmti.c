/* SPDX-License-Identifier: Apache-2.0 */
/* methods_jvmti.c - see methods_jvmti.h. */
#include "hotspot/methods_jvmti.h"

#include <classfile_constants.h>
#include <string.h>

#include "core/state.h"

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
		n->flags = loader_flags(jni, declarer) | kind_flags(jni, method, declarer);
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

void methods_jvmti(JNIEnv *jni, jmethodID method, methods_define *define)
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

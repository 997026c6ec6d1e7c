/* SPDX-License-Identifier: Apache-2.0 */
/*
 * methods.c - follows the table of definitions as the tool does, and resolves the methods of new stacks.
 *
 * Doing it here, some milliseconds later, keeps JVMTI's slow calls out of the program's threads, and
 * gives handlers, which may not call JVMTI, the same way as allocations.
 */
#include "methods.h"

#include <stdlib.h>
#include <string.h>

#include "link.h"
#include "stacks.h"

#define SLOTS (1u << 16)

static uint64_t known[SLOTS]; /* jmethodIDs that were defined */
static uint32_t nknown;
static uint64_t cursor; /* in the table of definitions */

/* What JVMTI says of one method. */
struct names {
	char *class_signature, *name, *descriptor, *file;
	jint nlines;
	jvmtiLineNumberEntry *lines;
	uint32_t flags; /* wire_method_flags */
};

/* Remembers a method; false where it was known already or the table is full. */
static bool remember(uint64_t method)
{
	uint64_t state = method;
	uint32_t slot = (uint32_t)random_next(&state) & (SLOTS - 1);

	while (known[slot] && known[slot] != method)
		slot = (slot + 1) & (SLOTS - 1);
	if (known[slot] || nknown >= SLOTS / 2)
		return false;
	known[slot] = method;
	nknown++;
	return true;
}

/*
 * Who loaded a class: the boot loader, which is none; the platform loader, which is told by its class, so that no Java code need
 * run to ask for it; or another one.
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
		n->flags = loader_flags(jni, declarer);
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
	const struct wire_line *x = a, *y = b;
	return (x->bci > y->bci) - (x->bci < y->bci);
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
	for (uint32_t i = 0; i < nlines; i++)
		lines[i] = (struct wire_line){ (uint16_t)n->lines[i].start_location,
					       (uint16_t)n->lines[i].line_number };
	qsort(lines, nlines, sizeof *lines, by_bci);
	link_define(rec, WIRE_METHOD);
}

static void resolve_stack(const struct wire_stack *stack, JNIEnv *jni)
{
	const struct wire_frame *frames = (const struct wire_frame *)(stack + 1);

	for (uint32_t i = 0; i < stack->nframes; i++) {
		struct names n = { 0 };
		uint64_t method = frames[i].method;
		if (!method || method == STACKS_UNKNOWN_METHOD || !remember(method))
			continue;
		if ((*jni)->PushLocalFrame(jni, 8) != 0)
			return;
		names_get(&n, jni, (jmethodID)(uintptr_t)method);
		if (n.name)
			define(method, &n);
		names_free(&n);
		(*jni)->PopLocalFrame(jni, NULL);
	}
}

void methods_resolve(void)
{
	JNIEnv *jni = NULL;

	if ((*ojx.vm)->GetEnv(ojx.vm, (void **)&jni, JNI_VERSION_1_6) != JNI_OK)
		return;
	while (cursor < atomic_load_explicit(&ojx.shm->defs_tail, memory_order_acquire)) {
		const struct wire_rec *rec =
			(const struct wire_rec *)(ojx.base + ojx.shm->defs_offset + cursor);
		uint16_t type = atomic_load_explicit(&rec->type, memory_order_acquire);
		if (type == 0)
			return; /* still being written */
		if (type == WIRE_STACK)
			resolve_stack((const struct wire_stack *)rec, jni);
		cursor += rec->len;
	}
}

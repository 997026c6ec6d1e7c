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
#include <sys/mman.h>

#include "link.h"
#include "stacks.h"
#include "tiers.h"

#define AHEAD (128u << 10) /* bytes */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#define FIRST 512 /* slots of the first tier */

static struct tiers_slot slots[TIERS_SLOTS(FIRST)];
static const struct tiers known = { slots, FIRST }; /* jmethodIDs that were defined */
static uint64_t cursor;				    /* in the table of definitions */

/* What JVMTI says of one method. */
struct names {
	char *class_signature, *name, *descriptor, *file;
	jint nlines;
	jvmtiLineNumberEntry *lines;
};

/* Remembers a method; false where it was known already or the table is full. */
static bool remember(uint64_t method)
{
	bool mine = false;

	return tiers_claim(&known, method, &mine) && mine;
}

static void names_get(struct names *n, jmethodID method)
{
	jvmtiEnv *jvmti = ojx.jvmti;
	jclass declarer = NULL;

	if ((*jvmti)->GetMethodName(jvmti, method, &n->name, &n->descriptor, NULL) !=
	    JVMTI_ERROR_NONE)
		return;
	if ((*jvmti)->GetMethodDeclaringClass(jvmti, method, &declarer) == JVMTI_ERROR_NONE) {
		(*jvmti)->GetClassSignature(jvmti, declarer, &n->class_signature, NULL);
		(*jvmti)->GetSourceFileName(jvmti, declarer, &n->file);
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
		names_get(&n, (jmethodID)(uintptr_t)method);
		if (n.name)
			define(method, &n);
		names_free(&n);
		(*jni)->PopLocalFrame(jni, NULL);
	}
}

/*
 * The kernel makes a page of the table when it is first written to, which takes a sample with a new stack longer than all the
 * rest. So here some are made ahead.
 */
static void make_room(void)
{
	static uint64_t made; /* so far */
	uint64_t tail = atomic_load_explicit(&ojx.shm->defs_tail, memory_order_relaxed);
	uint64_t end = (tail + AHEAD) & ~(AHEAD / 4 - 1);

	if (made == UINT64_MAX || end <= made || end > ojx.shm->defs_size)
		return;
	uint64_t from = made > tail ? made : tail & ~(AHEAD / 4 - 1);
	bool can = madvise(ojx.base + ojx.shm->defs_offset + from, end - from,
			   MADV_POPULATE_WRITE) == 0;
	made = can ? end : UINT64_MAX; /* Linux 5.14 */
}

void methods_resolve(void)
{
	JNIEnv *jni = NULL;

	make_room();
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

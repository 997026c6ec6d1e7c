/* SPDX-License-Identifier: Apache-2.0 */
/*
 * methods.c - see methods.h.
 *
 * Names are resolved some milliseconds later, so that the program's threads need not wait for it.
 * It also lets handlers, which may not call JVMTI, queue methods as allocations do. The queue is
 * private: JVMTI trusts any id that it gets, and stacks lie in shared memory.
 */
#include "hotspot/methods.h"

#include <stdlib.h>
#include <string.h>

#include "core/link.h"
#include "core/tiers.h"
#include "hotspot/metadata.h"
#include "hotspot/metadata_where.h"
#include "hotspot/methods_jvmti.h"

#define FIRST 1024 /* slots of the first tier */
#define QUEUE WIRE_MOST_METHODS

static struct tiers_slot slots[TIERS_SLOTS(FIRST)];
static const struct tiers known = { slots, FIRST }; /* numbers or jmethodIDs that were queued */
static _Atomic uint64_t queue[QUEUE];		    /* the same in the order of arrival */
static _Atomic uint32_t queued;
static uint32_t cursor; /* in the queue: methods before it have names */

/* [handler] Queues a new method, if there is room. */
static void meet(uint64_t method)
{
	bool mine = false;

	bool room = tiers_claim(&known, method, &mine) != NULL;
	if (room && !mine)
		return;
	uint32_t at = room ? atomic_fetch_add(&queued, 1) : QUEUE;
	if (at < QUEUE)
		atomic_store_explicit(&queue[at], method, memory_order_release);
	else
		limit_reached(WIRE_LIMIT_METHODS);
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
}

void methods_resolve(void)
{
	JNIEnv *jni = NULL;

	link_define_ahead();
	if ((*ojx.vm)->GetEnv(ojx.vm, (void **)&jni, JNI_VERSION_1_6) != JNI_OK)
		return;
	for (; cursor < QUEUE && cursor < atomic_load(&queued); cursor++) {
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

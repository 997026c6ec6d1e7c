/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weak.c - see weak.h.
 *
 * The check whether an object is dead must not keep it alive. With collectors that move nothing
 * between pauses, the slot of the reference is read: the collector clears it in a pause. With
 * others the JVM compares it with null.
 */
#include "hotspot/weak.h"

#include <string.h>

#include "core/peek.h"
#include "hotspot/humongous.h"
#include "hotspot/metadata/layout.h"
#include "hotspot/versions.h"
#include "hotspot/vmstructs.h"

static bool tells, prolongs;
static uint64_t heap; /* largest size, bytes; 0: unknown */

static const char *init(const struct part_start *start)
{
	const struct vmstructs *vm = start->vm;

	/* -Xcheck:jni resolves compared references, which keeps their objects alive */
	tells = !atomic_load_explicit(&ojx.moves_concurrently, memory_order_relaxed) ||
		(version_has(VERSION_COMPARING_FREES) && !vmstructs_flag(vm, "CheckJNICalls") &&
		 peek_works());
	prolongs = strcmp(ojx.gc, "Z") == 0 &&
		   (version_has(VERSION_Z_YOUNG) || vmstructs_flag(vm, "ZGenerational"));
	if (!humongous_init(vm))
		return "out of memory";
	heap = vmstructs_size_flag(vm, "MaxHeapSize");
	return tells ? NULL : "this JVM does not tell which are cleared";
}

bool weak_tells(void)
{
	return tells;
}

bool weak_prolongs(void)
{
	return prolongs;
}

uint64_t weak_limit(uint32_t part)
{
	return prolongs ? heap / part : UINT64_MAX;
}

jweak weak_hold(JNIEnv *jni, jobject object, uintptr_t at, uint64_t size, bool *lacks)
{
	if (humongous_is(size))
		return humongous_hold(at, lacks);
	jweak handle = (*jni)->NewWeakGlobalRef(jni, object);
	*lacks = !handle;
	if (!handle)
		(*jni)->ExceptionClear(jni);
	return handle;
}

void weak_release(JNIEnv *jni, jweak handle)
{
	if (humongous_has(handle))
		humongous_release(handle);
	else
		(*jni)->DeleteWeakGlobalRef(jni, handle);
}

uintptr_t weak_address(JNIEnv *jni, jweak handle, jobject *local)
{
	*local = NULL;
	if (humongous_has(handle))
		return weak_slot(handle);
	*local = (*jni)->NewLocalRef(jni, handle);
	return *local ? handle_address(*local) : 0;
}

bool weak_is_dead(JNIEnv *jni, jweak handle)
{
	if (atomic_load_explicit(&ojx.moves_concurrently, memory_order_relaxed))
		return (*jni)->IsSameObject(jni, handle, NULL);
	return weak_slot(handle) == 0;
}

/* The lower bits of a handle are tags, which differ between JDKs. */
uintptr_t weak_slot(jweak handle)
{
	uintptr_t slot = (uintptr_t)handle & ~(uintptr_t)7;

	/* the collector writes it; who needs more than the address checks the epoch */
	return atomic_load_explicit((_Atomic uintptr_t *)slot, memory_order_relaxed);
}

/* [pause] */
static void gc_finish(uint64_t epoch)
{
	(void)epoch;
	humongous_clear();
}

const struct part weak_part = {
	.name = "weak references",
	.of_objects = true,
	.init = init,
	.gc_finish = gc_finish,
};

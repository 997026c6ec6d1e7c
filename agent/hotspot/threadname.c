/* SPDX-License-Identifier: Apache-2.0 */
/* threadname.c - see threadname.h. */
#include "hotspot/threadname.h"

#include <string.h>

#include "core/jvm.h"
#include "core/link.h"
#include "core/name_numbers.h"

static struct name_numbers names;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static jclass virtual_class; /* NULL: this JVM has no virtual threads */

/* Finds out how to recognise virtual threads. */
static const char *init(const struct part_start *start)
{
	JNIEnv *jni = start->jni;
	jclass found = (*jni)->FindClass(jni, "java/lang/BaseVirtualThread"); /* JDK 19 */

	if (!found) {
		(*jni)->ExceptionClear(jni);
		return NULL;
	}
	virtual_class = jvm_hold(jni, found);
	(*jni)->DeleteLocalRef(jni, found);
	return NULL;
}

bool threadname_is_virtual(JNIEnv *jni, jthread thread)
{
	return virtual_class && thread && (*jni)->IsInstanceOf(jni, thread, virtual_class);
}

static void define(uint32_t number)
{
	uint32_t name_len = (uint32_t)strlen(names.name[number]);
	uint32_t len = wire_pad(sizeof(struct wire_thread) + name_len);
	struct wire_thread *rec = link_define_reserve(len);

	if (!rec)
		return;
	rec->rec.thread = 0;
	rec->number = number;
	rec->name_len = name_len;
	memset(rec + 1, 0, len - sizeof *rec);
	memcpy(rec + 1, names.name[number], name_len);
	link_define(rec, WIRE_THREAD);
}

static uint16_t intern(const char *name)
{
	pthread_mutex_lock(&lock);
	uint32_t before = names.last;
	uint32_t number = name_numbers_get(&names, name);
	if (names.last > before)
		define(number);
	pthread_mutex_unlock(&lock);
	if (!number)
		limit_reached(WIRE_LIMIT_THREAD_NAMES);
	return (uint16_t)number;
}

uint16_t threadname_number(JNIEnv *jni, jthread thread)
{
	jvmtiThreadInfo info = { .name = NULL };

	if (threadname_is_virtual(jni, thread))
		return intern(WIRE_VIRTUAL_THREADS);
	if ((*ojx.jvmti)->GetThreadInfo(ojx.jvmti, thread, &info) != JVMTI_ERROR_NONE)
		return 0;
	uint16_t number = info.name ? intern(info.name) : 0;
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)info.name);
	if (info.thread_group)
		(*jni)->DeleteLocalRef(jni, info.thread_group);
	if (info.context_class_loader)
		(*jni)->DeleteLocalRef(jni, info.context_class_loader);
	return number;
}

void thread_name(struct thread *t, JNIEnv *jni, jthread thread, bool samples)
{
	if (t->carrier)
		return;
	t->carrier = threadname_is_virtual(jni, thread);
	if (t->named && !t->carrier)
		return;
	atomic_store_explicit(&t->number, threadname_number(jni, thread), memory_order_relaxed);
	t->named = samples;
}

const struct part threadname_part = { .name = "names of threads", .init = init };

/* SPDX-License-Identifier: Apache-2.0 */
/* window_check.c - see window_check.h. */
#include "heap/window_check.h"

#include <string.h>

#include "core/peek.h"
#include "heap/window_walk.h"
#include "hotspot/young.h"

#define OBJECTS	 24
#define ATTEMPTS 5 /* a collection may interfere, or an allocation buffer be full */

/*
 * Makes arrays of all kinds, and strings, and keeps their local references. False if out of memory.
 */
static bool make(JNIEnv *jni, jobject *made)
{
	jclass string = (*jni)->FindClass(jni, "java/lang/String");

	for (int i = 0; i < OBJECTS && string; i++) {
		switch (i % 4) {
		case 0:
			made[i] = (*jni)->NewByteArray(jni, 5 * i);
			break;
		case 1:
			made[i] = (*jni)->NewLongArray(jni, i);
			break;
		case 2:
			made[i] = (*jni)->NewObjectArray(jni, i, string, NULL);
			break;
		default:
			made[i] = (*jni)->AllocObject(jni, string);
		}
		if (!made[i])
			return false;
	}
	return string != NULL;
}

/* Counts the objects of `made`, in order, that a walk from the first one finds in their places. */
static int walk(const struct window *w, jobject *made, uint32_t *end)
{
	struct walked o;
	int found = 0;

	*end = 0;
	while (window_walk_next(w, *end, &o)) {
		if (found < OBJECTS && w->at + o.offset == handle_address(made[found]))
			found++;
		*end = (uint32_t)(o.offset + o.bytes);
	}
	return found;
}

static bool attempt(JNIEnv *jni, uint32_t number, const char **why)
{
	static unsigned char room[WINDOW_ROOM];
	jobject made[OBJECTS];
	struct window w = { .copy = room };
	struct window *const all[] = { &w };
	uint64_t epoch = epoch_now();
	uint32_t walked = 0, threads;
	bool open = false;

	if (epoch == UINT64_MAX || !make(jni, made))
		return false;
	enum young found = young_begin(UINT64_MAX, &threads);
	if (found == YOUNG_LATE)
		*why = "there are too many threads";
	if (found != YOUNG_KNOWN)
		return false;
	w.at = handle_address(made[0]);
	uintptr_t end = young_end(w.at, &open);
	if (!end || !open || end - w.at > sizeof room)
		return false;
	w.bytes = (uint32_t)(end - w.at);
	if (!peek(w.at, room, w.bytes) || !epoch_is(epoch))
		return false;
	window_walk_begin(number, all, 1);
	return walk(&w, made, &walked) == OBJECTS && walked == w.bytes && epoch_is(epoch);
}

bool window_check(JNIEnv *jni, const char **why)
{
	bool good = false;

	for (uint32_t i = 0; i < ATTEMPTS && !good; i++) {
		if ((*jni)->PushLocalFrame(jni, 2 * OBJECTS) != 0)
			break;
		/* no pause has such a number */
		good = attempt(jni, UINT32_MAX - i, why);
		if ((*jni)->ExceptionCheck(jni))
			(*jni)->ExceptionClear(jni);
		(*jni)->PopLocalFrame(jni, NULL);
	}
	if ((*jni)->ExceptionCheck(jni)) /* of PushLocalFrame */
		(*jni)->ExceptionClear(jni);
	return good;
}

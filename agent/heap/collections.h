/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collections.h - detects collections that look for dead objects in the old generation. For
 * Serial, Parallel and G1.
 *
 * A young collection tells nothing about old objects. So the agent makes canaries, holds them until
 * they are old, and then lets go of them. When one is dead, there was a collection of the old
 * generation that began after that, or a marking of it. Young survivors always move. So what did
 * not move in a collection is old.
 */
#ifndef OJX_OLD_DETECTOR_H
#define OJX_OLD_DETECTOR_H

#include "core/state.h"

/* False if it does not work. */
bool old_detector_init(JNIEnv *jni);

/* Service thread: makes canaries, and lets go of old ones. */
void old_detector_service(JNIEnv *jni);

/* What a pause was. */
enum old_pause {
	OLD_MARKS, /* it moved nothing: the end of a concurrent marking, or a part of one */
	OLD_YOUNG, /* it moved young survivors, and perhaps some old objects */
	OLD_FULL,  /* by the VM's count a full collection */
	OLD_OTHER, /* unknown: there were collections without an event */
};

/*
 * [pause] A collection is over. True if it looked for dead objects in all of the old generation.
 * *alive is then a moment at which all objects that still exist were alive, if they existed.
 */
bool old_detector_gc_finish(enum old_pause pause, const struct wire_heap_time *now,
			    struct wire_heap_time *alive);

/* Drops all. */
void old_detector_release(JNIEnv *jni);

#endif

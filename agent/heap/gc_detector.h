/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gc_detector.h - detects collections that look for dead objects.
 *
 * Not all collections that JVMTI reports look for dead objects, and some that do are not reported.
 * So the agent makes canaries from time to time: objects without references to them. When one is
 * found dead, there was a collection that would have found other dead objects, too. Objects that
 * are older than the canary and still exist have survived it.
 */
#ifndef OJX_GC_DETECTOR_H
#define OJX_GC_DETECTOR_H

#include "core/state.h"

/* False if it does not work. */
bool gc_detector_init(JNIEnv *jni);

/* Drops the dead canaries. True if there were any. */
bool gc_detector_sweep(JNIEnv *jni);

/* Makes another canary if it is time. */
void gc_detector_add(JNIEnv *jni);

/* Drops all. */
void gc_detector_release(JNIEnv *jni);

/*
 * An object that is older than this time (ns) and still exists has survived a collection; 0: no
 * collection was detected. As of the last sweep.
 */
uint64_t gc_detector_horizon(void);

/* The same by all clocks; all zero: no collection was detected. */
struct wire_heap_time gc_detector_heap_time(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gc_detector.h - whether there was a collection that looked for dead objects, and of which.
 *
 * Not all collections that JVMTI tells of do, and some that do are not told. So there are canaries:
 * objects that nobody refers to, made from time to time. When one is found dead, there was a
 * collection that would have found others dead, too, and those that are older than the canary and
 * still there have survived it.
 */
#ifndef OJX_GC_DETECTOR_H
#define OJX_GC_DETECTOR_H

#include "core/state.h"

/* False where it cannot be had. */
bool gc_detector_init(JNIEnv *jni);

/* Lets go of the dead ones. True if there were some. */
bool gc_detector_sweep(JNIEnv *jni);

/* Makes another one if it is time. */
void gc_detector_add(JNIEnv *jni);

/* Lets go of all. */
void gc_detector_release(JNIEnv *jni);

/* What was there then (ns) and is there now has survived a collection; 0: none was seen. As of the
 * last sweep. */
uint64_t gc_detector_horizon(void);

#endif

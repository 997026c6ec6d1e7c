/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alloc.h - allocation samples: JVMTI's SampledObjectAlloc.
 */
#ifndef OJX_ALLOC_H
#define OJX_ALLOC_H

#include "core/state.h"

/* Handles the event. */
void alloc_sampled(JNIEnv *jni, jthread thread, jobject object, jclass type, jlong size);

/*
 * Uses up the rest of the calling thread's TLAB, which it got before samples were requested: the VM
 * samples only in later ones. Before the agent is live, after the event was enabled.
 */
void alloc_exhaust_buffer(JNIEnv *jni);

#endif

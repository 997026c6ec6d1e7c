/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alloc.h - allocation samples: JVMTI's SampledObjectAlloc.
 */
#ifndef OJX_ALLOC_H
#define OJX_ALLOC_H

#include "agent.h"

/* The event's callback. */
void JNICALL alloc_sampled(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object,
			   jclass type, jlong size);

/*
 * Bytes between samples from now on. Only from a thread that is attached to the VM: from another
 * one JVMTI does nothing. False where it failed; the old interval is then still in force.
 */
bool alloc_set_interval(uint64_t bytes);

/* The interval in force. */
uint64_t alloc_interval(void);

#endif

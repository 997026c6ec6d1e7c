/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alloc.h - allocation samples: JVMTI's SampledObjectAlloc.
 */
#ifndef OJX_ALLOC_H
#define OJX_ALLOC_H

#include "core/state.h"

/* The event's callback. */
void JNICALL alloc_sampled(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object,
			   jclass type, jlong size);

/*
 * Bytes between samples from now on. Only from a thread that is attached to the VM: from another
 * one JVMTI does nothing. False where it failed; the old interval is then still in force.
 */
bool alloc_set_interval(uint64_t bytes);

/*
 * The VM has one sampler of allocations, and HotSpot gives it to one agent at a time; so nobody else changes the interval while we
 * have it. Once the event is disabled: gives it back as it was.
 */
void alloc_give_back(void);

/* From here on the calling thread's allocations are the agent's own and no samples; or are samples again. */
void alloc_ignore(bool on);

/* The interval in force. */
uint64_t alloc_interval(void);

/*
 * Uses up what the calling thread has left of an allocation buffer that it got before samples were asked for:
 * the VM looks into later ones only. Before the agent is live, after the event was enabled.
 */
void alloc_exhaust_buffer(JNIEnv *jni);

/* Whether every allocation is to be a sample (--exact). */
static inline bool alloc_exact(void)
{
	return ojx.config.flags & WIRE_EXACT;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alloc.h - allocation samples: JVMTI's SampledObjectAlloc.
 */
#ifndef OJX_ALLOC_H
#define OJX_ALLOC_H

#include "core/state.h"
#include "heap/alloc_interval.h"
#include "heap/follow.h"

struct thread;

/* Handles the event. */
void alloc_sampled(JNIEnv *jni, jthread thread, jobject object, jclass type, jlong size);

/*
 * Watches a sampled object, which was at `object` in `epoch`. `ref` tells whether it is followed;
 * `ticket` is the one of its pending object. In the allocation callback.
 */
typedef void alloc_watcher(struct thread *t, uintptr_t object, uint64_t epoch,
			   const struct klass *k, const struct wire_alloc *alloc,
			   struct follow_ref ref, uint32_t ticket);

/* Sets the watcher; before the first sample. */
void alloc_set_watcher(alloc_watcher *watcher);

/*
 * Uses up the rest of the calling thread's TLAB, which it got before samples were requested: the VM
 * samples only in later ones. Before the agent is live, after the event was enabled.
 */
void alloc_exhaust_buffer(JNIEnv *jni);

#endif

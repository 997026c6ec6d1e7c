/* SPDX-License-Identifier: Apache-2.0 */
/* attach.h - what is in the JVM already when a recording starts: classes and threads. */
#ifndef OJX_AGENT_ATTACH_H
#define OJX_AGENT_ATTACH_H

#include "core/state.h"

/*
 * Gives ids to the methods of the classes that were loaded before, `n` classes at each call. Always
 * on the same thread, which keeps a frame of local references until all have been done.
 */
void attach_prepare_classes(JNIEnv *jni, uint32_t n);

/* Forgets those that are left. On the same thread. */
void attach_drop_classes(JNIEnv *jni);

/*
 * Gives the agent's structures to the threads that run already, and the threads their events.
 * `current` is the calling thread.
 */
void attach_threads(JNIEnv *jni, jthread current);

/* ---- the end of a session in a JVM that runs on. */

/*
 * Gives everything back and forgets the session, so that another one can begin. Waits until no
 * thread is inside the agent. `jni`: of the calling thread, which must not be inside a callback;
 * NULL before the VM runs.
 */
void detach(JNIEnv *jni);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* attach.h - threads that run already when a recording starts, and the end of one. */
#ifndef OJX_AGENT_ATTACH_H
#define OJX_AGENT_ATTACH_H

#include "core/state.h"

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

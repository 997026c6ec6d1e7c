/* SPDX-License-Identifier: Apache-2.0 */
/* detach.h - the end of a session in a JVM that runs on. */
#ifndef OJX_AGENT_DETACH_H
#define OJX_AGENT_DETACH_H

#include "core/state.h"

/*
 * Gives everything back and forgets the session, so that another one can begin. Waits until no
 * thread is inside the agent. `jni`: of the calling thread, which must not be inside a callback;
 * NULL before the VM runs.
 */
void detach(JNIEnv *jni);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * service.h - the service thread, which does all slow work: it names methods, decodes instructions,
 * reads old objects and runs the governor.
 *
 * It is a JVMTI agent thread, which Java code cannot see. It ends when the tool goes away or
 * requests it, or when the VM dies.
 */
#ifndef OJX_AGENT_SERVICE_H
#define OJX_AGENT_SERVICE_H

#include "core/state.h"

/* Creates the thread's object, in the system's thread group; NULL on failure. */
jobject service_new(JNIEnv *jni);
bool service_start(jobject thread);

/* Samples come from now on; they are recorded while the agent is live. */
void service_begin_sampling(void);
/* The same, and makes the agent live. */
void service_go_live(void);

/*
 * The VM dies: sends everything that is known, on the calling thread, unless the service thread has
 * done so or does not yield in time.
 */
void service_end(JNIEnv *jni);

#endif

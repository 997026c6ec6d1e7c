/* SPDX-License-Identifier: Apache-2.0 */
/*
 * service.h - the service thread, which does all that may take time.
 *
 * It is a JVMTI agent thread, which Java code cannot see, and its work is naming methods, decoding
 * instructions, looking at old objects, steering. It ends when the tool goes away or asks for it,
 * or the VM dies.
 */
#ifndef OJX_AGENT_SERVICE_H
#define OJX_AGENT_SERVICE_H

#include "core/state.h"

/* The thread's object, in the system's thread group; NULL on failure. */
jobject service_new(JNIEnv *jni);
bool service_start(jobject thread);

/* Samples come from now on; they are kept while the agent is live. */
void service_begin_sampling(void);
/* The same, and the agent is live. */
void service_go_live(void);

/*
 * Whether seccomp filters are still those that the tool knows. If not, says so once, and ends all
 * watches and samples of accesses for good.
 */
bool service_check_filters(void);

/*
 * The VM dies: sends everything that is known on the calling thread, if the thread has not, and can
 * be waited for.
 */
void service_end(JNIEnv *jni);

#endif

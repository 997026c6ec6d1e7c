/* SPDX-License-Identifier: Apache-2.0 */
/* start.h - the start of a recording, when the VM starts or when it runs already. */
#ifndef OJX_AGENT_START_H
#define OJX_AGENT_START_H

#include "core/state.h"

/* Reads the VM's tables, once the link is open, and sets the flags that the VM reads later. */
void start_read_vm(void);

/*
 * Measures the VM, chooses what can be used and starts the service thread. `thread` is the calling
 * one. False if that thread could not be started.
 */
bool start_recording(JNIEnv *jni, jthread thread);

#endif

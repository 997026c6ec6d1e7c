/* SPDX-License-Identifier: Apache-2.0 */
/* callbacks.h - the JVMTI events that the agent handles. */
#ifndef OJX_AGENT_CALLBACKS_H
#define OJX_AGENT_CALLBACKS_H

#include "core/state.h"

/* Sets the callbacks of ojx.jvmti. False if the JVM refuses. */
bool callbacks_set(void);

#endif

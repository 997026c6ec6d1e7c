/* SPDX-License-Identifier: Apache-2.0 */
/* jvm.h - requests to the JVM that several files make. */
#ifndef OJX_JVM_H
#define OJX_JVM_H

#include "core/state.h"

/* Enables an event. Notes it if the JVM refuses. */
void jvm_enable(jvmtiEvent event);

/* The JDK's version, such as 17; 0 if the JVM does not tell. */
int jvm_version(void);

#endif

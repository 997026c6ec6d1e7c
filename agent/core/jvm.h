/* SPDX-License-Identifier: Apache-2.0 */
/* jvm.h - what is asked of the JVM in several places. */
#ifndef OJX_JVM_H
#define OJX_JVM_H

#include "core/state.h"

/* Asks the JVM for an event; that it refuses is noted. */
void jvm_enable(jvmtiEvent event);

/* The JDK's number, 17 say; 0 where the JVM does not tell. */
int jvm_version(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* methods_jvmti.h - names of methods from JVMTI, where HotSpot's records cannot be read. */
#ifndef OJX_METHODS_JVMTI_H
#define OJX_METHODS_JVMTI_H

#include "hotspot/metadata.h"

typedef void methods_define(uint64_t method, const struct metadata_names *names);

/* Calls `define` with what JVMTI tells; not at all if the class was unloaded. */
void methods_jvmti(JNIEnv *jni, jmethodID method, methods_define *define);

#endif

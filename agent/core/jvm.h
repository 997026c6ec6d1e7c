/* SPDX-License-Identifier: Apache-2.0 */
/* jvm.h - requests to the JVM that several files make. */
#ifndef OJX_JVM_H
#define OJX_JVM_H

#include "core/state.h"

#define JVM_LOCAL_REFERENCES 65536 /* most of one frame that HotSpot permits */

/* Enables an event. Notes it if the JVM refuses. */
void jvm_enable(jvmtiEvent event);

/*
 * A global reference to `object`, which jvm_release deletes; NULL on failure. For the few objects
 * that are needed as long as the session lasts.
 */
jobject jvm_hold(JNIEnv *jni, jobject object);
void jvm_release(JNIEnv *jni);

/* The JDK's version, such as 17; 0 if the JVM does not tell. */
int jvm_version(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* jvm.c - see jvm.h. */
#include "core/jvm.h"

#include <stdlib.h>

#include "core/link.h"

#define HELD 8 /* most objects */

static jobject held[HELD];
static uint32_t nheld;

jobject jvm_hold(JNIEnv *jni, jobject object)
{
	jobject global = nheld < HELD ? (*jni)->NewGlobalRef(jni, object) : NULL;

	if (global)
		held[nheld++] = global;
	return global;
}

void jvm_release(JNIEnv *jni)
{
	while (nheld > 0)
		(*jni)->DeleteGlobalRef(jni, held[--nheld]);
}

void jvm_enable(jvmtiEvent event)
{
	jvmtiError e = (*ojx.jvmti)->SetEventNotificationMode(ojx.jvmti, JVMTI_ENABLE, event, NULL);
	if (e != JVMTI_ERROR_NONE)
		link_note("the JVM refuses event %d (JVMTI error %d): the recording is incomplete",
			  (int)event, (int)e);
}

int jvm_version(void)
{
	char *version = NULL;
	int n = 0;

	if ((*ojx.jvmti)->GetSystemProperty(ojx.jvmti, "java.vm.specification.version", &version) ==
		    JVMTI_ERROR_NONE &&
	    version)
		n = atoi(version);
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)version);
	return n;
}

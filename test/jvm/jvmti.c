/* SPDX-License-Identifier: Apache-2.0 */
/* The native half of Suspended.java: a debugger's part of JVMTI. */
#include <jvmti.h>
#include <stdlib.h>

static jvmtiEnv *jvmti;

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
	const jvmtiCapabilities wanted = { .can_suspend = 1 };

	(void)reserved;
	if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK ||
	    (*jvmti)->AddCapabilities(jvmti, &wanted) != JVMTI_ERROR_NONE)
		return JNI_ERR;
	return JNI_VERSION_1_6;
}

JNIEXPORT void JNICALL Java_Suspended_suspend(JNIEnv *jni, jclass type, jthread thread)
{
	(void)jni;
	(void)type;
	(*jvmti)->SuspendThread(jvmti, thread); /* unless it has just ended */
}

JNIEXPORT void JNICALL Java_Suspended_resume(JNIEnv *jni, jclass type, jthread thread)
{
	(void)jni;
	(void)type;
	(*jvmti)->ResumeThread(jvmti, thread);
}

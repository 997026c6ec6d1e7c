/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Other users of JVMTI. As the native half of Suspended.java, a debugger; as an agent, an
 * allocation profiler that says whether it got the allocation sampler.
 */
#include <jvmti.h>
#include <stdbool.h>
#include <stdio.h>

static jvmtiEnv *jvmti;

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	const jvmtiCapabilities wanted = { .can_generate_sampled_object_alloc_events = 1 };
	bool got = (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) == JNI_OK &&
		   (*jvmti)->AddCapabilities(jvmti, &wanted) == JVMTI_ERROR_NONE;

	(void)options;
	(void)reserved;
	puts(got ? "another agent samples" : "another agent may not sample");
	fflush(stdout);
	return JNI_OK;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
	return Agent_OnLoad(vm, options, reserved);
}

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

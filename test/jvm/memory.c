/* SPDX-License-Identifier: Apache-2.0 */
/* The native half of Memory.java. */
#include <errno.h>
#include <jni.h>
#include <sys/mman.h>

JNIEXPORT jint JNICALL Java_Memory_lockAll(JNIEnv *jni, jclass class)
{
	(void)jni;
	(void)class;
	return mlockall(MCL_CURRENT | MCL_FUTURE) == 0 ? 0 : errno;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* attach.c - see attach.h. */
#include "attach.h"

#include "core/jvm.h"
#include "hotspot/walk.h"

/* Local references of the thread that prepares them. */
static jclass *classes;
static jint nclasses, prepared;
static bool listed;

static void list_classes(JNIEnv *jni)
{
	listed = true;
	if ((*jni)->PushLocalFrame(jni, JVM_LOCAL_REFERENCES) != 0)
		return;
	if ((*ojx.jvmti)->GetLoadedClasses(ojx.jvmti, &nclasses, &classes) == JVMTI_ERROR_NONE &&
	    classes)
		return;
	classes = NULL;
	(*jni)->PopLocalFrame(jni, NULL);
}

void attach_prepare_classes(JNIEnv *jni, uint32_t n)
{
	if (!listed)
		list_classes(jni);
	if (!classes)
		return;
	for (; n > 0 && prepared < nclasses; n--)
		walk_prepare_class(classes[prepared++]);
	if (prepared < nclasses)
		return;
	(*ojx.jvmti)->Deallocate(ojx.jvmti, (unsigned char *)classes);
	classes = NULL;
	(*jni)->PopLocalFrame(jni, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* jvm.c - see jvm.h. */
#include "core/jvm.h"

#include <stdlib.h>

#include "core/link.h"

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

/* SPDX-License-Identifier: Apache-2.0 */
/* platform.c - see platform.h. */
#include "model/platform.h"

#include <fnmatch.h>
#include <string.h>

#include "base/names.h"

static bool begins_with(const char *name, const char *const *beginnings)
{
	for (; *beginnings; beginnings++)
		if (strncmp(name, *beginnings, strlen(*beginnings)) == 0)
			return true;
	return false;
}

/* Classes that the JVM makes at run time; they have the loader of the class that needed them. */
static bool is_made_up(const char *name)
{
	static const char *const beginnings[] = { "jdk.proxy", "com.sun.proxy.",
						  "jdk.internal.reflect.Generated", NULL };

	return strstr(name, "$$Lambda") || begins_with(name, beginnings);
}

/* The run-time library of a language; its compiler is a program. */
static bool is_runtime(const char *name)
{
	static const char *const runtimes[] = {
		"scala.", "kotlin.", "groovy.", "org.codehaus.groovy.", "org.apache.groovy.", NULL
	};
	static const char *const programs[] = {
		"scala.tools.", "scala.reflect.internal.",    "scala.reflect.io.",
		"groovy.ui.",	"org.codehaus.groovy.tools.", NULL
	};

	return begins_with(name, runtimes) && !begins_with(name, programs);
}

bool platform_frame(const struct platform *p, const struct model_frame *frame)
{
	const char *name = frame->class_name;

	if (frame->folded > 0 || !name)
		return true;
	if (frame->home == MODEL_HOME_UNKNOWN ? names_in_jdk(name)
					      : frame->home == MODEL_HOME_PLATFORM)
		return true;
	if (is_made_up(name) || is_runtime(name))
		return true;
	for (size_t i = 0; p && i < p->n; i++)
		if (fnmatch(p->globs[i], name, 0) == 0)
			return true;
	return false;
}

size_t platform_line(const struct platform *p, const struct model *m, uint32_t jvm,
		     uint32_t stack_id)
{
	const uint32_t *numbers;
	unsigned flags;
	size_t n = model_stack_frames(m, jvm, stack_id, &numbers, &flags);

	for (size_t i = 0; i < n && i < WIRE_MAX_STACK; i++) {
		struct model_frame frame = model_frame(m, jvm, numbers[i]);
		if (!platform_frame(p, &frame))
			return i;
	}
	return 0;
}

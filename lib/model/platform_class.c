/* SPDX-License-Identifier: Apache-2.0 */
/* platform_class.c - see platform_class.h. */
#include "model/platform_class.h"

#include <string.h>

#include "base/javaname.h"

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

/*
 * Classes of the JDK that programs load by a loader of their own: lib/jrt-fs.jar, with which
 * compilers look up the classes of another JDK.
 */
static bool is_loaded_twice(const char *name)
{
	static const char *const packages[] = { "jdk.internal.jimage.", "jdk.internal.jrtfs.",
						NULL };

	return begins_with(name, packages);
}

bool platform_class(const char *name, enum model_home home)
{
	bool platform = home == MODEL_HOME_PLATFORM;

	if (home == MODEL_HOME_UNKNOWN)
		platform = names_in_jdk(name);
	return platform || is_made_up(name) || is_runtime(name) || is_loaded_twice(name);
}

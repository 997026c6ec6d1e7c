/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - see names.h. */
#include "base/names.h"

#include <stddef.h>
#include <string.h>

#include "base/javaname.h"

const char *names_simple(const char *class_name)
{
	const char *dot = strrchr(class_name, '.');

	return dot ? dot + 1 : class_name;
}

static bool in_any(const char *class_name, const char *const *packages)
{
	for (; class_name && *packages; packages++)
		if (strncmp(class_name, *packages, strlen(*packages)) == 0)
			return true;
	return false;
}

bool names_in_jdk(const char *class_name)
{
	static const char *const packages[] = { "java.",    "javax.",	    "jdk.",	    "sun.",
						"com.sun.", "org.w3c.dom.", "org.xml.sax.", NULL };

	return in_any(class_name, packages);
}

bool names_in_core(const char *class_name)
{
	static const char *const packages[] = { "java.",
						"jdk.internal.access.",
						"jdk.internal.misc.",
						"jdk.internal.reflect.",
						"jdk.internal.util.",
						"jdk.internal.vm.",
						"sun.invoke.",
						"sun.nio.",
						"sun.util.",
						NULL };

	return in_any(class_name, packages);
}

const char *names_type(char signature)
{
	if (signature == 'L' || signature == '[')
		return "reference";
	return signature == 'V' ? NULL : javaname_primitive(signature);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* platform.c - see platform.h. */
#include "model/platform.h"

#include <stddef.h>
#include <string.h>

#include "base/javaname.h"

/* ---- classes ------------------------------------------------------------------------------- */

static bool in_any(const char *name, const char *const *beginnings)
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

	return strstr(name, "$$Lambda") || in_any(name, beginnings);
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

	return in_any(name, runtimes) && !in_any(name, programs);
}

/*
 * Classes of the JDK that programs load by a loader of their own: lib/jrt-fs.jar, with which
 * compilers look up the classes of another JDK.
 */
static bool is_loaded_twice(const char *name)
{
	static const char *const packages[] = { "jdk.internal.jimage.", "jdk.internal.jrtfs.",
						NULL };

	return in_any(name, packages);
}

bool platform_class(const char *name, enum model_home home)
{
	bool platform = home == MODEL_HOME_PLATFORM;

	if (home == MODEL_HOME_UNKNOWN)
		platform = names_in_jdk(name);
	return platform || is_made_up(name) || is_runtime(name) || is_loaded_twice(name);
}

/*
 * ---- methods that a compiler made. A name or a flag alone does not do. Synthetic are the bodies
 * of lambdas, too (lambda$run$0, $anonfun$run$1), and what Kotlin makes of default arguments
 * (run$default); all these have code of the program. No language lets a program declare another
 * values() or valueOf(String) in an enum.
 */

#define ENUM	  (WIRE_METHOD_ENUM | WIRE_METHOD_STATIC)
#define SYNTHETIC (WIRE_METHOD_SYNTHETIC | WIRE_METHOD_STATIC)
#define BRIDGE	  (WIRE_METHOD_SYNTHETIC | WIRE_METHOD_BRIDGE)

struct text {
	const char *at;
	size_t len;
};

struct texts {
	struct text class_signature, name, descriptor;
};

static const struct kind {
	const char *name;	/* NULL: any */
	const char *parameters; /* and the method returns its class; NULL: any descriptor */
	uint32_t flags;		/* all of them */
	bool begins;		/* `name` is only its beginning */
} kinds[] = {
	{ "values", "()[", ENUM, false },
	{ "valueOf", "(Ljava/lang/String;)", ENUM, false },
	{ "$values", NULL, ENUM | WIRE_METHOD_SYNTHETIC, false },
	{ NULL, NULL, BRIDGE, false },
	{ "access$", NULL, SYNTHETIC, true },
	{ "$SWITCH_TABLE$", NULL, SYNTHETIC, true }, /* the compiler of Eclipse */
};

static bool begins_with(struct text t, const char *beginning)
{
	size_t len = strlen(beginning);

	return t.len >= len && memcmp(t.at, beginning, len) == 0;
}

static bool is_kind(const struct kind *k, uint32_t flags, const struct texts *t)
{
	struct text descriptor = t->descriptor, own = t->class_signature;

	if ((flags & k->flags) != k->flags)
		return false;
	if (k->name &&
	    (!begins_with(t->name, k->name) || (!k->begins && t->name.len != strlen(k->name))))
		return false;
	if (!k->parameters)
		return true;
	size_t at = strlen(k->parameters);
	return begins_with(descriptor, k->parameters) && descriptor.len - at == own.len &&
	       memcmp(descriptor.at + at, own.at, own.len) == 0;
}

bool compiler_made(const struct wire_method *method)
{
	const char *at = (const char *)(method + 1);
	struct texts t = {
		.class_signature = { at, method->class_len },
		.name = { at + method->class_len, method->name_len },
		.descriptor = { at + method->class_len + method->name_len, method->descriptor_len },
	};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (is_kind(&kinds[i], method->flags, &t))
			return true;
	return false;
}

/* ---- uses ---------------------------------------------------------------------------------- */

/* Whether two classes are in one package; a class and those within it always are. */
static bool in_one_package(const char *a, const char *b)
{
	size_t of_a = (size_t)(names_simple(a) - a), of_b = (size_t)(names_simple(b) - b);

	return of_a == of_b && strncmp(a, b, of_a) == 0;
}

/* What a load of an object's content is, enum wire_loaded. */
static uint16_t load_of(const char *class_name)
{
	static const struct {
		const char *name;
		uint16_t loaded;
	} arrays[] = {
		{ "byte[]", WIRE_LOADED_BYTE },	  { "boolean[]", WIRE_LOADED_BYTE },
		{ "char[]", WIRE_LOADED_CHAR },	  { "short[]", WIRE_LOADED_SHORT },
		{ "int[]", WIRE_LOADED_INT },	  { "long[]", WIRE_LOADED_LONG },
		{ "float[]", WIRE_LOADED_FLOAT }, { "double[]", WIRE_LOADED_DOUBLE },
	};

	for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
		if (strcmp(class_name, arrays[i].name) == 0)
			return arrays[i].loaded;
	return strchr(class_name, '[') ? WIRE_LOADED_REF : WIRE_LOADED_FIELD;
}

/* Whether the line of a frame is known to load nothing like that, wherever its code is. */
static bool never_loads(const struct model_frame *frame, uint16_t loaded)
{
	uint16_t loads = 0;

	if (!frame->loads || frame->line <= 0)
		return false;
	for (uint32_t i = 0; i < frame->nlines; i++)
		if (frame->lines[i].line == frame->line)
			loads |= frame->loads[i].loaded;
	return !(loads & loaded);
}

bool frame_is_only_near(const struct model_frame *frame, const char *class_name)
{
	static const char *const anywhere[] = { "jdk.internal.misc.",
						"sun.misc.",
						"java.lang.invoke.",
						"java.lang.reflect.",
						"jdk.internal.reflect.",
						"sun.reflect.",
						"java.lang.Object",
						"java.lang.System",
						NULL };

	if (!frame->class_name || !class_name ||
	    (frame->platform && in_any(frame->class_name, anywhere)))
		return false;
	return never_loads(frame, load_of(class_name)) ||
	       (frame->platform && !strchr(class_name, '[') &&
		!in_one_package(frame->class_name, class_name));
}

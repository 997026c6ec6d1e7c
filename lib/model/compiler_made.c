/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiler_made.c - see compiler_made.h.
 *
 * A name or a flag alone does not do. Synthetic are the bodies of lambdas, too (lambda$run$0,
 * $anonfun$run$1), and what Kotlin makes of default arguments (run$default); all these have code of
 * the program. No language lets a program declare another values() or valueOf(String) in an enum.
 */
#include "model/compiler_made.h"

#include <stddef.h>
#include <string.h>

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

/* SPDX-License-Identifier: Apache-2.0 */
/* deduplication.c - see deduplication.h. */
#include "model/deduplication.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* By the names that the agent gives to collectors. */
static const struct {
	const char *gc;
	long since; /* JDK */
} collectors[] = {
	/* JEP 192, JDK-8267185, 8272609, 8267186 */
	{ "G1", 8 }, { "Shenandoah", 8 },     { "Parallel", 18 },  { "Serial", 18 },
	{ "Z", 18 }, { "Epsilon", LONG_MAX }, { "CMS", LONG_MAX },
};

enum deduplication deduplication_of(const struct file_jvm *jvm)
{
	long jdk = strtol(jvm->vm_version, NULL, 10); /* "17.0.15+6" */

	for (size_t i = 0; jdk > 0 && i < sizeof collectors / sizeof *collectors; i++)
		if (strcmp(jvm->gc, collectors[i].gc) == 0)
			return jdk < collectors[i].since	    ? DEDUPLICATION_NONE
			       : jvm->flags & WIRE_JVM_DEDUPLICATES ? DEDUPLICATION_ON
								    : DEDUPLICATION_OFF;
	return DEDUPLICATION_UNKNOWN;
}

enum deduplication deduplication_at(struct model_context *const *contexts, size_t n)
{
	enum deduplication first = DEDUPLICATION_UNKNOWN;

	for (size_t i = 0; i < n; i++) {
		const struct model_jvm *jvm =
			contexts[i]->model ? model_jvm(contexts[i]->model, contexts[i]->jvm) : NULL;
		enum deduplication d = jvm ? deduplication_of(&jvm->info) : DEDUPLICATION_UNKNOWN;
		if (d == DEDUPLICATION_OFF)
			return d;
		if (i == 0)
			first = d;
	}
	return first;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* class_plan.h - what JVMTI tells of a class, while its entry is built (classbuild.h). */
#ifndef OJX_AGENT_CLASS_PLAN_H
#define OJX_AGENT_CLASS_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An instance field. */
struct class_field {
	uint32_t offset;
	uint8_t size;
	bool final;
	char *name;
	char *declarer;
	char *signature;
};

struct class_plan {
	char *signature; /* JVMTI's */
	struct class_field *fields;
	size_t n, room;
	/* that of the class or of a superclass, if none before it declares fields; NULL: none */
	const struct wire_collection *collection;
};

#endif

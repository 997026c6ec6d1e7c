/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classbuild.h - what JVMTI tells of a class: its name and its instance fields, inherited ones
 * included.
 */
#ifndef OJX_AGENT_CLASSBUILD_H
#define OJX_AGENT_CLASSBUILD_H

#include "hotspot/classes.h"

/* What the tool will be told of a class. */
struct class_plan {
	char *signature; /* JVMTI's */
	struct class_field *fields;
	size_t n, room;
};

/*
 * Makes an entry without an id, and the plan for its definition. NULL where JVMTI fails or memory
 * lacks.
 */
struct klass *classbuild(JNIEnv *jni, jclass type, struct class_plan *plan);

/* Tells the tool, once the entry has its id. Calls neither JNI nor JVMTI. */
void classbuild_define(const struct klass *k, const struct class_plan *plan);

void classbuild_release(struct class_plan *plan);
void classbuild_free(struct klass *k); /* of an entry that nobody else has seen */

#endif

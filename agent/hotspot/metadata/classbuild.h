/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classbuild.h - builds the entry of a class from what JVMTI tells: its name and its instance
 * fields, with inherited ones.
 */
#ifndef OJX_AGENT_CLASSBUILD_H
#define OJX_AGENT_CLASSBUILD_H

#include "hotspot/metadata/class_plan.h"
#include "hotspot/metadata/klass.h"

/*
 * Builds an entry without an id, and the plan of its definition. NULL if JVMTI fails or when out of
 * memory.
 */
struct klass *classbuild(JNIEnv *jni, jclass type, struct class_plan *plan);

/* Sends the definition, once the entry has its id. Calls neither JNI nor JVMTI. */
void classbuild_define(const struct klass *k, const struct class_plan *plan);

/*
 * At VMInit: finds out where the classes of collections that others have inside have their fields.
 * Until then the entries of these others tell nothing of how full their objects are.
 */
void classbuild_inners(JNIEnv *jni);

void classbuild_release(struct class_plan *plan);
void classbuild_free(struct klass *k); /* only of an unpublished entry */

#endif

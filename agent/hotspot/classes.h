/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classes.h - the classes of sampled objects: ids, content positions, definitions for the tool.
 *
 * A class's id is its JVMTI tag, which follows the class wherever it moves and dies with it.
 * Entries are never freed: a few hundred bytes for each class of which an object was ever sampled.
 */
#ifndef OJX_CLASSES_H
#define OJX_CLASSES_H

#include "hotspot/klass.h"

#define CLASS_MAX 65536

/* The entry of a class; NULL where there is no room or JVMTI fails. On a Java thread. */
struct klass *class_of(JNIEnv *jni, jclass type);

/* Whether `type` is the class of that entry, which is asked faster than what its class is. */
bool class_is(JNIEnv *jni, const struct klass *k, jclass type);

/* [handler][pause] Entry by id, NULL where there is none. */
struct klass *class_by_id(uint32_t id);

/* [handler][pause] Where a position lies. */
struct class_position class_position(const struct klass *k, uint64_t position);

#endif

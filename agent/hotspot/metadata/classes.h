/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classes.h - the classes of sampled objects: ids, content positions, definitions for the tool.
 *
 * Entries are not freed before the session ends. Each takes a few hundred bytes.
 */
#ifndef OJX_CLASSES_H
#define OJX_CLASSES_H

#include "hotspot/metadata/klass.h"

#define CLASS_MAX WIRE_MOST_CLASSES

/* The entry of a class; NULL if there is no room or JVMTI fails. On a Java thread. */
struct klass *class_of(JNIEnv *jni, jclass type);

/* Whether `type` is the class of this entry. Faster than class_of. */
bool class_is(JNIEnv *jni, const struct klass *k, jclass type);

/* Deletes the references to classes, and their tags. Once nobody uses the classes any more. */
void classes_release(JNIEnv *jni);

/* [handler][pause] Entry by id; NULL if there is none. */
struct klass *class_by_id(uint32_t id);

/* [handler][pause] Offset, size and kind of a position. */
struct class_position class_position(const struct klass *k, uint64_t position);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classes.h - the classes of sampled objects: ids, content positions, definitions for the tool.
 *
 * A class's id is its JVMTI tag, which follows the class wherever it moves and dies with it.
 * Entries are never freed: a few hundred bytes for each class of which an object was ever sampled.
 */
#ifndef OJX_CLASSES_H
#define OJX_CLASSES_H

#include "core/state.h"

#define CLASS_MAX 65536

struct class_position {
	uint32_t offset;
	uint8_t size;
	bool reference;
};

struct klass {
	uint32_t id;
	bool wanted; /* matches --class */
	bool array;
	bool reference_elements;
	uint8_t element_size;		  /* arrays */
	uint32_t base;			  /* arrays: first element */
	uint32_t size;			  /* other objects: end of the last field */
	uint32_t npositions;		  /* fields */
	uint32_t field_bytes;		  /* sum of their sizes */
	struct class_position *positions; /* by offset */
	_Atomic uint64_t word;		  /* class word in headers, 0 until an object was seen */
	_Atomic(jweak) mirror;		  /* NULL: there was no memory for it */
};

/* The entry of a class; NULL where there is no room or JVMTI fails. On a Java thread. */
struct klass *class_of(JNIEnv *jni, jclass type);

/* Whether `type` is the class of that entry, which is asked faster than what its class is. */
bool class_is(JNIEnv *jni, const struct klass *k, jclass type);

/* [handler][pause] Entry by id, NULL where there is none. */
struct klass *class_by_id(uint32_t id);

/* [handler][pause] How many positions (fields, elements) an object has. */
static inline uint64_t class_npositions(const struct klass *k, uint32_t extent)
{
	return k->array ? extent : k->npositions;
}

/* [handler][pause] Bytes from the object's start to the end of its content. */
static inline uint64_t class_end(const struct klass *k, uint32_t extent)
{
	return k->array ? k->base + (uint64_t)extent * k->element_size : k->size;
}

/* [handler][pause] Whether objects of the class can hold references. */
static inline bool class_refers(const struct klass *k)
{
	if (k->array)
		return k->reference_elements;
	for (uint32_t i = 0; i < k->npositions; i++)
		if (k->positions[i].reference)
			return true;
	return false;
}

/* [handler][pause] Where a position lies. */
struct class_position class_position(const struct klass *k, uint64_t position);

#endif

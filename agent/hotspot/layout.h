/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layout.h - how this JVM lays out objects, found by looking at objects made for the purpose.
 *
 * Nothing is taken from tables of versions: an array of a known length and a known content, an
 * Integer of a known value show where length, elements and fields are, whatever the JDK, collector
 * or header format. What does not come out as expected turns the reading of contents off.
 */
#ifndef OJX_LAYOUT_H
#define OJX_LAYOUT_H

#include "core/state.h"

struct layout {
	bool known;
	uint32_t klass_offset, klass_size; /* class word in the header */
	uint64_t klass_mask;		   /* bits of it that name the class */
	uint32_t length_offset;
	uint32_t base[9];      /* first element of arrays, by element size 1, 2, 4, 8 */
	uint32_t object_base;  /* first element of object arrays */
	uint32_t ref_size;     /* 4 or 8 */
	uint64_t ref_mask;     /* reference & mask >> shift: address without metadata */
	const void *ref_shift; /* where it stands */
};

extern struct layout layout;

/* Measures; at VMInit, on the thread of that event. False (with a note) where it failed. */
bool layout_measure(JNIEnv *jni);

/* [handler][pause] A reference slot's value without collector metadata; 0 for every form of null.
 */
static inline uint64_t layout_ref(uint64_t raw)
{
	if (layout.ref_shift)
		return raw >> *(const volatile uint8_t *)layout.ref_shift;
	return raw & layout.ref_mask;
}

/* [handler][pause] The bits of an object's header that name its class. */
static inline uint64_t layout_klass(const unsigned char *object)
{
	uint64_t word = 0;
	if (layout.klass_size == 4)
		word = *(const uint32_t *)(object + layout.klass_offset);
	else
		word = *(const uint64_t *)(object + layout.klass_offset);
	return word & layout.klass_mask;
}

#endif

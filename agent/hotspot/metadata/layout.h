/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layout.h - how this JVM lays out objects, measured on objects made for the purpose.
 *
 * No table of versions is needed: an array of known length and content and an Integer of known
 * value show where length, elements and fields are, with any JDK, collector or header format. If a
 * result is unexpected, contents are not read.
 */
#ifndef OJX_LAYOUT_H
#define OJX_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/state.h"

struct layout {
	bool known;
	uint32_t klass_offset, klass_size; /* class word in the header */
	uint64_t klass_mask;		   /* the bits that name the class */
	uint32_t length_offset;
	uint32_t field_shift;  /* of a jfieldID, to the offset of the field */
	uint32_t base[9];      /* first element of arrays, by element size 1, 2, 4, 8 */
	uint32_t object_base;  /* first element of object arrays */
	uint32_t ref_size;     /* 4 or 8 */
	uint64_t ref_mask;     /* reference & mask >> shift: address without metadata */
	const void *ref_shift; /* or its address: slot >> shift */
};

extern struct layout layout;

/* Measures; at VMInit, on the thread of that event. False if it failed. */
bool layout_measure(JNIEnv *jni);

/*
 * [handler][pause] The value of a reference slot without the collector's metadata; 0 for all forms
 * of null.
 */
static inline uint64_t layout_ref(uint64_t raw)
{
	if (layout.ref_shift)
		return raw >> atomic_load_explicit((_Atomic uint8_t *)layout.ref_shift,
						   memory_order_relaxed);
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

/* The same of a class without objects yet, of which one is made; 0: it cannot be read. */
uint64_t layout_klass_of(JNIEnv *jni, jclass type);

/* Where the field is in an object, from its beginning. */
static inline uint32_t layout_field(jfieldID id)
{
	return (uint32_t)((uintptr_t)id >> layout.field_shift);
}

/* ---- address ranges of code and heap. */

struct vmstructs;

/* At start. `vm` must stay valid. */
void ranges_init(const struct vmstructs *vm);

/* [handler] Whether an address is in compiled code, the interpreter or a stub. */
bool ranges_in_code(uint64_t ip);

/* [handler] Whether these bytes may lie in the heap. */
bool ranges_in_heap(uintptr_t address, size_t size);

#endif

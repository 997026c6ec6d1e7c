/* SPDX-License-Identifier: Apache-2.0 */
/*
 * content.h - what an object holds, as hashes.
 *
 * Content is the fields, or the elements of an array: no header, no length, no padding. References
 * are normalised (layout_ref). Arrays of different length are never compared, so that the length
 * needs no hashing.
 */
#ifndef OJX_CONTENT_H
#define OJX_CONTENT_H

#include "core/state.h"
#include "hotspot/classes.h"

#define CONTENT_WHOLE \
	(64u << 10) /* bytes; of larger objects the first and last half of that is hashed */

struct content {
	uint64_t hash;
	uint16_t flags; /* WIRE_REFS, WIRE_PARTIAL */
	uint16_t nslots;
	uint32_t slot[WIRE_SLOTS];
};

/*
 * [handler][pause] Hashes the object at `object`, which is readable up to class_end(). `slots`:
 * also the values at the WIRE_SLOTS positions.
 */
void content_hash(const unsigned char *object, const struct klass *k, uint32_t array_length,
		  bool slots, struct content *to);

/*
 * [handler] The same of an object that may not be there, or may be moved: the kernel copies it into
 * `room`, of CONTENT_ROOM bytes. Whether it stayed where it was meanwhile is for the caller to find
 * out. False where it cannot be read.
 */
#define CONTENT_ROOM (CONTENT_WHOLE + 64)
bool content_peek(uintptr_t object, const struct klass *k, uint32_t array_length,
		  unsigned char *room, struct content *to);
/* [handler] Hash of the value at one position alone, of such an object. False where it cannot be
 * read. */
bool content_peek_value(uintptr_t object, const struct class_position *p, uint64_t *value);

/* [handler][pause] Hash of the value at one position. */
uint64_t content_value(const unsigned char *object, const struct class_position *p);

#endif

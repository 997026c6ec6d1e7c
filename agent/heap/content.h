/* SPDX-License-Identifier: Apache-2.0 */
/*
 * content.h - hashes of the content of objects.
 *
 * Content is the fields, or the elements of an array: no header, no length, no padding. References
 * are normalised (layout_ref). Arrays of different lengths are never compared, so the length is not
 * hashed. All hashes are keyed with the recording's secret (core/secret.h).
 */
#ifndef OJX_CONTENT_H
#define OJX_CONTENT_H

#include "core/state.h"
#include "hotspot/metadata/classes.h"

/* Bytes. Of a larger object only the first and last half of this size are hashed. */
#define CONTENT_WHOLE (64u << 10)

struct content {
	uint64_t hash;
	uint16_t flags; /* WIRE_REFS, WIRE_PARTIAL */
	uint8_t nslots;
	uint32_t zeros; /* as in wire_snapshot */
	uint32_t slot[WIRE_SLOTS];
};

/*
 * [handler][pause] Hashes the object at `object`, which is readable up to class_end(). `slots`:
 * also hashes the values at the WIRE_SLOTS positions.
 */
void content_hash(const unsigned char *object, const struct klass *k, uint32_t array_length,
		  bool slots, struct content *to);

/*
 * [handler] The same for an object that may be missing, or may move: the kernel copies it into
 * `room`, of CONTENT_ROOM bytes. The caller checks whether it stayed in place meanwhile. False if
 * it cannot be read.
 */
#define CONTENT_ROOM (CONTENT_WHOLE + 64)
bool content_peek(uintptr_t object, const struct klass *k, uint32_t array_length,
		  unsigned char *room, struct content *to);
/* [handler] Hash of the value at one position of such an object. False if it cannot be read. */
bool content_peek_value(uintptr_t object, const struct klass *k, uint32_t array_length,
			uint32_t position, uint64_t *value);

/*
 * [handler][pause] Hash of the value at one position. An element of one or two bytes is hashed
 * together with its neighbours: the eight-byte word that it is in, counted from the first element;
 * at the end of the array, the last eight bytes. Such an element has so few values that a reader
 * who knows some texts could read others from its hash alone.
 */
uint64_t content_value(const unsigned char *object, const struct klass *k, uint32_t array_length,
		       uint64_t position);

#endif

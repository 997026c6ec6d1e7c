/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deep.h - the hash of an object together with what it refers to.
 *
 * Addresses do not enter it, so that two strings with a byte[] each are equal if their characters
 * are. It is made of: the class, the length of an array, the bytes that are no references (padding
 * is zero in HotSpot), and for each reference that is not null its place and the hash of the object
 * there. An object that is referred to twice counts like two equal ones: equal as values, as
 * equals() has it. A reference back to an object whose hash is not finished, which closes a cycle,
 * counts as that object's number in the breadth-first walk.
 *
 * Bounds: objects, levels, bytes, references. They depend on what the objects hold and on nothing
 * else, so that equal objects are cut at the same place: equal as far as looked (WIRE_DEEP_CUT).
 * Breadth first, so that what is near is looked at first. Where an object cannot be followed to
 * the end for another reason (it moved, its class is not understood) there is no hash.
 *
 * When it is safe: docs/architecture.md, "Following references".
 */
#ifndef OJX_DEEP_H
#define OJX_DEEP_H

#include "core/state.h"

#define DEEP_NODES 48
#define DEEP_LEVEL 32	       /* references from the root */
#define DEEP_EDGES 256	       /* references that are not null */
#define DEEP_BYTES (64u << 10) /* of content */

/* What one thread needs for it. */
struct deep;

struct deep_result {
	uint64_t hash;
	uint16_t flags; /* WIRE_DEEP, WIRE_DEEP_CUT, WIRE_DEEP_REFS; 0: there is no hash */
	uint32_t nodes; /* objects, the root included */
	uint32_t bytes; /* of those but the root, headers and padding included */
};

/*
 * At VMInit, after layout_measure: whether references can be followed in this JVM, with a note to
 * the user where they cannot.
 */
bool deep_init(JNIEnv *jni);

/* [pause] For looks in pauses, and for looks of the service thread. NULL where there are none. */
struct deep *deep_pause(void);
struct deep *deep_service(void);

/* [pause] From here on memory is read anew: before the objects of a pause, or of a copy run. */
void deep_begin(struct deep *d, uint64_t epoch);

/* [pause] The hash of the object at `object`, which is there. */
void deep_hash(struct deep *d, uintptr_t object, struct deep_result *result);

/*
 * [pause] If the last object was a java.lang.String that could be followed: up to `room` bytes of
 * its characters are copied to `to`. Returns how many; `*bytes`: all of them; `*wide`: two bytes
 * each. -1 where it was none.
 */
int deep_string(struct deep *d, unsigned char *to, uint32_t room, uint32_t *bytes, bool *wide);

#endif

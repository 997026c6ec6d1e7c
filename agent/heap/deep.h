/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deep.h - the hash of the deep content of an object.
 *
 * It does not depend on addresses: two strings with different byte[] are equal if their characters
 * are. It depends on the class, the length of an array, the bytes that are no references (padding
 * is zero in HotSpot), and for each non-null reference on its offset and the hash of the object
 * there. An object with two references to it counts like two equal objects: equal as values, as
 * with equals(). A reference back to an object whose hash is not finished, which closes a cycle,
 * counts as that object's number in the breadth-first walk.
 *
 * Objects, levels, bytes and references are bounded. The bounds depend only on the content, so
 * equal objects are cut at the same place: equal as far as they were read (WIRE_DEEP_CUT). The walk
 * is breadth-first, so near objects come first. If an object cannot be followed to the end for
 * another reason (it moved, or its class is not understood), there is no hash.
 *
 * docs/architecture.md, "Following references", tells when this is safe. What may run in a pause
 * may run in a handler, too, with the memory for handlers; so may all of reader.h and shape.h that
 * it needs.
 */
#ifndef OJX_DEEP_H
#define OJX_DEEP_H

#include "core/state.h"

#define DEEP_NODES 48
#define DEEP_LEVEL 32	       /* references from the root */
#define DEEP_EDGES 256	       /* non-null references */
#define DEEP_BYTES (64u << 10) /* bytes of content */

/* The working memory of one thread. */
struct deep;

struct deep_result {
	uint64_t hash;
	uint16_t flags; /* WIRE_DEEP, WIRE_DEEP_CUT, WIRE_DEEP_REFS; 0: no hash */
	uint32_t nodes; /* objects, with the root */
	uint32_t bytes; /* of all objects but the root, with headers and padding */
};

/*
 * At VMInit, after layout_measure: whether references can be followed in this JVM. If not, a note
 * tells the user.
 */
bool deep_init(JNIEnv *jni);

/*
 * [pause] The memory for snapshots in pauses, and of the service thread; NULL if references are not
 * followed.
 */
struct deep *deep_pause(void);
struct deep *deep_service(void);

/*
 * [handler] The memory of a handler, for `epoch`; NULL if references are not followed, or another
 * handler has it. Give it back.
 */
struct deep *deep_handler_take(uint64_t epoch);
void deep_handler_give(void);

/* [pause] Forgets what was read before: at the beginning of a pause or of a copy run. */
void deep_begin(struct deep *d, uint64_t epoch);

/* [pause] The hash of the object at `object`, which exists. */
void deep_hash(struct deep *d, uintptr_t object, struct deep_result *result);

#define DEEP_TOGETHER 32u

/* After deep_init: makes the walks of deep_together, if references are followed. */
void deep_together_init(void);

/*
 * [pause] For the service thread: walks from n <= DEEP_TOGETHER objects at once, after deep_begin
 * of deep_service(), level by level: so the kernel copies the pages of a level for all of them by
 * one call. False: there is no memory for it. `deep_walked` is the walk from object i, for deep_end
 * and deep_string until the next call.
 */
bool deep_together(const uintptr_t *objects, uint32_t n);
struct deep *deep_walked(uint32_t i);

/* [pause] The hash of the object from which such a walk began. */
void deep_end(struct deep *d, struct deep_result *result);

/*
 * [pause] The hash of what cannot change around the object at `object`, see wire_snapshot. It costs
 * less than deep_hash. False if it cannot be read.
 */
bool deep_fixed(struct deep *d, uintptr_t object, uint64_t *hash);

/*
 * [pause] If the last object was a java.lang.String that could be followed: copies up to `room`
 * bytes of its characters to `to`. Returns their number; `*bytes`: the string's length in bytes;
 * `*wide`: two bytes per character. -1 otherwise.
 */
int deep_string(struct deep *d, unsigned char *to, uint32_t room, uint32_t *bytes, bool *wide);

#endif

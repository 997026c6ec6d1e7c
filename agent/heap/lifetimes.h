/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lifetimes.h - when the held objects (live_heap.h) were made, were last known to be alive, and
 * died.
 *
 * With Serial, Parallel and G1 each collection tells: at its end the agent reads the references of
 * all held objects. A reference that was cleared is of a dead object. An object that has moved was
 * alive. An object that has not moved is old, and nothing is known of it until a collection of the
 * old generation (collections.h). With Z and Shenandoah the service thread finds out, by canaries
 * (collections.h).
 *
 * Deaths are sent when they are found, the others in a census (lib/wire/wire_rec.h).
 */
#ifndef OJX_LIFETIMES_H
#define OJX_LIFETIMES_H

#include "core/part.h"

struct link_ring;

/* After the live objects, whose table it shares. Tells the user if lives cannot be known. */
extern const struct part lifetimes_part;

/* [pause] Whether lives are recorded. */
bool lifetimes_wanted(void);

/* The object of entry `i` is held from now on. In the allocation callback. */
void lifetimes_begin(uint32_t i, jweak handle);

/* The reference of entry `i` is about to be deleted. */
void lifetimes_end(uint32_t i);

/*
 * [pause] Where the object of entry `i` is now; 0: it is dead. False if the entry has been given to
 * another object: the caller knows its object by handle and time of birth.
 */
bool lifetimes_place(uint32_t i, jweak handle, uint64_t birth_ns, uintptr_t *place);

/*
 * Service thread: when the object of entry `i` was made, was last known to be alive, and was found
 * dead. False during a pause: then only the birth is known.
 */
bool lifetimes_read(uint32_t i, struct wire_life *to);

/* Service thread: the ticket in all records of this object. */
uint32_t lifetimes_ticket(uint32_t i, uint64_t birth_ns);

/*
 * Service thread: the object of entry `i` is dead, or still held after canaries were looked at.
 * lifetimes_died returns false if the end of the collection that cleared its reference is still to
 * come; the caller then tries again later.
 */
bool lifetimes_died(struct link_ring *ring, uint32_t i);
void lifetimes_still_held(uint32_t i);

/* Service thread: makes canaries; sends a census if it is time, or at the end. */
void lifetimes_service(JNIEnv *jni, struct link_ring *ring, bool final);

/* Drops what it holds. */
void lifetimes_release(JNIEnv *jni);

#endif

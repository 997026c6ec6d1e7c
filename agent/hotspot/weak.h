/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weak.h - holds sampled objects weakly: which objects may be held, and how to ask whether they are
 * dead.
 *
 * Mostly these are weak global references, which keep nothing alive, with two exceptions. Large
 * objects of G1 are therefore held without a reference (humongous.h). And young collections of
 * generational ZGC treat weak references as strong ones. There a held object lives until a
 * collection of the old generation, together with all that it refers to; one dead node of a queue
 * keeps all later nodes alive. So with that collector only objects without references are held, and
 * no more bytes of them than a small part of the heap. (A string may be held, too, if the caller
 * checks the length of its array.)
 */
#ifndef OJX_WEAK_H
#define OJX_WEAK_H

#include "core/part.h"

/* Before any object is held. */
extern const struct part weak_part;

/* Whether the JVM can tell if an object is dead without keeping it alive. */
bool weak_tells(void);

/* Whether a held object lives until the next collection of the old generation, see above. */
bool weak_prolongs(void);

/*
 * 1/part of the largest heap size, bytes, if held objects live longer; otherwise UINT64_MAX, no
 * limit.
 */
uint64_t weak_limit(uint32_t part);

/*
 * Holds the object at `at`, of `size` bytes; NULL if that cannot be done. `*lacks`: for want of
 * room, which releasing others may give. Most handles are weak global references, but not all
 * (humongous.h): only these functions take them.
 */
jweak weak_hold(JNIEnv *jni, jobject object, uintptr_t at, uint64_t size, bool *lacks);
void weak_release(JNIEnv *jni, jweak handle);

/*
 * The address of a held object, 0 if it is dead. It is good as long as the epoch. `*local` is a
 * reference to it, if there can be one, else NULL.
 */
uintptr_t weak_address(JNIEnv *jni, jweak handle, jobject *local);

/* Whether a held object is dead. Only if weak_tells. */
bool weak_is_dead(JNIEnv *jni, jweak handle);

/* [pause] The current value of a handle's slot: where the object is, or 0 where it is dead. */
uintptr_t weak_slot(jweak handle);

#endif

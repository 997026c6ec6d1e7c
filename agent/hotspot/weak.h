/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weak.h - weak global references to sampled objects: which objects may be held, and how to ask
 * whether they are dead.
 *
 * They keep nothing alive, with one exception: young collections of generational ZGC treat weak
 * references as strong ones. There a held object lives until a collection of the old generation,
 * together with all that it refers to; one dead node of a queue keeps all later nodes alive. So
 * with that collector only objects without references are held, and no more bytes of them than a
 * small part of the heap. (A string may be held, too, if the caller checks the length of its
 * array.)
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

/* Whether the object of a weak global reference is dead. Only if weak_tells. */
bool weak_is_dead(JNIEnv *jni, jweak handle);

/* [pause] The current value of a reference's slot. */
uintptr_t weak_slot(jweak handle);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weak.h - weak global references to sampled objects: which objects may be held, and what a
 * reference says of its own.
 *
 * They keep nothing alive, but for one collector: the young collections of generational ZGC take
 * weak references for strong ones. What is held there lives until a collection of the old
 * generation, together with all that it refers to; of a queue, one dead node keeps everything that
 * was queued behind it. So there objects without references are held alone, and of these no more
 * bytes than a small part of the heap. (A string may be, too, by those who see to it how long its
 * array is.)
 */
#ifndef OJX_WEAK_H
#define OJX_WEAK_H

#include "core/state.h"

struct vmstructs;

/* At start, once the collector is known, before all that hold objects. */
void weak_init(const struct vmstructs *vm);

/* Whether the JVM can tell if an object is dead, and keep nothing alive by that. */
bool weak_tells(void);

/* Whether what is held lives until the next collection of the old generation: see above. */
bool weak_keeps(void);

/* 1/part of the largest size of the heap, bytes, if held objects live longer; else there is no
 * limit (UINT64_MAX). */
uint64_t weak_limit(uint32_t part);

/* Whether the object of a weak global reference is dead, if it is `weak_tells`. */
bool weak_is_dead(JNIEnv *jni, jweak handle);

/* [pause] What a reference's slot holds now. */
uintptr_t weak_slot(jweak handle);

#endif

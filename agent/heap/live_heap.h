/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live_heap.h - sampled objects that are held on to weakly until they die, so that what is alive
 * can be looked at.
 *
 * A weak global reference keeps nothing alive and tells when its object has died. Now and then, and
 * at the end, those that have survived a collection (gc_detector.h) are looked at and sent
 * (lib/wire/wire_live_heap.h): a view. Of younger ones nobody knows whether anybody still wants
 * them.
 *
 * Where what is held lives longer (weak.h), only small objects without references are, and strings
 * that are small with their arrays.
 */
#ifndef OJX_LIVE_HEAP_H
#define OJX_LIVE_HEAP_H

#include "core/state.h"
#include "hotspot/classes.h"

struct link_ring;

/* Makes room; at start, once the collector is known, and after scan_init. Where it cannot be done
 * nothing is held. */
void live_heap_init(JNIEnv *jni);

/* A sampled object is held from now on. In the allocation callback. `thread`: the allocating one's
 * number; `random`: 64 random bits. */
void live_heap_add(JNIEnv *jni, jobject object, const struct klass *k,
		   const struct wire_alloc *alloc, uint16_t thread, uint64_t random);

/* Service thread, or who does the last of its work: lets go of the dead; sends a view where it is
 * time, or at the end. */
void live_heap_service(JNIEnv *jni, struct link_ring *ring, bool final);

/* After the last of it: lets go of all. */
void live_heap_release(JNIEnv *jni);

#endif

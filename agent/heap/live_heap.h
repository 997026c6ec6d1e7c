/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live_heap.h - holds sampled objects weakly until they die, to report what is alive.
 *
 * A weak global reference keeps nothing alive and tells when its object has died. From time to
 * time, and at the end, the agent takes snapshots of the objects that have survived a collection
 * (gc_detector.h) and sends them (lib/wire/wire_rec.h): a view. Of younger objects it is
 * unknown whether the program still needs them.
 *
 * If held objects live longer (weak.h), only small objects without references are held, and strings
 * that are small with their arrays.
 */
#ifndef OJX_LIVE_HEAP_H
#define OJX_LIVE_HEAP_H

#include "core/state.h"
#include "hotspot/classes.h"

struct link_ring;

/*
 * Allocates the table; at start, once the collector is known, and after scan_init. If that fails,
 * nothing is held.
 */
void live_heap_init(JNIEnv *jni);

/*
 * Holds a sampled object from now on. In the allocation callback. `thread`: the number of the
 * allocating thread; `random`: 64 random bits.
 */
void live_heap_add(JNIEnv *jni, jobject object, const struct klass *k,
		   const struct wire_alloc *alloc, uint16_t thread, uint64_t random);

/*
 * Service thread, or the thread that does the last of its work: drops the dead; sends a view if it
 * is time, or at the end.
 */
void live_heap_service(JNIEnv *jni, struct link_ring *ring, bool final);

/* After the last call: drops all. */
void live_heap_release(JNIEnv *jni);

#endif

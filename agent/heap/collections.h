/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collections.h - which collections there were, which of them looked for dead objects, and the time
 * by which lives are measured.
 *
 * Not all collections that JVMTI reports look for dead objects, and some that do are not reported.
 * So the agent makes canaries from time to time: objects of its own. When one is found dead, there
 * was a collection that would have found other dead objects, too.
 */
#ifndef OJX_COLLECTIONS_H
#define OJX_COLLECTIONS_H

#include "core/part.h"

/* Tells the tool how many collections there are. */
extern const struct part collections_part;

/*
 * ---- the three clocks by which lives are measured: time, bytes allocated, collections. The
 * bytes are a sum over sampled allocations, each with the bytes that it stands for. So they
 * are an estimate, which grows by about the sampling interval at a time. Pauses that only mark
 * are no collections. With Serial, Parallel and G1 each pause that collects counts once,
 * although a full collection that was asked for makes Parallel do two in one pause. With
 * Z and Shenandoah the VM's own count is used.
 */

/* False if the VM's count of collections is not known. */
bool heap_time_init(const struct vmstructs *vm);

/* Counts a sampled allocation that stands for so many bytes. */
void heap_time_allocated(double bytes);

/* [pause] */
struct wire_heap_time heap_time_now(void);

/* [pause] Counts the collection of this pause. With Serial, Parallel and G1. */
void heap_time_collected(void);

/* [pause] Collections that the VM has begun by its own count. */
uint32_t heap_time_vm_collections(void);

/*
 * [pause] How many of them were full collections. The VM's tables do not name this counter. In all
 * JDKs from 11 to 25 it follows the other one. So a caller must not rely on it alone.
 */
uint32_t heap_time_full_collections(void);

/*
 * ---- canaries without references to them. Objects that are older than a dead one and still exist
 * have survived its collection.
 */

/* False if it does not work. */
bool canaries_init(JNIEnv *jni);

/* Drops the dead canaries. True if there were any. */
bool canaries_sweep(JNIEnv *jni);

/* Makes another canary if it is time. */
void canaries_add(JNIEnv *jni);

/* Drops all. */
void canaries_release(JNIEnv *jni);

/*
 * An object that is older than this time (ns) and still exists has survived a collection; 0: no
 * collection was detected. As of the last sweep.
 */
uint64_t canaries_horizon(void);

/* The same by all clocks; all zero: no collection was detected. */
struct wire_heap_time canaries_horizon_time(void);

/*
 * ---- canaries in the old generation, with Serial, Parallel and G1. A young collection tells
 * nothing about old objects. So the agent holds canaries until they are old, and then lets go of
 * them. When one is dead, there was a collection of the old generation that began after that, or a
 * marking of it. Young survivors always move. So what did not move in a collection is old.
 */

/* False if it does not work. */
bool old_canaries_init(JNIEnv *jni);

/* Service thread: makes canaries, and lets go of old ones. */
void old_canaries_service(JNIEnv *jni);

/* What a pause was. */
enum old_pause {
	OLD_MARKS, /* it moved nothing: the end of a concurrent marking, or a part of one */
	OLD_YOUNG, /* it moved young survivors, and perhaps some old objects */
	OLD_FULL,  /* by the VM's count a full collection */
	OLD_OTHER, /* unknown: there were collections without an event */
};

/*
 * [pause] A collection is over. True if it looked for dead objects in all of the old generation.
 * *alive is then a moment at which all objects that still exist were alive, if they existed.
 */
bool old_canaries_gc_finish(enum old_pause pause, const struct wire_heap_time *now,
			    struct wire_heap_time *alive);

/* Drops all. */
void old_canaries_release(JNIEnv *jni);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * follow.h - sampled objects that are followed for as long as they live, so that an address leads to the object it is in, and
 * to where that was allocated.
 *
 * A weak global reference keeps track of each, as it does for any program: the collector updates it, and it keeps nothing alive.
 * What is not asked of the JVM, since that would keep the object alive until a concurrent collector's next cycle, is to
 * resolve it; its slot is read instead, in the pause in which the collector has just updated it (Serial, Parallel, G1), or by the
 * agent's thread after the JVM has compared it with null, which makes it good and keeps nothing alive (Z, Shenandoah).
 *
 * An address so found is good for an epoch. Until those of a new epoch are known, nobody knows; who asks gets told so.
 *
 * The table is bounded. When it fills up, objects are dropped as if allocations had been sampled more rarely from the
 * beginning; the rest weigh more.
 */
#ifndef OJX_FOLLOW_H
#define OJX_FOLLOW_H

#include "agent.h"
#include "classes.h"

/* What an address leads to. */
struct followed {
	uint32_t context, class_id;
	uint32_t hit;	 /* how many times it was found, this one included */
	uint64_t offset; /* of the address from the object's start */
	double weight;	 /* objects that it stands for */
};

enum follow_found {
	FOLLOW_NONE, /* no object that is followed */
	FOLLOW_FOUND,
	FOLLOW_UNKNOWN, /* where followed objects are is not known now */
};

/* Makes room; at start, once the collector is known. Where objects can not be followed it says so to the user. */
void follow_init(void);

/*
 * A sampled object, which was at `address` in `epoch`, is followed from now on if it is large enough. In the allocation
 * callback. `random`: 64 random bits.
 */
void follow_add(JNIEnv *jni, jobject object, uintptr_t address, uint64_t epoch,
		const struct klass *k, const struct wire_alloc *alloc, uint64_t random);

/* [handler] The object that has the byte at `address`, in `epoch`, which is the current one. */
enum follow_found follow_find(uintptr_t address, uint64_t epoch, struct followed *to);

/* [pause] The collection is over; `epoch` begins. */
void follow_gc_finish(uint64_t epoch);

/* Service thread: finds those that were not found in the pause, forgets the dead, makes room. */
void follow_service(JNIEnv *jni);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * follow.h - sampled objects that are followed for as long as they live, so that an address leads
 * to the object it is in, and to where that was allocated.
 *
 * A weak global reference keeps track of each, as it does for any program: the collector updates
 * it, and it keeps nothing alive. What is not asked of the JVM, since that would keep the object
 * alive until a concurrent collector's next cycle, is to resolve it; its slot is read instead, in
 * the pause in which the collector has just updated it (Serial, Parallel, G1), or by the agent's
 * thread after the JVM has compared it with null, which makes it good and keeps nothing alive (Z,
 * Shenandoah).
 *
 * An address so found is good for an epoch. Until those of a new epoch are known, nobody knows; who
 * asks gets told so.
 *
 * Generational ZGC keeps alive what is held (weak.h). There, only objects without references are,
 * and not many bytes of those; others are followed in the epoch they were made in alone.
 *
 * The table is bounded. When it fills up, objects are dropped as if allocations had been sampled
 * more rarely from the beginning; the rest weigh more.
 */
#ifndef OJX_FOLLOW_H
#define OJX_FOLLOW_H

#include "core/state.h"
#include "hotspot/classes.h"

/* wire_config.flags for which objects are followed */
#define FOLLOW_FLAGS (WIRE_LOCALITY | WIRE_USES)

/* One object's place in the table, and that it is still this object. */
struct follow_ref {
	uint32_t entry, claim; /* claim 0: it is not followed */
};

/* What an address leads to. */
struct followed {
	struct follow_ref ref; /* its claim, taken or not */
	uint32_t context, class_id, array_length;
	uintptr_t start; /* of the object, as an address that Java code uses now */
	uint64_t offset; /* of the address from the object's start */
	uint64_t size;	 /* of the object, bytes */
	double weight;	 /* objects that it stands for */
	bool taken;	 /* its use was seen already */
	uint64_t born;	 /* epoch in which it was allocated */
	int32_t owner;	 /* tid of the allocating thread */
	uint16_t thread; /* and its number */
};

enum follow_found {
	FOLLOW_NONE, /* no object that is followed */
	FOLLOW_FOUND,
	FOLLOW_UNKNOWN, /* where followed objects are is not known now */
};

/* Makes room; at start, once the collector is known. Where objects cannot be followed it says so
 * to the user. */
void follow_init(void);

/* A sampled object, besides its address. */
struct follow_object {
	const struct klass *klass;
	const struct wire_alloc *alloc;
	int32_t owner; /* tid of the allocating thread */
	uint16_t thread;
};

/*
 * A sampled object, which was at `address` in `epoch`, is followed from now on if it is one of
 * those that are. In the allocation callback. `random`: 64 random bits.
 */
struct follow_ref follow_add(JNIEnv *jni, jobject object, uintptr_t address, uint64_t epoch,
			     const struct follow_object *o, uint64_t random);

/* [handler] The object that has the byte at `address`, in `epoch`, which is the current one. */
enum follow_found follow_find(uintptr_t address, uint64_t epoch, struct followed *to);

/* [handler] A sample that counts so many times is of this object: how many there were, the first of
 * these included. */
uint32_t follow_hit(struct follow_ref ref, uint32_t times);

/*
 * [handler][service thread] Some followed object of that class of which no use was seen yet, one
 * that has survived a collection if there is; each of them is about equally likely. False where
 * none is met soon. `like`: an address of the heap as Java code uses it now.
 */
bool follow_pick(uint32_t class_id, uint64_t epoch, uintptr_t like, uint64_t *random,
		 struct followed *to);

/*
 * [handler] Takes the object's use, of which there is one: two observations of one object would not
 * be independent. True for who gets it, and for objects that are not followed.
 */
bool follow_claim(struct follow_ref ref);

/* [pause] The collection is over; `epoch` begins. */
void follow_gc_finish(uint64_t epoch);

/* Service thread: finds those that were not found in the pause, forgets the dead, makes room. */
void follow_service(JNIEnv *jni);

/* Service thread: lets go of all. */
void follow_release(JNIEnv *jni);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allocation.h - a sampled allocation, as it goes from one part of the agent to the next (see
 * `sampled` and `kept` of core/part.h).
 */
#ifndef OJX_ALLOCATION_H
#define OJX_ALLOCATION_H

#include "core/state.h"

struct entry;
struct klass;
struct thread;

/* An object's entry in the table of followed objects, and a check that it still is this object. */
struct follow_ref {
	uint32_t entry, claim; /* claim 0: not followed */
};

struct allocation {
	JNIEnv *jni;
	struct thread *thread; /* that made it, which is the calling one */
	jobject object;
	struct klass *klass; /* NULL: not known, then it is not kept */
	uint64_t size;
	uint32_t array_length;
	uint32_t context; /* 0: not known, or not wanted */
	double spacing;	  /* mean bytes from sample to sample when it was drawn */
	/* Objects that it stands for: sampled ones, or, of those that are kept, kept ones. */
	double weight;

	/* only if it is kept */
	uint8_t exponent;      /* it was kept with probability 1/2^exponent */
	uint32_t ticket;       /* random; the same in all that is told of its content */
	uintptr_t address;     /* where it was in `epoch` */
	uint64_t epoch;	       /* in which it was made */
	struct follow_ref ref; /* filled in by the part that follows objects */
	struct entry *pending; /* it waits for its snapshot there; filled in by that part */
};

#endif

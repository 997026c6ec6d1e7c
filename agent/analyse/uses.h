/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uses.h - uses of objects found by sampled accesses.
 *
 * Watches on new objects see uses that come soon, on the watched threads. A sampled access may be
 * of any thread and to an object of any age. It tells two things (OJXPerf, section 5.2):
 *  - If the object is followed: its content at a use. That is an observation, as from a watch, once
 *    for each object.
 *  - Objects of this class are in use now, at this offset. So the next register watches another
 *    one: a random followed object of the class that has no observation yet, each with the same
 *    probability, however often it is accessed. A watch sees every access, where samples see one in
 *    a million. Its result is an observation, too. The offsets are kept with the context and size,
 *    as positions for partners.
 */
#ifndef OJX_USES_H
#define OJX_USES_H

#include "heap/follow.h"
#include "perf/access.h"

/* The object of a sampled access, as far as known. */
struct accessed {
	enum follow_found found;
	struct followed object; /* FOLLOW_FOUND */
	uint32_t class_id;	/* 0: unknown */
	uint64_t offset;	/* from the object's start to the address, if the class is known */
};

/*
 * [handler] Handles an access to this object, sampled in `epoch`. `stack`: its id; 0: not walked
 * yet.
 */
void uses_sample(struct thread *t, const struct access *a, uint64_t epoch,
		 const struct accessed *to, uint32_t stack);

/*
 * Service thread: the same for a deferred sample of thread `on`. The object's content at that time
 * is unknown, but objects of its class are still in use. `random`: of the calling thread.
 */
void uses_late(struct thread *on, uint64_t *random, const struct access *a, uint64_t epoch,
	       const struct accessed *to);

#endif

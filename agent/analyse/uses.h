/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uses.h - uses of objects that sampled accesses lead to.
 *
 * Watches on objects just allocated see uses that come soon, on the threads that are watched. A
 * sampled access, of whichever thread and to an object of whatever age, tells two things (OJXPerf,
 * section 5.2):
 *  - If the object is followed: what it holds when it is used. That is an observation as a watch
 * makes it, once for each object.
 *  - Objects of this class are in use now, at this offset. So a register is put on the next one:
 * some followed object of the class that has not been observed, each being equally likely, however
 * often it is accessed. It sees every access, where samples see one in a million, and what it finds
 * is an observation, too. The offsets are kept with the context and size, for partners to be
 * watched at.
 */
#ifndef OJX_USES_H
#define OJX_USES_H

#include "heap/follow.h"
#include "perf/access.h"

/* What is known of the object of a sampled access. */
struct accessed {
	enum follow_found found;
	struct followed object; /* FOLLOW_FOUND */
	uint32_t class_id;	/* 0: not known */
	uint64_t offset;	/* of the address from the object's start, if the class is known */
};

/* [handler] An access was sampled in `epoch`, to this object. `stack`: its id; 0: not walked yet.
 */
void uses_sample(struct thread *t, const struct access *a, uint64_t epoch,
		 const struct accessed *to, uint32_t stack);

/*
 * Service thread: the same of a sample that was resolved later, of thread `on`. What the object
 * held then is not known any more; that objects of its class are in use still is. `random`: of the
 * calling thread.
 */
void uses_late(struct thread *on, uint64_t *random, const struct access *a, uint64_t epoch,
	       const struct accessed *to);

#endif

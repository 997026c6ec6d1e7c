/* SPDX-License-Identifier: Apache-2.0 */
/*
 * locality.h - which object a sampled access is to, who accesses it, and on which node the page is.
 */
#ifndef OJX_LOCALITY_H
#define OJX_LOCALITY_H

#include "core/link.h"
#include "perf/sampler.h"

/* Makes room, if it is wanted; at start, when objects can be sampled. */
struct vmstructs;
void locality_init(const struct vmstructs *vm, JNIEnv *jni);

/* [handler] A sample was taken while Java code was running. */
void locality_sample(struct thread *t, const struct access *a);

/* When and by whom a sample was taken whose code had to be decoded first. */
struct late_sample {
	uint64_t epoch;
	struct thread *on; /* which may have ended since */
	uint32_t stack;	   /* id */
	uint16_t thread;   /* its number then */
};

/* Service thread: such a sample. */
void locality_late(struct link_ring *ring, const struct access *a, const struct late_sample *late);

/* Service thread: finds the nodes of pages, learns classes. */
void locality_service(struct link_ring *ring);

#endif

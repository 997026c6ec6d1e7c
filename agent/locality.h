/* SPDX-License-Identifier: Apache-2.0 */
/*
 * locality.h - which object a sampled access is to, who accesses it, and on which node the page is.
 */
#ifndef OJX_LOCALITY_H
#define OJX_LOCALITY_H

#include "link.h"
#include "sampler.h"

/* Makes room, if it is wanted; at start, when objects can be sampled. */
struct vmstructs;
void locality_init(const struct vmstructs *vm, JNIEnv *jni);

/* [handler] A sample was taken while Java code was running. */
void locality_sample(struct thread *t, const struct access *a);

/*
 * Service thread: a sample whose code had to be decoded first. It was taken in `epoch`, with the stack of
 * that id.
 */
void locality_late(struct link_ring *ring, const struct access *a, uint64_t epoch, uint32_t stack,
		   uint16_t thread);

/* Service thread: finds the nodes of pages, learns classes. */
void locality_service(struct link_ring *ring);

#endif

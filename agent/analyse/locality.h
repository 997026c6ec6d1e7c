/* SPDX-License-Identifier: Apache-2.0 */
/* locality.h - the object of a sampled access, its thread, and the NUMA node of its page. */
#ifndef OJX_LOCALITY_H
#define OJX_LOCALITY_H

#include "core/link.h"
#include "perf/access.h"

/* Allocates what it needs; at start, if objects can be sampled. */
struct vmstructs;
void locality_init(const struct vmstructs *vm, JNIEnv *jni);

/* [handler] Takes a sample of running Java code: the first of `n` accesses counts. */
void locality_sample(struct thread *t, const struct access *a, unsigned n);

/* Service thread: finds the nodes of pages, learns the class words of new classes. */
void locality_service(struct link_ring *ring);

#endif

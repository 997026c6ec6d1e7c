/* SPDX-License-Identifier: Apache-2.0 */
/*
 * locality.h - which object a sampled access is to, who accesses it, and on which node the page is.
 */
#ifndef OJX_LOCALITY_H
#define OJX_LOCALITY_H

#include "core/link.h"
#include "perf/access.h"

/* Makes room, if it is wanted; at start, when objects can be sampled. */
struct vmstructs;
void locality_init(const struct vmstructs *vm, JNIEnv *jni);

/* [handler] A sample was taken while Java code was running: the first of `n` accesses counts. */
void locality_sample(struct thread *t, const struct access *a, unsigned n);

/* Service thread: finds the nodes of pages, learns classes. */
void locality_service(struct link_ring *ring);

#endif

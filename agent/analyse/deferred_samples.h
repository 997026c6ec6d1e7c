/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deferred_samples.h - samples of the clock in code that is not decoded yet.
 *
 * The next access is unknown then, but what it depends on is known: registers, the end of the
 * stack, the code. The handler saves these with the calling context. The service thread determines
 * the access and passes it to locality, which needs nothing else of the interrupted thread.
 * Otherwise code in which a thread is interrupted only once would give no sample, and a program
 * with a flat profile hardly any.
 *
 * The table is bounded. A sample that finds no room counts as a lost event. A sample from before a
 * collection is still an access to the heap, but its object is unknown.
 */
#ifndef OJX_DEFERRED_SAMPLES_H
#define OJX_DEFERRED_SAMPLES_H

#include "perf/access.h"

struct link_ring;

/* When and by which thread a deferred sample was taken. */
struct deferred_sample {
	uint64_t epoch;
	struct thread *on; /* may have ended since */
	uint32_t stack;	   /* id */
	uint16_t thread;   /* its number then */
};

/* Service thread: receives a deferred sample. */
typedef void deferred_samples_user(struct link_ring *ring, const struct access *a,
				   const struct deferred_sample *late);

/* Allocates the table; at start, if samples may be deferred. */
void deferred_samples_init(deferred_samples_user *user);

/*
 * [handler] Saves the state of the calling thread, which was interrupted in Java code that is not
 * decoded yet.
 */
void deferred_samples_keep(struct thread *t, const void *ucontext);

/* Service thread: decodes the code of the saved samples and sends them. Returns their number. */
unsigned deferred_samples_serve(struct link_ring *ring);

#endif

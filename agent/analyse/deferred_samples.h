/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deferred_samples.h - samples of the clock in code that was not decoded yet.
 *
 * Which access is about to come is not known then, but what it depends on is: registers, the end of
 * the stack, the code. The handler saves these, with the calling context, and the service thread
 * finds out the access and hands it to locality, which needs no more of the interrupted thread.
 * Without that, code in which a thread is interrupted once would give no sample, and programs with
 * flat profiles hardly any.
 *
 * Bounded. What finds no room is counted as a lost event. A sample from before a collection is
 * still one of the heap, but nobody can say any more which object it is of.
 */
#ifndef OJX_DEFERRED_SAMPLES_H
#define OJX_DEFERRED_SAMPLES_H

#include "perf/access.h"

struct link_ring;

/* When and by whom a sample was taken whose code had to be decoded first. */
struct deferred_sample {
	uint64_t epoch;
	struct thread *on; /* which may have ended since */
	uint32_t stack;	   /* id */
	uint16_t thread;   /* its number then */
};

/* Service thread: who gets such a sample. */
typedef void deferred_samples_user(struct link_ring *ring, const struct access *a,
				   const struct deferred_sample *late);

/* Makes room; at start, where samples may come later. */
void deferred_samples_init(deferred_samples_user *user);

/* [handler] The calling thread was interrupted in Java code that is not decoded yet. */
void deferred_samples_keep(struct thread *t, const void *ucontext);

/* Service thread: decodes what is waiting and sends the samples. Returns how many there were. */
unsigned deferred_samples_serve(struct link_ring *ring);

#endif

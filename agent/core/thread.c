/* SPDX-License-Identifier: Apache-2.0 */
/* thread.c - see thread.h. */
#define _GNU_SOURCE
#include "core/thread.h"

#include <unistd.h>

#include "core/memory.h"
#include "core/session.h"

static struct thread *_Atomic threads[THREAD_MAX];
static const struct thread_part *part;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool full; /* all structures are taken, until a thread ends */

/* initial-exec: the default model of a loaded library would allocate at the first touch */
static __thread struct {
	struct thread *thread;
	uint32_t session; /* the structures of earlier sessions are gone */
} self;

struct thread *thread_known(void)
{
	return self.session == session_number() ? self.thread : NULL;
}

struct thread *thread_at(uint32_t index)
{
	return index < THREAD_MAX ? atomic_load_explicit(&threads[index], memory_order_acquire)
				  : NULL;
}

void thread_set_part(const struct thread_part *p)
{
	part = p;
}

static void discard(struct thread *t)
{
	memory_free(t->jvmti_frames);
	memory_free(t->frames);
	memory_free(t->machine_frames);
	memory_free(t->asgct_frames);
	memory_free(t->handler_frames);
	memory_free(t);
}

static struct thread *create(uint32_t index)
{
	struct thread *t = memory_new(1, sizeof *t);
	/* one more, to detect that a stack was cut */
	size_t n = ojx.config.max_stack + INTRINSICS_FRAMES + 1;

	if (!t)
		return NULL;
	t->index = index;
	t->timer = -1;
	for (int i = 0; i < WIRE_EVENTS; i++)
		t->sampler[i] = -1;
	t->jvmti_frames = memory_new(n, sizeof *t->jvmti_frames);
	t->frames = memory_new(n, sizeof *t->frames);
	t->machine_frames = memory_new(n, sizeof *t->machine_frames);
	t->asgct_frames = memory_new(n, sizeof *t->asgct_frames);
	t->handler_frames = memory_new(n, sizeof *t->handler_frames);
	if (t->jvmti_frames && t->frames && t->machine_frames && t->asgct_frames &&
	    t->handler_frames && part->create(t))
		return t;
	discard(t);
	return NULL;
}

/* A free structure, or a new one. */
static struct thread *take(void)
{
	struct thread *t = NULL;

	if (atomic_load_explicit(&full, memory_order_relaxed))
		return NULL;
	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < THREAD_MAX && !t; i++) {
		struct thread *there = threads[i];
		if (there && atomic_load(&there->used))
			continue;
		t = there ? there : create(i);
		if (!t)
			break;
		atomic_store(&t->used, 1);
		atomic_store_explicit(&threads[i], t, memory_order_release);
	}
	if (!t)
		atomic_store(&full, true);
	pthread_mutex_unlock(&lock);
	return t;
}

static uintptr_t stack_end(void)
{
	pthread_attr_t attr;
	void *low = NULL;
	size_t size = 0;

	if (pthread_getattr_np(pthread_self(), &attr) != 0)
		return 0;
	pthread_attr_getstack(&attr, &low, &size);
	pthread_attr_destroy(&attr);
	return (uintptr_t)low + size;
}

struct thread *thread_self(JNIEnv *jni)
{
	struct thread *t = thread_known();

	if (t)
		return t;
	t = take();
	if (!t)
		return NULL;
	t->tid = gettid();
	t->number = 0;
	t->named = t->carrier = false;
	t->jni = jni;
	t->stack_high = stack_end();
	t->random = ojx.config.seed ^ ((uint64_t)t->tid << 32) ^ now_ns();
	t->busy_candidates = 0;
	t->counted_ns = cpu_ns();
	self.thread = t; /* before the first signal */
	self.session = session_number();
	part->begin(t);
	return t;
}

void thread_end(void)
{
	struct thread *t = thread_known();

	if (!t)
		return;
	if (t->named)
		thread_count_cpu(t, cpu_ns());
	part->end(t);
	self.thread = NULL;
	link_ring_release(&t->ring);
	atomic_store(&t->used, 0);
	atomic_store(&full, false);
}

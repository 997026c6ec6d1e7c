/* SPDX-License-Identifier: Apache-2.0 */
/* thread.c - see thread.h. */
#define _GNU_SOURCE
#include "core/thread.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/session.h"

static struct thread *_Atomic threads[THREAD_MAX];
static const struct thread_user *_Atomic user; /* NULL: the session still begins */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool full;   /* all structures are taken, until a thread ends */
static _Atomic bool missed; /* they were so once */
static _Atomic uint32_t nadopted;

/* never allocates at the first touch, see tls.h */
static __thread struct {
	struct thread *thread;
	uint32_t session; /* the structures of earlier sessions are gone */
} self;

/* [handler] */
static void bind(struct thread *t)
{
	self.thread = t;
	self.session = session_number();
}

/* [handler] Ends an adoption that is done. False if it is not, or if another thread was faster. */
static bool unadopt(struct thread *t)
{
	uint32_t done = ADOPTION_DONE;

	if (!atomic_compare_exchange_strong_explicit(&t->adopted, &done, ADOPTION_NONE,
						     memory_order_acq_rel, memory_order_acquire))
		return false;
	atomic_fetch_sub_explicit(&nadopted, 1, memory_order_relaxed);
	return true;
}

/* [handler] The structure that the calling thread was given; NULL if there is none. */
static struct thread *find_own(void)
{
	int32_t tid = gettid();
	struct thread *t;

	for (uint32_t i = 0; (t = thread_at(i)); i++)
		if (atomic_load_explicit(&t->adopted, memory_order_acquire) == ADOPTION_DONE &&
		    t->tid == tid && unadopt(t)) {
			bind(t);
			return t;
		}
	return NULL;
}

struct thread *thread_known(void)
{
	struct thread *t = NULL;

	if (self.session == session_number())
		return self.thread;
	if (atomic_load_explicit(&nadopted, memory_order_relaxed))
		t = find_own();
	if (t)
		return t;
	/* a signal's handler on this thread may have found it meanwhile */
	atomic_signal_fence(memory_order_seq_cst);
	return self.session == session_number() ? self.thread : NULL;
}

struct thread *thread_at(uint32_t index)
{
	return index < THREAD_MAX ? atomic_load_explicit(&threads[index], memory_order_acquire)
				  : NULL;
}

bool thread_missed(void)
{
	return atomic_load_explicit(&missed, memory_order_relaxed);
}

void thread_set_user(const struct thread_user *u)
{
	atomic_store_explicit(&user, u, memory_order_release);
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
	/* nobody else has it yet */
	atomic_init(&t->timer, -1);
	for (int i = 0; i < WIRE_EVENTS; i++)
		atomic_init(&t->sampler[i], -1);
	t->jvmti_frames = memory_new(n, sizeof *t->jvmti_frames);
	t->frames = memory_new(n, sizeof *t->frames);
	t->machine_frames = memory_new(n, sizeof *t->machine_frames);
	t->asgct_frames = memory_new(n, sizeof *t->asgct_frames);
	t->handler_frames = memory_new(n, sizeof *t->handler_frames);
	if (t->jvmti_frames && t->frames && t->machine_frames && t->asgct_frames &&
	    t->handler_frames && atomic_load_explicit(&user, memory_order_acquire)->create(t))
		return t;
	discard(t);
	return NULL;
}

/* Relaxed: the caller holds the lock, under which alone structures are added. */
static struct thread *locked_at(uint32_t index)
{
	return index < THREAD_MAX ? atomic_load_explicit(&threads[index], memory_order_relaxed)
				  : NULL;
}

/* A free structure, or a new one, for this thread. The caller holds the lock. */
static struct thread *claim_locked(int32_t tid)
{
	struct thread *t = NULL;

	for (uint32_t i = 0; i < THREAD_MAX && !t; i++) {
		struct thread *there = locked_at(i);
		if (there && atomic_load_explicit(&there->used, memory_order_seq_cst))
			continue;
		t = there ? there : create(i);
		if (!t)
			break;
		t->tid = tid;
		atomic_store_explicit(&t->used, 1, memory_order_seq_cst);
		atomic_store_explicit(&threads[i], t, memory_order_release);
	}
	if (!t) {
		atomic_store_explicit(&full, true, memory_order_relaxed);
		atomic_store_explicit(&missed, true, memory_order_relaxed);
	}
	return t;
}

/* Whether a thread has a structure; `begun`: one that it will find. The caller holds the lock. */
static bool has_one(int32_t tid, bool begun)
{
	const struct thread *t;

	for (uint32_t i = 0; (t = locked_at(i)); i++)
		if (atomic_load_explicit(&t->used, memory_order_seq_cst) && t->tid == tid &&
		    (!begun || atomic_load_explicit(&t->adopted, memory_order_acquire)))
			return true;
	return false;
}

/* NULL also while the session begins: an event of the one before may come late. */
static struct thread *claim(int32_t tid)
{
	if (atomic_load_explicit(&full, memory_order_relaxed) ||
	    !atomic_load_explicit(&user, memory_order_acquire))
		return NULL;
	pthread_mutex_lock(&lock);
	struct thread *t = has_one(tid, true) ? NULL : claim_locked(tid);
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

static void prepare(struct thread *t, JNIEnv *jni, uintptr_t stack_high)
{
	atomic_store_explicit(&t->number, 0, memory_order_relaxed);
	t->named = t->carrier = false;
	t->jni = jni;
	t->stack_high = stack_high;
	t->random = ojx.config.seed ^ ((uint64_t)t->tid << 32) ^ now_ns();
	t->busy_candidates = 0;
}

struct thread *thread_self(JNIEnv *jni)
{
	struct thread *t = thread_known();

	if (t && t->jni != jni) { /* adopted for a thread that had the same number */
		t->jni = jni;
		t->stack_high = stack_end();
	}
	if (t)
		return t;
	t = claim(gettid());
	if (!t)
		return NULL;
	prepare(t, jni, stack_end());
	t->counted_ns = cpu_ns();
	bind(t); /* before the first signal */
	atomic_load_explicit(&user, memory_order_acquire)->begin(t);
	return t;
}

struct thread *thread_adopt(int32_t tid, JNIEnv *jni, uintptr_t stack_high)
{
	struct timespec cpu = { 0, 0 };

	pthread_mutex_lock(&lock);
	struct thread *t = has_one(tid, false) ? NULL : claim_locked(tid);
	if (t) {
		atomic_store_explicit(&t->adopted, ADOPTION_BEGUN, memory_order_release);
		prepare(t, jni, stack_high);
		clock_gettime(thread_clock(tid), &cpu);
		t->counted_ns = (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec;
	}
	pthread_mutex_unlock(&lock);
	if (!t)
		return NULL;
	atomic_load_explicit(&user, memory_order_acquire)
		->begin(t); /* first: its thread ends what it finds */
	atomic_fetch_add_explicit(&nadopted, 1, memory_order_relaxed);
	atomic_store_explicit(&t->adopted, ADOPTION_DONE, memory_order_release);
	return t;
}

static void give(struct thread *t)
{
	link_ring_release(&t->ring);
	atomic_store_explicit(&t->used, 0, memory_order_seq_cst);
	atomic_store_explicit(&full, false, memory_order_relaxed);
}

/* Frees the structures of adopted threads that have ended unnoticed. */
static void serve(const struct part_turn *turn)
{
	struct thread *t;

	(void)turn;
	for (uint32_t i = 0;
	     atomic_load_explicit(&nadopted, memory_order_relaxed) && (t = thread_at(i)); i++)
		if (atomic_load_explicit(&t->adopted, memory_order_acquire) == ADOPTION_DONE &&
		    syscall(SYS_tgkill, getpid(), t->tid, 0) != 0 && unadopt(t)) {
			atomic_load_explicit(&user, memory_order_acquire)->end(t);
			give(t);
		}
}

void thread_end(void)
{
	struct thread *t = thread_known();

	if (!t)
		return;
	if (t->named)
		thread_count_cpu(t, cpu_ns());
	atomic_load_explicit(&user, memory_order_acquire)->end(t);
	self.thread = NULL;
	give(t);
}

const struct part threads_part = { .name = "threads", .serve = serve };

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread.h - the agent's data of each operating-system thread that runs Java.
 *
 * Virtual threads have no structure; the carrier that runs one counts. Structures are recycled and
 * not freed before the session ends: a handler may still read one whose thread has ended.
 */
#ifndef OJX_THREAD_H
#define OJX_THREAD_H

#include "core/link.h"
#include "core/part.h"
#include "core/state.h"

#define THREAD_MAX	  WIRE_MOST_THREADS
#define INTRINSICS_FRAMES 3 /* most frames that are left out of a stack, see stacks.h */

struct watch_slot;

/* One frame as AsyncGetCallTrace writes it. */
struct asgct_frame {
	jint bci;
	jmethodID method;
};

#define MIRROR_BITS 6

/* A class that was seen in an epoch. */
struct mirror {
	uintptr_t at;
	uint64_t epoch;
	struct klass *klass;
};

/* A frame of the machine stack. */
struct machine_frame {
	uintptr_t pc;	 /* return address, or the bytecode of an interpreted method */
	uintptr_t blob;	 /* 0: interpreted */
	uint64_t method; /* interpreted */
	uint32_t id;	 /* of the compilation */
	uint32_t noted;	 /* see codeheap.h */
	bool native;
	bool entry; /* of a continuation */
};

/* Whether a structure's thread knows of it. */
enum adoption {
	ADOPTION_NONE, /* it does */
	ADOPTION_BEGUN,
	ADOPTION_DONE, /* it does not yet, but finds it */
};

struct thread {
	uint32_t index;
	int32_t tid;
	_Atomic uint16_t number; /* of its name, see threadname.h; 0: unknown */
	bool named;   /* final from the first sample on: many threads rename themselves at start */
	bool carrier; /* has run virtual threads: then all that it runs is theirs */
	/* taken by a living thread; seq_cst, see object_watch.h */
	_Atomic uint32_t used;
	_Atomic uint32_t adopted; /* enum adoption */
	JNIEnv *jni;		  /* for AsyncGetCallTrace */
	uintptr_t stack_high;	  /* end of its stack; 0: unknown */
	struct link_ring ring;
	uint64_t random;
	struct watch_slot *slots; /* WATCH_SLOTS of them, see slots.h */
	struct mirror mirrors[1 << MIRROR_BITS];
	uint64_t counted_ns;		  /* CPU time that ojx.program_ns already contains */
	_Atomic int timer;		  /* timer of the watches' deadline; -1: not open */
	_Atomic int sampler[WIRE_EVENTS]; /* handles of access samplers; -1: not open */
	void *sample_ring[WIRE_EVENTS];	  /* the kernel's ring buffers for them, or NULL */
	uint64_t sample_random;		  /* random numbers of its handler */
	uint8_t clock_times[WIRE_EVENTS]; /* factor of the clock's period */
	uint8_t clock_again[WIRE_EVENTS]; /* signals until the next draw */
	uint8_t left_out;		  /* of the current sample, see struct access */
	uint32_t busy_candidates;	  /* objects that found all slots armed, see watch.c */

	/* room for stacks: allocations, and handlers, which may interrupt them */
	jvmtiFrameInfo *jvmti_frames;
	struct wire_frame *frames;
	struct machine_frame *machine_frames;
	struct asgct_frame *asgct_frames;
	struct wire_frame *handler_frames;
	_Atomic bool in_handler;
};

/* What upper layers keep for threads. */
struct thread_user {
	bool (*create)(struct thread *t); /* once per structure; false when out of memory */
	/* A thread begins or ends; on that thread, unless it is being adopted. */
	void (*begin)(struct thread *t);
	void (*end)(struct thread *t);
};

/* To be called before the first thread_self. */
void thread_set_user(const struct thread_user *user);

/*
 * The calling thread's structure, created if missing; NULL when there are too many. Allocates: not
 * in handlers.
 */
struct thread *thread_self(JNIEnv *jni);

/*
 * Gives another thread a structure, which it finds when it needs it. The thread is older than the
 * agent. NULL if it has one, or if there are too many.
 */
struct thread *thread_adopt(int32_t tid, JNIEnv *jni, uintptr_t stack_high);

/* Frees the structures of adopted threads that have ended unnoticed. */
extern const struct part threads_part;

/* [handler] The calling thread's structure; NULL if it has none. */
struct thread *thread_known(void);

/* [handler] The structure with this index; NULL if out of range or never used. */
struct thread *thread_at(uint32_t index);

/* Whether there ever was a thread that found no structure. */
bool thread_missed(void);

/* [handler] Relaxed, as the next: nothing else is read because of it. */
static inline uint16_t thread_number(const struct thread *t)
{
	return atomic_load_explicit(&t->number, memory_order_relaxed);
}

/* [handler] */
static inline int thread_timer(const struct thread *t)
{
	return atomic_load_explicit(&t->timer, memory_order_relaxed);
}

/* [handler] The clock of a thread's CPU time, as the kernel numbers it. */
static inline clockid_t thread_clock(int32_t tid)
{
	return (clockid_t)(~(uint32_t)tid << 3 | 6);
}

/*
 * [handler] Adds the calling thread's CPU time up to `now` (cpu_ns) to the program's, of which the
 * budget is a share.
 */
static inline void thread_count_cpu(struct thread *t, uint64_t now)
{
	atomic_fetch_add_explicit(&ojx.program_ns, now - t->counted_ns, memory_order_relaxed);
	t->counted_ns = now;
}

/* Frees the calling thread's structure for reuse, with its ring and its watches. */
void thread_end(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread.h - what the agent keeps for each operating-system thread that runs Java.
 *
 * Virtual threads have none of their own: what counts is the carrier they run on. Structures are
 * recycled, never freed: a handler may still look at one whose thread is gone.
 */
#ifndef OJX_THREAD_H
#define OJX_THREAD_H

#include "core/link.h"
#include "core/state.h"

#define THREAD_MAX	  1024
#define INTRINSICS_FRAMES 3 /* that are left out of a stack, at most; see intrinsics.h */

struct watch_slot;

/* One frame as AsyncGetCallTrace writes it. */
struct asgct_frame {
	jint bci;
	jmethodID method;
};

#define MIRROR_BITS 6

/* A class that was met in an epoch. */
struct mirror {
	uintptr_t at;
	uint64_t epoch;
	struct klass *klass;
};

/* What a frame of the machine is known by. */
struct machine_frame {
	uintptr_t pc;	 /* return address, or the bytecode of an interpreted method */
	uintptr_t blob;	 /* 0: interpreted */
	uint64_t method; /* interpreted */
	uint32_t id;	 /* of the compilation */
	uint32_t noted;	 /* see codeheap.h */
	bool native;
};

struct thread {
	uint32_t index;
	int32_t tid;
	_Atomic uint16_t number; /* of its name, see threadname.h; 0: not known */
	bool named;   /* as of its first sample: many rename themselves when they begin */
	bool carrier; /* virtual threads were seen on it: then all that it runs is theirs */
	_Atomic uint32_t used; /* taken by a living thread */
	JNIEnv *jni;	       /* of the thread; for AsyncGetCallTrace */
	uintptr_t stack_high;  /* end of its stack; 0 unknown */
	struct link_ring ring;
	uint64_t random;
	double draw_interval;	  /* sampling interval in force when the next sample was drawn */
	struct watch_slot *slots; /* WATCH_SLOTS of them, see slots.h */
	struct mirror mirrors[1 << MIRROR_BITS];
	uint64_t counted_ns;		  /* of its CPU time, up to which ojx.program_ns has it */
	_Atomic int timer;		  /* event of the watches' deadline; -1: not open */
	_Atomic int sampler[WIRE_EVENTS]; /* handles of access samplers; -1: not open */
	void *sample_ring[WIRE_EVENTS];	  /* what the kernel writes for them; NULL: nothing */
	uint64_t sample_random;		  /* random numbers of its handler */
	uint8_t clock_times[WIRE_EVENTS]; /* by which the clock's period is longer than asked for */
	uint8_t clock_again[WIRE_EVENTS]; /* signals until it is drawn anew */
	uint8_t left_out;		  /* see struct access; of the sample in hand */
	uint32_t busy_candidates;	  /* objects that found all slots armed, see watch.c */

	/* room for stacks: allocations, and handlers, which may interrupt them */
	jvmtiFrameInfo *jvmti_frames;
	struct wire_frame *frames;
	struct machine_frame *machine_frames;
	struct asgct_frame *asgct_frames;
	struct wire_frame *handler_frames;
	_Atomic bool in_handler;
};

/* What upper floors keep for threads. */
struct thread_part {
	bool (*create)(struct thread *t); /* once for a structure; false where memory lacks */
	void (*begin)(struct thread *t);  /* a thread begins or ends; on that thread */
	void (*end)(struct thread *t);
};

/* Before the first thread is known. */
void thread_set_part(const struct thread_part *part);

/* The calling thread's structure, made when missing; NULL when there are too many. Not in handlers.
 */
struct thread *thread_self(JNIEnv *jni);

/* [handler] The calling thread's structure, NULL where it has none. */
struct thread *thread_known(void);

/* [handler] By index, NULL where out of range or never used. */
struct thread *thread_at(uint32_t index);

/* [handler] Adds the calling thread's CPU time up to `now` (cpu_ns) to what the budget is a share
 * of. */
static inline void thread_count_cpu(struct thread *t, uint64_t now)
{
	atomic_fetch_add_explicit(&ojx.program_ns, now - t->counted_ns, memory_order_relaxed);
	t->counted_ns = now;
}

/* Gives the calling thread's structure back: its ring, its watches. */
void thread_end(void);

#endif

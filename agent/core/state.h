/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state.h - the agent's own state, shared by its files. docs/architecture.md draws the whole.
 *
 * Rules, since this code runs inside somebody's production JVM:
 *  - It never ends, hangs or visibly changes the program. What fails is turned off, counted, and
 *    reported to the tool once. No exit, no abort, no assert.
 *  - Functions marked [handler] may run in a signal handler, those marked [pause] in a GC pause on
 *    the VM thread: no malloc, no locks, no JNI, no JVMTI, only async-signal-safe calls. What is
 *    marked [handler] may run in a pause, too.
 *  - The other functions run on a Java thread in a JVMTI callback, or on the service thread. They
 *    hold at most one lock, briefly, and call neither JNI nor JVMTI under it. Only the lock of
 *    memory.h may be taken under another one.
 *  - The address of an object is valid only in the epoch in which it was allocated: until the next
 *    GC start no collector moves it (docs/method.md).
 */
#ifndef OJX_STATE_H
#define OJX_STATE_H

#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "wire/wire.h"

struct agent {
	JavaVM *vm;
	jvmtiEnv *jvmti;
	void *dl;      /* libjvm.so, for its tables */
	bool attached; /* the JVM ran already: its threads do not stand still while we measure */

	/* link to the tool */
	int sock;
	int32_t tool; /* its pid, as this process sees it; 0: unknown */
	struct wire_shm *shm;
	unsigned char *base;	   /* shm as bytes; most is not accessible, see blocks.h */
	struct wire_layout layout; /* private copies, checked */
	struct wire_config config;
	struct wire_secret secret; /* of the hashes of contents */
	char gc[WIRE_TEXT];	   /* the collector's name */

	_Atomic uint32_t live; /* 1 while samples are taken */
	/*
	 * Odd inside a GC pause; epoch = gc_seq / 2. The pause changes it with seq_cst: in between
	 * the VM moves objects, which handlers read with plain loads. Readers acquire it
	 * (epoch_now), and look at it again behind a fence (epoch_is).
	 */
	_Atomic uint64_t gc_seq;
	/*
	 * Up to JDK 21 at least, Serial and Parallel collect for a heap dump without telling JVMTI.
	 * This is their own count of collections; NULL if unknown or not needed.
	 */
	const _Atomic uint32_t *collections;
	_Atomic uint64_t gc_time;  /* when the current epoch began, ns */
	_Atomic uint64_t epoch_ns; /* how long the one before took; 0: there was none */
	/* relaxed: set before there are samples */
	_Atomic bool moves_concurrently; /* Z, Shenandoah: survivors also move between pauses */
	bool stays; /* Serial, Parallel, G1: between pauses nothing moves, no address is reused */
	bool scan_on;
	/*
	 * These two end with seq_cst, and a fence before events_stop() looks for what is armed: who
	 * arms a slot or opens a sampler stores that with seq_cst and then looks here. One of the
	 * two sees the other.
	 */
	_Atomic bool watch_on;
	bool walks; /* stacks are walked in handlers, of traps or of sampled accesses */
	_Atomic bool sampling_on; /* accesses are sampled, with or without watches */
	uint64_t start_ns;
	uint64_t cpu_before_ns; /* CPU time of the process before the agent was attached; else 0 */
	_Atomic uint64_t
		program_ns; /* CPU time of the allocating threads up to their last samples */
};

extern struct agent ojx;

/* ---- time and chance ------------------------------------------------------------------- */

/* [handler] Monotonic time, ns. */
static inline uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/*
 * [handler] CPU time of the calling thread, ns: unlike now_ns, does not count the time of other
 * threads.
 */
static inline uint64_t cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* [handler] Next number of a splitmix64 sequence. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15u);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* [handler] Uniform in [0, n), n > 0 (the bias of the multiplication is below 2^-32). */
static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)random_next(state) * n) >> 64);
}

/*
 * [handler][pause] The epoch of a gc_seq. The lower half is its number, the upper half the count of
 * collections that came unannounced. Only the lower half goes to the tool.
 */
static inline uint64_t epoch_of(uint64_t seq)
{
	uint64_t n =
		ojx.collections ? atomic_load_explicit(ojx.collections, memory_order_acquire) : 0;
	return n << 32 | (seq >> 1 & UINT32_MAX);
}

/* [handler] The current epoch; UINT64_MAX inside a GC pause, where no address is valid. */
static inline uint64_t epoch_now(void)
{
	uint64_t seq = atomic_load_explicit(&ojx.gc_seq, memory_order_acquire);
	return seq & 1 ? UINT64_MAX : epoch_of(seq);
}

/* How long the present epoch takes, ns, by the one before and by what has passed of it. */
static inline uint64_t epoch_length(void)
{
	uint64_t before = atomic_load_explicit(&ojx.epoch_ns, memory_order_relaxed);
	uint64_t passed = now_ns() - atomic_load_explicit(&ojx.gc_time, memory_order_relaxed);

	return before > passed ? before : passed;
}

/* [handler] Whether `epoch` is still current. The caller's earlier loads come before this check. */
static inline bool epoch_is(uint64_t epoch)
{
	atomic_thread_fence(memory_order_acquire);
	return epoch_now() == epoch;
}

/*
 * [handler] The current address of a handle's object. Only for local handles: their slot is
 * 8-aligned and untagged in every JDK.
 */
static inline uintptr_t handle_address(jobject handle)
{
	uintptr_t slot = (uintptr_t)handle & ~(uintptr_t)7;

	/* the collector writes it at any time; who needs more than the address checks the epoch */
	return atomic_load_explicit((_Atomic uintptr_t *)slot, memory_order_relaxed);
}

/* [handler][pause] Counts what a full table refused (enum wire_limit). */
#define limit_reached(limit) status_add(refused[limit], 1)

#define status_add(counter, n) \
	atomic_fetch_add_explicit(&ojx.shm->status.counter, (n), memory_order_relaxed)

#endif

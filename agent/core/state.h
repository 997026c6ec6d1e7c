/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state.h - the agent's own state, shared by its files. docs/architecture.md draws the whole.
 *
 * Rules, since this code runs inside somebody's production JVM:
 *  - It never ends, hangs or visibly changes the program. What fails is turned off, counted, and
 * told to the tool once. No exit, no abort, no assert.
 *  - Functions marked [handler] run in a signal handler, those marked [pause] in a GC pause on the
 *    VM's thread: no malloc, no locks, no JNI, no JVMTI, nothing that is not async-signal-safe.
 *  - The other functions run on a Java thread in a JVMTI callback, or on the service thread. They
 *    hold at most one lock, briefly, and call neither JNI nor JVMTI under it.
 *  - An address of an object is good in its epoch only: between two GC starts nothing that was
 *    allocated there moves, with any collector (docs/method.md).
 */
#ifndef OJX_AGENT_H
#define OJX_AGENT_H

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
	void *dl; /* of libjvm.so, for its tables */

	/* link to the tool */
	int sock;
	struct wire_shm *shm;
	unsigned char *base;	   /* shm as bytes; most of it cannot be accessed, see blocks.h */
	struct wire_layout layout; /* private copies, checked */
	struct wire_config config;
	char gc[WIRE_TEXT]; /* the collector's name */

	_Atomic uint32_t live;	 /* 1 while samples are taken */
	_Atomic uint64_t gc_seq; /* odd inside a GC pause; epoch = gc_seq / 2 */
	/* Serial and Parallel collect for a heap dump without telling JVMTI (up to JDK 21 at
	 * least); their own count of collections tells. NULL where that is unknown or not needed.
	 */
	const _Atomic uint32_t *collections;
	_Atomic uint64_t gc_time;	 /* when the current epoch began, ns */
	_Atomic bool moves_concurrently; /* Z, Shenandoah: survivors move between pauses, too */
	bool stays; /* Serial, Parallel, G1: between pauses nothing moves, and no address is used
		       anew */
	bool scan_on;
	_Atomic bool watch_on;
	_Atomic bool sampling_on; /* accesses are sampled; that may need no watch */
	uint64_t start_ns;
	_Atomic uint64_t
		program_ns; /* CPU time of the threads that allocate, as of their last samples */
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

/* [handler] CPU time of the calling thread, ns: what something cost, whoever else wanted the
 * processor meanwhile. */
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
 * [handler][pause] The epoch that belongs to a gc_seq: its number, and above it the collections
 * that came unannounced. Only the lower half goes to the tool.
 */
static inline uint64_t epoch_of(uint64_t seq)
{
	uint64_t n =
		ojx.collections ? atomic_load_explicit(ojx.collections, memory_order_acquire) : 0;
	return n << 32 | (seq >> 1 & UINT32_MAX);
}

/* [handler] The epoch now, or UINT64_MAX inside a GC pause, where no address is good. */
static inline uint64_t epoch_now(void)
{
	uint64_t seq = atomic_load_explicit(&ojx.gc_seq, memory_order_acquire);
	return seq & 1 ? UINT64_MAX : epoch_of(seq);
}

/* [handler] Whether `epoch` is still the current one. Orders the loads before it. */
static inline bool epoch_is(uint64_t epoch)
{
	atomic_thread_fence(memory_order_acquire);
	return epoch_now() == epoch;
}

/*
 * [handler] The address a handle stands for at this moment. Only local handles are given to it:
 * their slot is 8-aligned and untagged in every JDK.
 */
static inline uintptr_t handle_address(jobject handle)
{
	return *(volatile uintptr_t *)((uintptr_t)handle & ~(uintptr_t)7);
}

#define status_add(counter, n) \
	atomic_fetch_add_explicit(&ojx.shm->status.counter, (n), memory_order_relaxed)

#endif

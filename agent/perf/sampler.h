/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampler.h - samples of memory accesses: their sources and their users.
 *
 * A sampler interrupts a thread with a signal (signals.h) and says which access to the heap the
 * signal is about. There are several samplers, and a recording may use more than one. Their only
 * differences for the rest of the agent are in `struct access`. To add a sampler, write the
 * functions of struct sampler and add a row to the table in sampler.c.
 */
#ifndef OJX_SAMPLER_H
#define OJX_SAMPLER_H

#include "core/part.h"
#include "perf/access.h"

struct thread;

struct sampler {
	/*
	 * Opens ojx.config.event[event] for the calling thread, stopped. -1, with a note, on
	 * failure.
	 */
	int (*open)(struct thread *t, uint32_t event);
	/* Starts and stops the sampler. */
	void (*start)(uint32_t event, int fd);
	void (*stop)(int fd);
	/* Closes the sampler; on its thread. */
	void (*close)(struct thread *t, uint32_t event, int fd);
	/*
	 * [handler] Handles one signal and prepares `t` for the next one. ucontext NULL: no access
	 * is wanted. Returns the number of accesses found, or SAMPLER_NOT_DECODED.
	 */
	unsigned (*find)(struct thread *t, uint32_t event, const void *ucontext,
			 struct access to[SAMPLER_ACCESSES]);
};

/* A user of samples. */
struct sampler_user {
	/* [handler] Gets the `n` >= 1 accesses of one interrupt of Java code. */
	void (*sample)(struct thread *t, const struct access *a, unsigned n);
	/*
	 * [handler] Gets an interrupt of code that is not decoded yet, so that its access is
	 * unknown. May be NULL.
	 */
	void (*unknown)(struct thread *t, const void *ucontext);
};

/*
 * Adds one of at most SAMPLER_USERS users, before the first thread_self. They get samples in this
 * order.
 */
#define SAMPLER_USERS 4
void sampler_add_user(const struct sampler_user *user);

/* Whether accesses are sampled even if nothing can be watched. */
bool sampler_wanted(void);

/* If accesses are sampled. Begins once ojx.watch_on is decided. */
extern const struct part sampler_part;

/* A thread begins or ends; on that thread. Does nothing if no accesses are sampled. */
void sampler_begin(struct thread *t);
void sampler_end(struct thread *t);

/*
 * Once all are stopped: closes another thread's samplers, except for those whose memory its handler
 * may be reading.
 */
void sampler_leave(struct thread *t);

/*
 * [handler] One of the calling thread's events has interrupted it. `ucontext` NULL: the stack has
 * too little room to evaluate it.
 */
void sampler_tick(struct thread *t, uint32_t event, const void *ucontext);

/*
 * [handler] The cost of an event's signal outside the handler, ns; 0: as much as that of a debug
 * register.
 */
uint64_t sampler_kernel_ns(uint32_t event);

/* Stops a thread's samplers. */
void sampler_stop(const struct thread *t);

#endif

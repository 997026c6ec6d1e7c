/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampler.h - samples of memory accesses: who takes them, and who gets them.
 *
 * A sampler interrupts a thread with a signal (signals.h) and says which access to the heap that is
 * about. There are several, and a recording may use more than one; the rest of the agent sees none
 * of their differences but those that `struct access` tells of. To add one, write the functions of
 * struct sampler and add a row to the table in sampler.c.
 */
#ifndef OJX_SAMPLER_H
#define OJX_SAMPLER_H

#include "perf/access.h"

struct thread;

struct sampler {
	/* Opens ojx.config.event[event] for the calling thread, not running; -1, with a note, where
	 * that fails. */
	int (*open)(struct thread *t, uint32_t event);
	/* Lets what open made run, or no more. */
	void (*start)(uint32_t event, int fd);
	void (*stop)(int fd);
	/* Closes what open made; on the thread. */
	void (*close)(struct thread *t, uint32_t event, int fd);
	/*
	 * [handler] One signal has come; sets `t` up for the next one.
	 * ucontext NULL: nothing more is wanted. Returns how many accesses it found, or
	 * SAMPLER_NOT_DECODED.
	 */
	unsigned (*find)(struct thread *t, uint32_t event, const void *ucontext,
			 struct access to[SAMPLER_ACCESSES]);
};

/* Who gets samples. */
struct sampler_user {
	/* [handler] Of one interrupt of Java code `n` accesses, at least one. */
	void (*sample)(struct thread *t, const struct access *a, unsigned n);
	/* [handler] The code was never met, so that it is not known what it accesses; NULL: it does
	 * not matter. */
	void (*unknown)(struct thread *t, const void *ucontext);
};

/* Adds one of at most SAMPLER_USERS; before the first thread is known. They get samples in this
 * order. */
#define SAMPLER_USERS 4
void sampler_add_user(const struct sampler_user *user);

/* Whether accesses are to be sampled also where nothing can be watched. */
bool sampler_wanted(void);

/* At start, if accesses are to be sampled. */
void sampler_init(void);

/* Service thread: ojx.watch_on is decided; has the handler there, and lets all samplers run. */
void sampler_start_all(void);

/* A thread begins or ends; on that thread. Does nothing where no access is to be sampled. */
void sampler_begin(struct thread *t);
void sampler_end(struct thread *t);

/* Once all are stopped: closes what another thread's samplers have open, but for memory that its
 * handler may be reading. */
void sampler_leave(struct thread *t);

/* [handler] The calling thread was interrupted by one of its events. `ucontext` NULL: there is no
 * room to look at it. */
void sampler_tick(struct thread *t, uint32_t event, const void *ucontext);

/* [handler] What a signal of an event costs outside of the handler, ns; 0: as much as that of a
 * register. */
uint64_t sampler_kernel_ns(uint32_t event);

/* No more interrupts of a thread. */
void sampler_stop(const struct thread *t);

#endif

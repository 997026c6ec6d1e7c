/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampler.h - samples of memory accesses: who takes them, and who gets them.
 *
 * A sampler interrupts a thread with a signal (signals.h) and says which access to the heap that is about. There are several, and a
 * recording may use more than one; the rest of the agent sees none of their differences but those that `struct access` tells
 * of. To add one, write the functions of struct sampler and add a row to the table in sampler.c.
 */
#ifndef OJX_SAMPLER_H
#define OJX_SAMPLER_H

#include "code/decode.h"
#include "core/state.h"

struct thread;
struct vmstructs;

/* One sampled access to the heap. What is not known is 0. */
struct access {
	uintptr_t address; /* of its first byte; exact for all that comes true, see `past` */
	uint64_t ip, end;  /* of the accessing instruction, and of the one behind it */
	/* the address register's value, if it is an address of the heap: mostly, but not always, the object's start */
	uintptr_t object;
	uint64_t data_src; /* PERF_SAMPLE_DATA_SRC */
	uint32_t latency;  /* PERF_SAMPLE_WEIGHT, cycles */
	int32_t cpu;	   /* where it ran; -1 not known */
	uint16_t flags;	   /* wire_access_flags */
	uint8_t size;	   /* bytes */
	uint8_t floating;  /* bytes of a floating-point number that is moved; 0: it is none */
	uint8_t kind;	   /* enum access_kind */
	uint8_t left_out;  /* samples that it stands for besides itself */
	/* It has happened. If not, it is what comes next if the code runs on as expected: the clock expects conditional jumps not
	 * to be taken; a watch on the address finds out. */
	bool past;
	const void *ucontext; /* of the interrupted thread */
};

/* What a sampler can offer of one interrupt: the next load and the next store. The first in the program's order is first. */
#define SAMPLER_ACCESSES 2

#define SAMPLER_NOT_DECODED UINT32_MAX /* instead of their number: the code was never met */

struct sampler {
	/* Opens ojx.config.event[event] for the calling thread, not running; -1, with a note, where that fails. */
	int (*open)(struct thread *t, uint32_t event);
	/* Lets what open made run, or no more. */
	void (*start)(uint32_t event, int fd);
	void (*stop)(int fd);
	/* Closes what open made; on the thread. */
	void (*close)(struct thread *t, uint32_t event, int fd);
	/*
	 * [handler] One signal has come; sets `t` up for the next one.
	 * ucontext NULL: nothing more is wanted. Returns how many accesses it found, or SAMPLER_NOT_DECODED.
	 */
	unsigned (*find)(struct thread *t, uint32_t event, const void *ucontext,
			 struct access to[SAMPLER_ACCESSES]);
};

/* Whether accesses are to be sampled also where nothing can be watched. */
bool sampler_wanted(void);

/* Where code and heap are; at start. */
void sampler_init(const struct vmstructs *vm);

/* Service thread: ojx.watch_on is decided; has the handler there, and lets all samplers run. */
void sampler_start_all(void);

/* A thread begins or ends; on that thread. Does nothing where no access is to be sampled. */
void sampler_begin(struct thread *t);
void sampler_end(struct thread *t);

/* Once all are stopped: closes what another thread's samplers have open, but for memory that its handler may be reading. */
void sampler_leave(struct thread *t);

/* [handler] The calling thread was interrupted by one of its events. `ucontext` NULL: there is no room to look at it. */
void sampler_tick(struct thread *t, uint32_t event, const void *ucontext);

/* [handler] What a signal of an event costs outside of the handler, ns; 0: as much as that of a register. */
uint64_t sampler_kernel_ns(uint32_t event);

/* No more interrupts of a thread. */
void sampler_stop(const struct thread *t);

/* [handler] Whether it is in compiled code, the interpreter or a stub. */
bool sampler_in_code(uint64_t ip);

/* [handler] Whether bytes can be of the heap. */
bool sampler_in_heap(uintptr_t address, size_t size);

#endif

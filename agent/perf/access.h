/* SPDX-License-Identifier: Apache-2.0 */
/* access.h - an access to the heap, as samplers find it. */
#ifndef OJX_ACCESS_H
#define OJX_ACCESS_H

#include "code/decode.h"
#include "core/state.h"

struct thread;

/* One sampled access to the heap. What is not known is 0. */
struct access {
	uintptr_t address; /* of its first byte; exact for all that comes true, see `past` */
	uint64_t ip, end;  /* of the accessing instruction, and of the one behind it */
	/*
	 * the address register's value, if it is an address of the heap: mostly, but not always,
	 * the object's start
	 */
	uintptr_t object;
	uint64_t data_src; /* PERF_SAMPLE_DATA_SRC */
	uint32_t latency;  /* PERF_SAMPLE_WEIGHT, cycles */
	int32_t cpu;	   /* where it ran; -1 not known */
	uint16_t flags;	   /* wire_access_flags */
	uint8_t size;	   /* bytes */
	uint8_t floating;  /* bytes of a floating-point number that is moved; 0: it is none */
	uint8_t kind;	   /* enum access_kind */
	uint8_t left_out;  /* samples that it stands for besides itself */
	/*
	 * It has happened. If not, it is what comes next if the code runs on as expected: the clock
	 * expects conditional jumps not to be taken; a watch on the address finds out.
	 */
	bool past;
	const void *ucontext; /* of the interrupted thread */
};

/*
 * What a sampler can offer of one interrupt: the next load and the next store. The first in the
 * program's order is first.
 */
#define SAMPLER_ACCESSES 2

#define SAMPLER_NOT_DECODED UINT32_MAX /* instead of their number: the code was never met */

/*
 * [handler] Its stack, as an id (walk.h): as if it had just trapped, where it is known which
 * instruction it was.
 */
uint32_t access_stack(struct thread *t, const struct access *a);

#endif

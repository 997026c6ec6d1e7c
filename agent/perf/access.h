/* SPDX-License-Identifier: Apache-2.0 */
/* access.h - a sampled access to the heap. */
#ifndef OJX_ACCESS_H
#define OJX_ACCESS_H

#include "code/decode.h"
#include "core/state.h"

struct thread;

/* One sampled access to the heap. Unknown items are 0. */
struct access {
	uintptr_t address; /* of its first byte; exact if the access takes place, see `past` */
	uint64_t ip, end;  /* of the accessing instruction, and of the next one */
	/*
	 * the value of the address register, if it is in the heap: mostly, but not always, the
	 * object's start
	 */
	uintptr_t object;
	uint64_t data_src; /* PERF_SAMPLE_DATA_SRC */
	uint32_t latency;  /* PERF_SAMPLE_WEIGHT, cycles */
	int32_t cpu;	   /* processor; -1: unknown */
	uint16_t flags;	   /* wire_access_flags */
	uint8_t size;	   /* bytes */
	uint8_t floating;  /* bytes of a floating-point number; 0: other data */
	uint8_t kind;	   /* enum access_kind */
	uint8_t left_out;  /* samples that it represents besides itself */
	/*
	 * Whether it was drawn from all accesses of its kind in the loop, each as likely. Otherwise
	 * it is the one at which the interrupt fell.
	 */
	bool drawn;
	int32_t stride; /* what an iteration adds to `address`; 0: nothing, or not known */
	/*
	 * Whether the access has happened. Otherwise it is the next one on the expected path of the
	 * code (code_path.h); only a watch on the address tells whether it takes place.
	 */
	bool past;
	const void *ucontext; /* of the interrupted thread */
};

/*
 * The accesses that a sampler finds at one interrupt: a load and a store. The first one is the
 * sample of those who do not choose a kind.
 */
#define SAMPLER_ACCESSES 2

#define SAMPLER_NOT_DECODED UINT32_MAX /* in place of their number: the code is not decoded yet */

/*
 * [handler] The id (walk.h) of its stack. If the instruction is known and is about to run, the
 * stack is as if it had just trapped; otherwise it is that of the interrupt.
 */
uint32_t access_stack(struct thread *t, const struct access *a);

#endif

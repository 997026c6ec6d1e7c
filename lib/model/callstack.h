/* SPDX-License-Identifier: Apache-2.0 */
/*
 * callstack.h - resolved stacks: frames with names, compared by what a reader sees of them.
 */
#ifndef OJX_CALLSTACK_H
#define OJX_CALLSTACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

struct callstack {
	struct model_frame *frames; /* innermost first; the texts belong to the model */
	size_t n;
	unsigned flags; /* wire_stack_flags */
};

/* A value that is equal for equal texts; 128 bits, so that it may stand for them. */
struct callstack_hash {
	uint64_t high, low;
};

/* Resolves stack `id` of a JVM. 0, or -1 where memory lacks. Release with callstack_release. */
int callstack_resolve(struct callstack *stack, const struct model *m, uint32_t jvm, uint32_t id);
void callstack_release(struct callstack *stack);
/* How many frames callstack_resolve would give. */
size_t callstack_length(const struct model *m, uint32_t jvm, uint32_t id);

/*
 * Hash of the `max` innermost frames (class, method, line, folds) and of `seed`; whether the
 * stack is cut counts where it is shown whole.
 */
struct callstack_hash callstack_hash(const struct callstack *stack, size_t max, uint64_t seed);

/*
 * The same for the stacks of a model, without resolving each of them. Hashes of
 * stacks of one hasher are comparable with each other alone.
 */
struct callstack_frames {
	struct callstack_hash *hash; /* by number of the frame; 0: not found out yet */
	size_t n;
};

struct callstack_hasher {
	const struct model *model;
	struct callstack_frames *frames; /* by JVM less one */
	size_t njvms;
};

/* The model must outlive it. End with callstack_hasher_end. */
void callstack_hasher_begin(struct callstack_hasher *h, const struct model *m);
/* 0, or -1 where memory lacks. */
int callstack_hasher_hash(struct callstack_hasher *h, uint32_t jvm, uint32_t id, size_t max,
			  uint64_t seed, struct callstack_hash *hash);
/* The same of one frame of a stack, 0..; of a stack that does not have it, of none. */
int callstack_hasher_frame(struct callstack_hasher *h, uint32_t jvm, uint32_t id, size_t frame,
			   uint64_t seed, struct callstack_hash *hash);
void callstack_hasher_end(struct callstack_hasher *h);

/* Less than, equal to or greater than 0, in some order that is always the same. */
int callstack_hash_compare(const struct callstack_hash *a, const struct callstack_hash *b);

/* Whether all frames are of the JDK, as of javac or of the threads of its HTTP client. */
bool callstack_in_jdk(const struct callstack *stack);
/*
 * The innermost frame that is no part of the JDK or, where all are, none of its core: what a reader
 * could change. A lambda's class is the JVM's. stack->n where there is none.
 */
size_t callstack_application(const struct callstack *stack);

/* What that rests on, frame by frame: whose code it is. The innermost frame without the first, or
 * else without the second. */
enum callstack_home { CALLSTACK_JDK = 1 << 0, CALLSTACK_CORE = 1 << 1 };
unsigned callstack_home(const struct model_frame *frame);

#endif

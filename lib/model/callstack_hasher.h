/* SPDX-License-Identifier: Apache-2.0 */
/*
 * callstack_hasher.h - hashes of the stacks of a model as callstack_hash makes them, without
 * resolving each stack. Hashes are comparable only within one hasher. Memory is as xmalloc.h says.
 */
#ifndef OJX_CALLSTACK_HASHER_H
#define OJX_CALLSTACK_HASHER_H

#include <stddef.h>
#include <stdint.h>

#include "model/callstack.h"

struct callstack_frames {
	struct callstack_hash *hash; /* by number of the frame; 0: not computed yet */
	size_t n;
};

struct callstack_hasher {
	const struct model *model;
	struct callstack_frames *frames; /* by JVM - 1 */
	size_t njvms;
};

/* The model must outlive it. Release with callstack_hasher_end. */
void callstack_hasher_begin(struct callstack_hasher *h, const struct model *m);

/* Of at most `max` frames, from the innermost on, and of what `seed` stands for. */
struct callstack_hash callstack_hasher_hash(struct callstack_hasher *h, uint32_t jvm, uint32_t id,
					    size_t max, uint64_t seed);

/*
 * The same for one frame of a stack, from 0; if the stack has no such frame, the hash of no frame.
 */
struct callstack_hash callstack_hasher_frame(struct callstack_hasher *h, uint32_t jvm, uint32_t id,
					     size_t frame, uint64_t seed);
void callstack_hasher_end(struct callstack_hasher *h);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frames.h - numbers the frames of one JVM's stacks.
 *
 * A hundred thousand stacks have millions of frames, of which some thousand are different. A stack
 * of numbers takes a quarter of the memory, and a frame is analysed only once.
 */
#ifndef OJX_FRAMES_H
#define OJX_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"
#include "wire/wire.h"

struct frames {
	struct wire_frame *frame; /* by number */
	uint32_t n, room;
	struct idmap numbers; /* number + 1, by hash */
};

/* Most bytes that a new frame takes, without reserves. */
#define FRAMES_COST (sizeof(struct wire_frame) + 2 * sizeof(struct idmap_slot))

/* Returns the number of a frame; gives it one if it is new. 0, or -1 if out of memory. */
int frames_number(struct frames *f, const struct wire_frame *frame, uint32_t *number);
void frames_release(struct frames *f);

#endif

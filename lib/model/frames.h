/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frames.h - the frames of one JVM's stacks by number.
 *
 * A hundred thousand stacks have millions of frames, of which some thousand are different. A stack
 * that holds numbers takes a quarter of the room, and what is found out of a frame is found out
 * once.
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
	struct idmap numbers; /* plus one, by hash */
};

/* Bytes that a new frame takes at most, but for what is held in reserve. */
#define FRAMES_COST (sizeof(struct wire_frame) + 2 * sizeof(struct idmap_slot))

/* The number of a frame, a new one where it has none yet. 0, or -1 where memory lacks. */
int frames_number(struct frames *f, const struct wire_frame *frame, uint32_t *number);
void frames_release(struct frames *f);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* frames.c - see frames.h. Open addressing, never more than half full: probes stay short, and end. */
#include "model/frames.h"

#include <errno.h>
#include <stdlib.h>

#include "base/idmap.h"

#define FIRST_ROOM 256u
#define MOST_ROOM  (1u << 30)

static size_t hash_of(const struct wire_frame *frame)
{
	return idmap_hash(frame->method ^ (uint64_t)(uint32_t)frame->bci << 40);
}

/* The slot that holds the frame, or the free one where it belongs. */
static uint32_t *find(const struct frames *f, const struct wire_frame *frame)
{
	for (size_t i = hash_of(frame);; i++) {
		uint32_t *slot = &f->slots[i & f->mask];
		if (*slot == 0 || (f->frame[*slot - 1].method == frame->method &&
				   f->frame[*slot - 1].bci == frame->bci))
			return slot;
	}
}

static int grow(struct frames *f)
{
	uint32_t room = f->room ? 2 * f->room : FIRST_ROOM;

	if (room > MOST_ROOM) {
		errno = ENOMEM;
		return -1;
	}
	struct wire_frame *frame = realloc(f->frame, room * sizeof *frame);
	if (!frame)
		return -1;
	f->frame = frame;
	uint32_t *slots = calloc(2 * (size_t)room, sizeof *slots);
	if (!slots)
		return -1;
	free(f->slots);
	f->slots = slots;
	f->mask = 2 * room - 1;
	f->room = room;
	for (uint32_t i = 0; i < f->n; i++)
		*find(f, &f->frame[i]) = i + 1;
	return 0;
}

int frames_number(struct frames *f, const struct wire_frame *frame, uint32_t *number)
{
	if (f->n == f->room && grow(f) < 0)
		return -1;
	uint32_t *slot = find(f, frame);
	if (*slot == 0) {
		f->frame[f->n++] = *frame;
		*slot = f->n;
	}
	*number = *slot - 1;
	return 0;
}

void frames_release(struct frames *f)
{
	free(f->frame);
	free(f->slots);
	*f = (struct frames){ 0 };
}

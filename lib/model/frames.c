/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frames.c - see frames.h. If two frames have the same hash, the later one is found under the next
 * number.
 */
#include "model/frames.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/idmap.h"
#define FIRST_ROOM 256u

static uint64_t hash_of(const struct wire_frame *frame)
{
	return idmap_hash(frame->method ^ (uint64_t)(uint32_t)frame->bci << 40);
}

int frames_number(struct frames *f, const struct wire_frame *frame, uint32_t *number)
{
	uint64_t key = hash_of(frame);
	uintptr_t found; /* the number plus one */

	for (; (found = (uintptr_t)idmap_get(&f->numbers, key)); key++) {
		const struct wire_frame *known = &f->frame[found - 1];
		*number = (uint32_t)found - 1;
		if (known->method == frame->method && known->bci == frame->bci)
			return 0;
	}
	if (!GROW(f->frame, f->n, f->room, FIRST_ROOM) ||
	    idmap_put(&f->numbers, key, (void *)(uintptr_t)(f->n + 1)) < 0)
		return -1;
	*number = f->n;
	f->frame[f->n++] = *frame;
	return 0;
}

void frames_release(struct frames *f)
{
	free(f->frame);
	idmap_release(&f->numbers);
	*f = (struct frames){ 0 };
}

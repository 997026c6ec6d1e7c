/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numbering.h - numbers for things that a file describes once and mentions many times. They are 0,
 * 1, 2... in the order of first mention, so that each thing is described when it is first
 * mentioned.
 *
 * A thing is identified by its 128-bit hash alone.
 */
#ifndef OJX_NUMBERING_H
#define OJX_NUMBERING_H

#include <stdbool.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/arena.h"
#include "base/idmap.h"

struct numbering {
	struct idmap map; /* keyed by the lower half of the hash, or the next free key */
	struct arena arena;
	uint32_t n; /* things that have numbers */
};
#define NUMBERING_INIT \
	{              \
		.n = 0 \
	}

/*
 * Returns the number of the thing with this hash; *is_new: the number is new. 0, or -1 if out of
 * memory.
 */
int numbering_of(struct numbering *t, XXH128_hash_t hash, uint32_t *number, bool *is_new);
void numbering_release(struct numbering *t);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numbering.h - numbers for things that a file mentions many times and describes once: 0, 1, 2...
 * in the order in which they are first met, so that they can be described as they are met.
 *
 * Of a thing only its hash is kept, of 128 bits, which may stand for it.
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
	struct idmap map; /* by the hash's lower half, or the next key that is free */
	struct arena arena;
	uint32_t n; /* things numbered */
};
#define NUMBERING_INIT \
	{              \
		.n = 0 \
	}

/* The number of what has this hash; *is_new: it had none. 0, or -1 where memory lacks. */
int numbering_of(struct numbering *t, XXH128_hash_t hash, uint32_t *number, bool *is_new);
void numbering_release(struct numbering *t);

#endif

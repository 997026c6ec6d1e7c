/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena.h - an allocator of small pieces that are all freed together.
 *
 * Pieces are cut from large blocks and are aligned to 8 bytes.
 */
#ifndef OJX_ARENA_H
#define OJX_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/xmalloc.h"

struct arena_block;

struct arena {
	struct arena_block *blocks;
	unsigned char *next; /* free part of the newest block */
	size_t left;
	uint64_t used;	/* bytes handed out */
	uint64_t limit; /* of `used`; 0: none */
};

/*
 * Returns `n` bytes, uninitialised. NULL with ENOMEM if out of memory or if the limit is reached.
 */
void *arena_alloc(struct arena *a, size_t n);
/* Returns a copy of `len` bytes of text, with a zero byte behind them; NULL as arena_alloc does. */
char *arena_text(struct arena *a, const char *text, size_t len);
/* Counts `n` bytes that lie elsewhere towards the limit. -1 with ENOMEM if the limit is reached. */
int arena_charge(struct arena *a, size_t n);

/*
 * Makes room for element `n` in the array `items` of the arena, which has room for `room` elements,
 * a uint32_t; both are variables. Each array has room for twice as many as the one before, whose
 * memory is not used again. True, or false if out of memory; then both variables are unchanged.
 */
#define ARENA_GROW(arena, items, n, room)                                                 \
	({                                                                                \
		void *grow_items = arena_grow(arena, items, n, &(room), sizeof *(items)); \
		if (grow_items)                                                           \
			(items) = grow_items;                                             \
		grow_items != NULL;                                                       \
	})
void *arena_grow(struct arena *a, const void *items, size_t n, uint32_t *room, size_t size);

/* The same for reports (xmalloc.h), in an arena without a limit. */
static inline void *xarena_alloc(struct arena *a, size_t n)
{
	return xgiven(arena_alloc(a, n));
}

static inline char *xarena_text(struct arena *a, const char *text, size_t len)
{
	return xgiven(arena_text(a, text, len));
}

void arena_release(struct arena *a);
/* Like arena_release, but keeps a block for reuse. */
void arena_reuse(struct arena *a);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena.h - memory for many small things that live as long as their owner.
 *
 * Pieces are cut from large blocks, are aligned to 8 bytes and are released all together.
 */
#ifndef OJX_ARENA_H
#define OJX_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena_block;

struct arena {
	struct arena_block *blocks;
	unsigned char *next; /* free part of the newest block */
	size_t left;
	uint64_t used;	/* bytes handed out */
	uint64_t limit; /* of `used`; 0: none */
};

/* `n` bytes, uninitialised; NULL with ENOMEM where memory lacks or the limit is reached. */
void *arena_alloc(struct arena *a, size_t n);
/* Counts `n` bytes that lie elsewhere towards the limit; -1 with ENOMEM where it is reached. */
int arena_charge(struct arena *a, size_t n);
void arena_release(struct arena *a);
/* The same, but keeps a block for what comes next. */
void arena_reuse(struct arena *a);

#endif

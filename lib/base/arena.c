/* SPDX-License-Identifier: Apache-2.0 */
/* arena.c - see arena.h. */
#include "base/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES (256u << 10)

struct arena_block {
	struct arena_block *older;
	size_t bytes;
	uint64_t data[];
};

static int add_block(struct arena *a, size_t n)
{
	struct arena_block *b = malloc(sizeof *b + n);

	if (!b)
		return -1;
	b->older = a->blocks;
	b->bytes = n;
	a->blocks = b;
	a->next = (unsigned char *)b->data;
	a->left = n;
	return 0;
}

int arena_charge(struct arena *a, size_t n)
{
	if (n > SIZE_MAX / 2 || (a->limit && n > a->limit - a->used)) {
		errno = ENOMEM;
		return -1;
	}
	a->used += n;
	return 0;
}

void *arena_alloc(struct arena *a, size_t n)
{
	if (n <= SIZE_MAX / 2)
		n = (n + 7) & ~(size_t)7;
	if (arena_charge(a, n) < 0)
		return NULL;
	if (n > a->left && add_block(a, n > BLOCK_BYTES ? n : BLOCK_BYTES) < 0)
		return NULL;
	void *p = a->next;
	a->next += n;
	a->left -= n;
	return p;
}

char *arena_text(struct arena *a, const char *text, size_t len)
{
	char *copy = arena_alloc(a, len + 1);

	if (!copy)
		return NULL;
	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

void *arena_grow(struct arena *a, const void *items, size_t n, uint32_t *room, size_t size)
{
	if (n < *room)
		return (void *)items;
	uint32_t more = *room ? 2 * *room : 1;
	void *moved = arena_alloc(a, more * size);
	if (!moved)
		return NULL;
	if (n)
		memcpy(moved, items, n * size);
	*room = more;
	return moved;
}

void arena_release(struct arena *a)
{
	while (a->blocks) {
		struct arena_block *b = a->blocks;
		a->blocks = b->older;
		free(b);
	}
	*a = (struct arena){ .limit = a->limit };
}

void arena_reuse(struct arena *a)
{
	struct arena_block *kept = a->blocks;

	if (!kept)
		return;
	a->blocks = kept->older;
	arena_release(a);
	kept->older = NULL;
	*a = (struct arena){ .blocks = kept,
			     .next = (unsigned char *)kept->data,
			     .left = kept->bytes,
			     .limit = a->limit };
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.c - see memory.h. Each piece is a member of a list. Large pieces have a mapping of their
 * own, so that the kernel gets their pages back.
 */
#include "core/memory.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "core/state.h"

#define LARGE (128u << 10) /* bytes */

struct piece {
	alignas(64) struct piece *next;
	struct piece **link; /* what points to this piece */
	size_t mapped;	     /* bytes; 0: from malloc */
};

static struct piece *pieces;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct piece *obtain(size_t bytes)
{
	if (bytes < LARGE) {
		struct piece *p =
			aligned_alloc(alignof(struct piece), (bytes + alignof(struct piece) - 1) &
								     ~(alignof(struct piece) - 1));
		if (p)
			__builtin_memset(p, 0, bytes);
		return p;
	}
	struct piece *p =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	p->mapped = bytes;
	return p;
}

static void release(struct piece *p)
{
	if (p->mapped)
		munmap(p, p->mapped);
	else
		free(p);
}

void *memory_new(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes) ||
	    __builtin_add_overflow(bytes, sizeof(struct piece), &bytes) ||
	    bytes > SIZE_MAX - alignof(struct piece))
		return NULL;
	struct piece *p = obtain(bytes);
	if (!p) {
		if (ojx.shm)
			limit_reached(WIRE_LIMIT_MEMORY);
		return NULL;
	}
	pthread_mutex_lock(&lock);
	p->next = pieces;
	p->link = &pieces;
	if (pieces)
		pieces->link = &p->next;
	pieces = p;
	pthread_mutex_unlock(&lock);
	return p + 1;
}

void memory_free(void *memory)
{
	struct piece *p = memory;

	if (!p--)
		return;
	pthread_mutex_lock(&lock);
	*p->link = p->next;
	if (p->next)
		p->next->link = p->link;
	pthread_mutex_unlock(&lock);
	release(p);
}

void memory_free_all(void)
{
	struct piece *next;

	for (struct piece *p = pieces; p; p = next) {
		next = p->next;
		release(p);
	}
	pieces = NULL;
}

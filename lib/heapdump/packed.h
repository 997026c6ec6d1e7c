/* SPDX-License-Identifier: Apache-2.0 */
/*
 * packed.h - arrays of whole numbers, each of as few bytes as the largest one needs. For arrays of
 * so many numbers that memory counts more than the bytes' order, which is the processor's.
 */
#ifndef OJX_PACKED_H
#define OJX_PACKED_H

#include <stdint.h>
#include <string.h>

#include "base/big.h"

struct packed {
	unsigned char *bytes;
	unsigned width; /* of a number */
	uint64_t mask;
};

/*
 * Room for `n` numbers of at most `most`, uninitialised. Free `bytes`. It ends as xmalloc.h says.
 */
static inline void packed_make(struct packed *p, size_t n, uint64_t most)
{
	unsigned width = 1;

	while (width < 8 && most >> 8 * width)
		width++;
	p->width = width;
	p->mask = UINT64_MAX >> (64 - 8 * width);
	/* packed_get reads 8 bytes, of the last number too */
	p->bytes = xgiven(n < SIZE_MAX / 8 - 1 ? big_alloc(n * width + 8, 1) : NULL);
}

static inline uint64_t packed_get(const struct packed *p, size_t i)
{
	uint64_t v;

	memcpy(&v, p->bytes + i * p->width, sizeof v);
	return v & p->mask;
}

/* Writes no byte of other numbers, so threads may set different ones. */
static inline void packed_set(const struct packed *p, size_t i, uint64_t v)
{
	unsigned char *to = p->bytes + i * p->width;

	for (unsigned k = 0; k < p->width; k++)
		to[k] = (unsigned char)(v >> 8 * k);
}

#endif

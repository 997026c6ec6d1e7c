/* SPDX-License-Identifier: Apache-2.0 */
/* bits.h - sets of numbers: a bit for each, in an array of bytes. */
#ifndef OJX_BITS_H
#define OJX_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the bits from 0 to `n`. */
static inline size_t bits_bytes(size_t n)
{
	return n / 8 + 1;
}

static inline bool bits_has(const unsigned char *bits, size_t i)
{
	return bits[i / 8] >> i % 8 & 1;
}

static inline void bits_set(unsigned char *bits, size_t i)
{
	bits[i / 8] |= (unsigned char)(1u << i % 8);
}

static inline void bits_clear(unsigned char *bits, size_t i)
{
	bits[i / 8] &= (unsigned char)~(1u << i % 8);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bytes.h - bytes of a file that are put together in memory, because what precedes them depends on
 * them: a length, an offset.
 *
 * Check `failed` once at the end: it is set if out of memory.
 */
#ifndef OJX_BYTES_H
#define OJX_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
	unsigned char *data;
	size_t len, cap;
	bool failed;
};
#define BYTES_INIT       \
	{                \
		.len = 0 \
	}

/* Empties it, but keeps its memory for what comes next. */
void bytes_clear(struct bytes *b);
void bytes_release(struct bytes *b);

/* Makes room for `n` more bytes and returns where they belong; NULL if out of memory. */
unsigned char *bytes_reserve(struct bytes *b, size_t n);

/* Adds `n` bytes; `data` may be NULL if there are none. */
void bytes_add(struct bytes *b, const void *data, size_t n);

/* Adds what another holds, and whether it failed. */
void bytes_append(struct bytes *b, const struct bytes *more);

#endif

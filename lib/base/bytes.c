/* SPDX-License-Identifier: Apache-2.0 */
/* bytes.c - see bytes.h. */
#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

void bytes_clear(struct bytes *b)
{
	b->len = 0;
	b->failed = false;
}

void bytes_release(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes)BYTES_INIT;
}

unsigned char *bytes_reserve(struct bytes *b, size_t n)
{
	if (n > b->cap - b->len) {
		size_t cap = 2 * b->cap + n + 64;
		unsigned char *bigger = b->failed ? NULL : realloc(b->data, cap);
		if (!bigger) {
			b->failed = true;
			return NULL;
		}
		b->data = bigger;
		b->cap = cap;
	}
	return b->data + b->len;
}

void bytes_add(struct bytes *b, const void *data, size_t n)
{
	unsigned char *to = bytes_reserve(b, n);

	if (to && n) {
		memcpy(to, data, n);
		b->len += n;
	}
}

void bytes_append(struct bytes *b, const struct bytes *more)
{
	bytes_add(b, more->data, more->len);
	b->failed |= more->failed;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* bytes.c - see bytes.h. */
#define ZLIB_CONST 1

#include "base/bytes.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/xmalloc.h"

/* ---- zlib writes a header without time and name, so the same data gives the same file. */

enum {
	GZIP_WINDOW = MAX_WBITS + 16, /* 16: with gzip's header and trailer */
	MEMORY_LEVEL = 8,	      /* zlib's default */
	BLOCK = 32 * 1024,
};

struct gzip {
	z_stream stream;
	FILE *out;
	unsigned char block[BLOCK];
};

struct gzip *gzip_new(FILE *out)
{
	struct gzip *z = xcalloc(1, sizeof *z);

	z->out = out;
	if (deflateInit2(&z->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		out_of_memory();
	return z;
}

/* Compresses the input of the stream until all of it is consumed. */
static int compress_input(struct gzip *z, int flush)
{
	do {
		z->stream.next_out = z->block;
		z->stream.avail_out = sizeof z->block;
		if (deflate(&z->stream, flush) == Z_STREAM_ERROR) {
			errno = EINVAL;
			return -1;
		}
		size_t n = sizeof z->block - z->stream.avail_out;
		if (fwrite(z->block, 1, n, z->out) != n)
			return -1;
	} while (z->stream.avail_out == 0);
	return 0;
}

int gzip_write(struct gzip *z, const void *data, size_t len)
{
	const unsigned char *from = data;

	while (len > 0) {
		uInt n = len < UINT_MAX ? (uInt)len : UINT_MAX;
		z->stream.next_in = from;
		z->stream.avail_in = n;
		if (compress_input(z, Z_NO_FLUSH) < 0)
			return -1;
		from += n;
		len -= n;
	}
	return 0;
}

int gzip_finish(struct gzip *z)
{
	z->stream.next_in = NULL;
	z->stream.avail_in = 0;
	int result = compress_input(z, Z_FINISH);
	int error = errno;
	gzip_abandon(z);
	errno = error;
	return result;
}

void gzip_abandon(struct gzip *z)
{
	deflateEnd(&z->stream);
	free(z);
}

enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_LEN = 2 };
enum { VARINT_MAX = 10 }; /* bytes of a 64-bit number, 7 bits in each */

static void put_varint(struct bytes *p, uint64_t value)
{
	unsigned char *to = bytes_reserve(p, VARINT_MAX);

	for (; value >= 0x80; value >>= 7) {
		*to++ = (unsigned char)(value | 0x80);
		p->len++;
	}
	*to = (unsigned char)value;
	p->len++;
}

void proto_number(struct bytes *p, unsigned field, int64_t value)
{
	if (value == 0)
		return;
	put_varint(p, field << 3 | WIRE_VARINT);
	put_varint(p, (uint64_t)value);
}

void proto_fixed64(struct bytes *p, unsigned field, uint64_t value)
{
	if (value == 0)
		return;
	put_varint(p, field << 3 | WIRE_FIXED64);
	bytes_add(p, &value, sizeof value); /* little-endian, as every machine ojx runs on */
}

void proto_text(struct bytes *p, unsigned field, const void *text, size_t len)
{
	put_varint(p, field << 3 | WIRE_LEN);
	put_varint(p, len);
	bytes_add(p, text, len);
}

void proto_message(struct bytes *p, unsigned field, const struct bytes *inner)
{
	proto_text(p, field, inner->data, inner->len);
}

void proto_packed(struct bytes *content, int64_t value)
{
	put_varint(content, (uint64_t)value);
}

void bytes_clear(struct bytes *b)
{
	b->len = 0;
}

void bytes_release(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes)BYTES_INIT;
}

unsigned char *bytes_reserve(struct bytes *b, size_t n)
{
	if (n > b->cap - b->len) {
		b->cap = 2 * b->cap + n + 64;
		b->data = xrealloc(b->data, b->cap);
	}
	return b->data + b->len;
}

void bytes_add(struct bytes *b, const void *data, size_t n)
{
	unsigned char *to = bytes_reserve(b, n);

	if (n)
		memcpy(to, data, n);
	b->len += n;
}

void bytes_append(struct bytes *b, const struct bytes *more)
{
	bytes_add(b, more->data, more->len);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gzip.c - see gzip.h. zlib writes a header without time and name, so the same data gives the same
 * file.
 */
#include "base/gzip.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#define ZLIB_CONST 1
#include <zlib.h>

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
	struct gzip *z = calloc(1, sizeof *z);

	if (!z)
		return NULL;
	z->out = out;
	if (deflateInit2(&z->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK) {
		free(z);
		errno = ENOMEM;
		return NULL;
	}
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

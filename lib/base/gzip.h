/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gzip.h - a stream written through gzip. zlib's own gzopen wants a file descriptor, which a stream
 * in memory has not.
 */
#ifndef OJX_GZIP_H
#define OJX_GZIP_H

#include <stddef.h>
#include <stdio.h>

struct gzip;

/* Begins; the compressed data goes to `out`, which stays the caller's. NULL where memory lacks. */
struct gzip *gzip_new(FILE *out);

/* 0, or -1 with errno. */
int gzip_write(struct gzip *z, const void *data, size_t len);

/* Writes what is left, and frees. 0, or -1 with errno. */
int gzip_finish(struct gzip *z);

/* Frees without ending the data; for after an error. */
void gzip_abandon(struct gzip *z);

#endif

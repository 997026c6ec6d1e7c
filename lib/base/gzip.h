/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gzip.h - writes gzip to a FILE. zlib's gzopen needs a file descriptor, which a stream in memory
 * does not have.
 */
#ifndef OJX_GZIP_H
#define OJX_GZIP_H

#include <stddef.h>
#include <stdio.h>

struct gzip;

/* Begins. The compressed data goes to `out`, which the caller keeps. NULL if out of memory. */
struct gzip *gzip_new(FILE *out);

/* 0, or -1 with errno. */
int gzip_write(struct gzip *z, const void *data, size_t len);

/* Writes the rest and frees. 0, or -1 with errno. */
int gzip_finish(struct gzip *z);

/* Frees without writing the end of the data; for use after an error. */
void gzip_abandon(struct gzip *z);

#endif

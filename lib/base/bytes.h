/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bytes.h - bytes of a file that are put together in memory, because what precedes them depends on
 * them: a length, an offset. They are for reports (xmalloc.h).
 */
#ifndef OJX_BYTES_H
#define OJX_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct bytes {
	unsigned char *data;
	size_t len, cap;
};
#define BYTES_INIT       \
	{                \
		.len = 0 \
	}

/* Empties it, but keeps its memory for what comes next. */
void bytes_clear(struct bytes *b);
void bytes_release(struct bytes *b);

/* Makes room for `n` more bytes and returns where they belong. */
unsigned char *bytes_reserve(struct bytes *b, size_t n);

/* Adds `n` bytes; `data` may be NULL if there are none. */
void bytes_add(struct bytes *b, const void *data, size_t n);

/* Adds what another holds. */
void bytes_append(struct bytes *b, const struct bytes *more);

/*
 * ---- writes messages in the wire format of Protocol Buffers: numbers (varints), texts and
 * nested messages. A message's length precedes it, so each message is built in memory.
 */

/* Adds a number as the given field. 0 is the default of every field and adds nothing. */
void proto_number(struct bytes *p, unsigned field, int64_t value);

/* Adds a number of eight bytes; 0 adds nothing. */
void proto_fixed64(struct bytes *p, unsigned field, uint64_t value);

/* Add bytes, or a message, as the given field. */
void proto_text(struct bytes *p, unsigned field, const void *text, size_t len);
void proto_message(struct bytes *p, unsigned field, const struct bytes *inner);

/* Adds an element to the content of a packed field; proto_message then adds that content. */
void proto_packed(struct bytes *content, int64_t value);

/*
 * ---- writes gzip to a FILE. zlib's gzopen needs a file descriptor, which a stream in memory
 * does not have.
 */

struct gzip;

/* Begins. The compressed data goes to `out`, which the caller keeps. */
struct gzip *gzip_new(FILE *out);

/* 0, or -1 with errno. */
int gzip_write(struct gzip *z, const void *data, size_t len);

/* Writes the rest and frees. 0, or -1 with errno. */
int gzip_finish(struct gzip *z);

/* Frees without writing the end of the data; for use after an error. */
void gzip_abandon(struct gzip *z);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* datafile_again.c - see datafile_again.h. One call of pread for each chunk, which brings the next one's header. */
#include "file/datafile_again.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/datafile_private.h"

struct again {
	const struct datafile_again *file;
	uint64_t offset; /* of what comes after the buffer */
	uint64_t left;	 /* records */
	unsigned char *buffer;
	size_t room;
	int (*take)(uint32_t jvm, const struct wire_rec *const *recs, size_t n, void *arg);
	void *arg;
};

/* Reads `len` bytes: 1; 0 where the file ends before; -1 with errno. */
static int read_more(struct again *a, size_t len)
{
	size_t got = 0;

	if (len > a->room) {
		unsigned char *bigger = realloc(a->buffer, len);
		if (!bigger)
			return -1;
		a->buffer = bigger;
		a->room = len;
	}
	while (got < len) {
		ssize_t n =
			pread(a->file->fd, a->buffer + got, len - got, (off_t)(a->offset + got));
		if (n < 0 && errno != EINTR)
			return -1;
		if (n == 0)
			break;
		got += n > 0 ? (size_t)n : 0;
	}
	a->offset += got;
	return got == len;
}

/* Hands out the records of a chunk: 1; 0 after the last one of all; -1. */
static int deliver(struct again *a, const struct file_chunk *c)
{
	const struct wire_rec *recs[DATAFILE_BLOCK];
	const unsigned char *p = a->buffer;

	for (uint32_t left = c->len; left > 0;) {
		size_t n = datafile_block(p, left, recs);
		if (n > a->left)
			n = (size_t)a->left;
		if (n == 0)
			return 0;
		if (a->take(c->jvm, recs, n, a->arg) < 0)
			return -1;
		a->left -= n;
		for (size_t i = 0; i < n; i++) {
			p += recs[i]->len;
			left -= recs[i]->len;
		}
	}
	return 1;
}

/* The chunk whose header is `c`, which then becomes that of the next: 1; 0 where there is none; -1. */
static int next_chunk(struct again *a, struct file_chunk *c)
{
	if (a->left == 0 || c->magic != DATAFILE_CHUNK_MAGIC || c->len > DATAFILE_MAX_CHUNK)
		return 0;
	uint64_t end = a->offset + c->len;
	int more = read_more(a, c->len + sizeof *c);
	if (more < 0 || a->offset < end) /* cut short meanwhile */
		return more < 0 ? -1 : 0;
	int result = deliver(a, c);
	memcpy(c, a->buffer + c->len, sizeof *c);
	return result > 0 ? more : result;
}

int datafile_read_again(const struct datafile_again *again,
			int (*take)(uint32_t jvm, const struct wire_rec *const *recs, size_t n,
				    void *arg),
			void *arg)
{
	struct again a = {
		.file = again,
		.offset = sizeof(struct file_header),
		.left = again->records,
		.take = take,
		.arg = arg,
	};
	struct file_chunk c;
	int result = read_more(&a, sizeof c);

	if (result > 0)
		memcpy(&c, a.buffer, sizeof c);
	while (result > 0)
		result = next_chunk(&a, &c);
	int saved = errno;
	free(a.buffer);
	errno = saved;
	return result;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile_read.c - reading ojx.data.
 *
 * Plain read(), since a mapping of a file that somebody cuts short ends in SIGBUS, and since a
 * pipe can then be read, too. One chunk at a time is in memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/datafile.h"
#include "file/datafile_private.h"

#define MAX_GUESSES 64 /* checksums tried on what might be a chunk */

struct reader {
	int fd;
	size_t room;	      /* bytes of `chunk` */
	unsigned char *chunk; /* a struct file_chunk and its payload */
	void (*ahead)(uint32_t jvm, const struct wire_rec *const *recs, size_t n, void *arg);
	int (*take)(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		    void *arg);
	void *arg;
};

/* Reads up to `len` bytes; fewer only at the end. -1 with errno. */
static ssize_t read_all(int fd, void *data, size_t len)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = read(fd, (unsigned char *)data + got, len - got);
		if (n == 0)
			break;
		if (n > 0) {
			got += (size_t)n;
		} else if (errno == EAGAIN) { /* a standard input somebody made non-blocking */
			struct pollfd wait = { .fd = fd, .events = POLLIN };
			poll(&wait, 1, -1);
		} else if (errno != EINTR) {
			return -1;
		}
	}
	return (ssize_t)got;
}

static bool all_zero(const unsigned char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (p[i])
			return false;
	return true;
}

static bool plausible(const struct file_chunk *c)
{
	return c->magic == DATAFILE_CHUNK_MAGIC && c->len > 0 && c->len <= DATAFILE_MAX_CHUNK &&
	       c->len % WIRE_ALIGN == 0;
}

static bool checksum_ok(const unsigned char *chunk)
{
	struct file_chunk c;

	memcpy(&c, chunk, sizeof c);
	return datafile_checksum(chunk) == c.checksum;
}

/*
 * Whether there is a good chunk among `len` bytes. Tells a length that was damaged, so that it
 * took in what follows, from a file that ends early.
 */
static bool holds_chunk(const unsigned char *p, size_t len)
{
	int guesses = 0;
	struct file_chunk c;

	for (size_t at = 0; at + sizeof c <= len && guesses < MAX_GUESSES; at += WIRE_ALIGN) {
		memcpy(&c, p + at, sizeof c);
		if (!plausible(&c) || c.len > len - at - sizeof c)
			continue;
		if (checksum_ok(p + at))
			return true;
		guesses++;
	}
	return false;
}

/*
 * What a chunk header that is none means. A crash of the machine may leave zeros at the end of a
 * file, where its data had not reached the disk.
 */
static enum datafile_result judge_header(struct reader *r)
{
	unsigned char rest[4096];
	ssize_t n;

	if (!all_zero(r->chunk, sizeof(struct file_chunk)))
		return DATAFILE_DAMAGED;
	while ((n = read_all(r->fd, rest, sizeof rest)) > 0)
		if (!all_zero(rest, (size_t)n))
			return DATAFILE_DAMAGED;
	return n < 0 ? DATAFILE_ERRNO : DATAFILE_TRUNCATED;
}

/* What a payload of which `len` bytes are there, but whose checksum is wrong, means. */
static enum datafile_result judge_payload(struct reader *r, size_t len)
{
	unsigned char more;
	ssize_t n = read_all(r->fd, &more, 1);

	if (n < 0)
		return DATAFILE_ERRNO;
	if (n > 0 || holds_chunk(r->chunk + sizeof(struct file_chunk), len))
		return DATAFILE_DAMAGED;
	return DATAFILE_TRUNCATED;
}

static int make_room(struct reader *r, size_t bytes)
{
	if (bytes <= r->room)
		return 0;
	unsigned char *bigger = realloc(r->chunk, bytes);
	if (!bigger)
		return -1;
	r->chunk = bigger;
	r->room = bytes;
	return 0;
}

/* Reads the next chunk and checks it; *end where there is none. */
static enum datafile_result next_chunk(struct reader *r, struct file_chunk *c, bool *end)
{
	ssize_t n = read_all(r->fd, r->chunk, sizeof *c);

	*end = n == 0;
	if (n < 0)
		return DATAFILE_ERRNO;
	if (n == 0)
		return DATAFILE_OK;
	if (n < (ssize_t)sizeof *c)
		return DATAFILE_TRUNCATED;
	memcpy(c, r->chunk, sizeof *c);
	if (!plausible(c))
		return judge_header(r);
	if (make_room(r, sizeof *c + c->len) < 0)
		return DATAFILE_ERRNO;
	n = read_all(r->fd, r->chunk + sizeof *c, c->len);
	if (n < 0)
		return DATAFILE_ERRNO;
	if (n < (ssize_t)c->len || !checksum_ok(r->chunk))
		return judge_payload(r, (size_t)n);
	return DATAFILE_OK;
}

/* Hands out the records of the chunk in memory. */
static enum datafile_result deliver(const struct reader *r, const struct file_chunk *c)
{
	const struct wire_rec *recs[DATAFILE_BLOCK];
	const unsigned char *p = r->chunk + sizeof *c;

	for (uint32_t left = c->len; left > 0;) {
		size_t n = datafile_block(p, left, recs);
		if (n == 0)
			return DATAFILE_DAMAGED;
		if (r->ahead)
			r->ahead(c->jvm, recs, n, r->arg);
		for (size_t i = 0; i < n; i++) {
			if (r->take(c->jvm, c->time_ns, recs[i], recs[i]->len, r->arg) < 0)
				return DATAFILE_DAMAGED;
			p += recs[i]->len;
			left -= recs[i]->len;
		}
	}
	return DATAFILE_OK;
}

/* Reads the header; *end where it is all that can be read. */
static enum datafile_result read_header(int fd, struct file_header *h, bool *end)
{
	static const char magic[sizeof h->magic] = DATAFILE_MAGIC;
	ssize_t n;

	memset(h, 0, sizeof *h);
	n = read_all(fd, h, sizeof *h);
	*end = n < (ssize_t)sizeof *h;
	if (n < 0)
		return DATAFILE_ERRNO;
	if (n == 0)
		return DATAFILE_EMPTY;
	if (memcmp(h->magic, magic, *end && n < (ssize_t)sizeof magic ? (size_t)n : sizeof magic))
		return DATAFILE_FOREIGN;
	if (*end) {
		memset(h, 0, sizeof *h);
		return DATAFILE_TRUNCATED;
	}
	if (h->version > DATAFILE_VERSION || h->wire_version > OJX_WIRE_VERSION)
		return DATAFILE_NEWER;
	return h->version == 0 || h->wire_version == 0 ? DATAFILE_DAMAGED : DATAFILE_OK;
}

static enum datafile_result read_file(struct reader *r, struct file_header *header,
				      uint64_t *end_ns)
{
	struct file_chunk c;
	bool end;
	enum datafile_result result = read_header(r->fd, header, &end);

	if (result == DATAFILE_OK && make_room(r, sizeof c) < 0)
		result = DATAFILE_ERRNO;
	while (result == DATAFILE_OK) {
		result = next_chunk(r, &c, &end);
		if (result != DATAFILE_OK || end)
			break;
		*end_ns = c.time_ns;
		result = deliver(r, &c);
	}
	return result;
}

enum datafile_result datafile_read_ahead(
	const char *path, struct file_header *header, uint64_t *end_ns,
	void (*ahead)(uint32_t jvm, const struct wire_rec *const *recs, size_t n, void *arg),
	int (*take)(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		    void *arg),
	void *arg)
{
	bool own_fd = strcmp(path, "-") != 0;
	struct reader r = {
		.fd = own_fd ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO,
		.ahead = ahead,
		.take = take,
		.arg = arg,
	};

	*end_ns = 0;
	memset(header, 0, sizeof *header);
	if (r.fd < 0)
		return DATAFILE_ERRNO;
	enum datafile_result result = read_file(&r, header, end_ns);
	int saved = errno;
	free(r.chunk);
	if (own_fd)
		close(r.fd);
	errno = saved;
	return result;
}

enum datafile_result datafile_read(const char *path, struct file_header *header, uint64_t *end_ns,
				   int (*take)(uint32_t jvm, uint64_t time_ns,
					       const struct wire_rec *rec, uint32_t len, void *arg),
				   void *arg)
{
	return datafile_read_ahead(path, header, end_ns, NULL, take, arg);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile_follow.c - see datafile_follow.h. Unlike datafile_read.c this takes whatever is
 * incomplete at the end for something that is still to come: whether it does is known when the
 * writer has ended.
 */
#define _GNU_SOURCE 1 /* F_OFD_SETLK */
#include "file/datafile_follow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/datafile_private.h"

int follow_open(struct follow *f, const char *path)
{
	/* of the open file, not of the process: whoever else reads it here may close it */
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

	*f = (struct follow){ .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
	if (f->fd < 0)
		return -1;
	/* without it everything works, with older figures */
	if (fcntl(f->fd, F_OFD_SETLK, &lock) < 0)
		errno = 0;
	return 0;
}

void follow_close(struct follow *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->chunk);
	*f = (struct follow){ .fd = -1 };
}

void follow_rewind(struct follow *f)
{
	if (f->offset)
		f->offset = sizeof f->header;
	f->end_ns = 0;
}

/* All of `len` bytes at `offset`: 1; 0 where the file ends before; -1 with errno. */
static int read_at(const struct follow *f, void *data, size_t len, uint64_t offset)
{
	size_t got = 0;

	while (got < len) {
		ssize_t n = pread(f->fd, (char *)data + got, len - got, (off_t)(offset + got));
		if (n == 0)
			return 0;
		if (n > 0)
			got += (size_t)n;
		else if (errno != EINTR)
			return -1;
	}
	return 1;
}

static int fail(int error)
{
	errno = error;
	return -1;
}

static int read_header(struct follow *f)
{
	static const char magic[sizeof f->header.magic] = DATAFILE_MAGIC;
	int n = read_at(f, &f->header, sizeof f->header, 0);

	if (n <= 0)
		return n;
	if (memcmp(f->header.magic, magic, sizeof magic) != 0)
		return fail(EILSEQ);
	if (f->header.version > DATAFILE_VERSION || f->header.wire_version > OJX_WIRE_VERSION)
		return fail(ENOTSUP);
	f->offset = sizeof f->header;
	return 1;
}

static int make_room(struct follow *f, size_t bytes)
{
	if (bytes <= f->room)
		return 0;
	unsigned char *bigger = realloc(f->chunk, bytes);
	if (!bigger)
		return -1;
	f->chunk = bigger;
	f->room = bytes;
	return 0;
}

/* Whether the file has more than this chunk, so that the chunk is all there will be of it. */
static bool is_followed(const struct follow *f, const struct file_chunk *c)
{
	unsigned char byte;

	return read_at(f, &byte, 1, f->offset + sizeof *c + c->len) == 1;
}

/* Reads the next chunk: 1; 0 where it is not there yet; -1 with errno. */
static int next_chunk(struct follow *f, struct file_chunk *c)
{
	int n = read_at(f, c, sizeof *c, f->offset);

	if (n <= 0)
		return n;
	if (c->magic != DATAFILE_CHUNK_MAGIC || c->len == 0 || c->len > DATAFILE_MAX_CHUNK ||
	    c->len % WIRE_ALIGN)
		return fail(EBADMSG);
	if (make_room(f, sizeof *c + c->len) < 0)
		return -1;
	n = read_at(f, f->chunk, sizeof *c + c->len, f->offset);
	if (n <= 0)
		return n;
	if (datafile_checksum(f->chunk) == c->checksum)
		return 1;
	return is_followed(f, c) ? fail(EBADMSG) : 0;
}

static int deliver(const struct follow *f, const struct file_chunk *c,
		   int (*take)(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec,
			       uint32_t len, void *arg),
		   void *arg)
{
	const unsigned char *p = f->chunk + sizeof *c;
	uint32_t left = c->len;

	while (left > 0) {
		const struct wire_rec *rec = (const struct wire_rec *)p;
		uint32_t len = rec->len;
		if (len < sizeof *rec || len % WIRE_ALIGN || len > left)
			return fail(EBADMSG);
		if (take(c->jvm, c->time_ns, rec, len, arg) < 0)
			return -1;
		p += len;
		left -= len;
	}
	return 0;
}

int follow_step(struct follow *f,
		int (*take)(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec,
			    uint32_t len, void *arg),
		void *arg)
{
	struct file_chunk c;
	int chunks = 0, n = 1;

	if (f->offset == 0)
		n = read_header(f);
	while (n > 0 && (n = next_chunk(f, &c)) > 0) {
		f->end_ns = c.time_ns;
		if (deliver(f, &c, take, arg) < 0)
			return -1;
		f->offset += sizeof c + c.len;
		chunks++;
	}
	return n < 0 ? -1 : chunks;
}

/* ---- copying ------------------------------------------------------------------------------- */

static int write_at(int fd, const void *data, size_t len, uint64_t offset)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n =
			pwrite(fd, (const char *)data + done, len - done, (off_t)(offset + done));
		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			return -1;
	}
	return 0;
}

/* A chunk that says that the recording ends here, while the program goes on. */
static int write_end(const struct follow *f, int fd)
{
	struct {
		struct file_chunk chunk;
		struct file_end end;
	} last = { .chunk = { .magic = DATAFILE_CHUNK_MAGIC,
			      .time_ns = f->end_ns,
			      .len = sizeof(struct file_end) } };

	last.end.rec.len = sizeof last.end;
	atomic_store_explicit(&last.end.rec.type, FILE_END, memory_order_relaxed);
	last.end.duration_ns = f->end_ns;
	last.end.wait_status = -1;
	last.chunk.checksum = datafile_checksum((const unsigned char *)&last);
	return write_at(fd, &last, sizeof last, f->offset);
}

static int copy_into(const struct follow *f, int fd)
{
	char buffer[1 << 16];

	for (uint64_t at = 0; at < f->offset;) {
		size_t len = f->offset - at < sizeof buffer ? f->offset - at : sizeof buffer;
		int n = read_at(f, buffer, len, at);
		if (n == 0)
			errno = EIO; /* somebody cut it */
		if (n <= 0 || write_at(fd, buffer, len, at) < 0)
			return -1;
		at += len;
	}
	return 0;
}

int follow_copy(const struct follow *f, const char *path, bool ended)
{
	/* it moves an older recording aside; its header is then replaced by the one that is copied */
	struct datafile_writer *w = datafile_create(path);

	if (!w || datafile_close(w) < 0)
		return -1;
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	int result = copy_into(f, fd);
	if (result == 0 && !ended)
		result = write_end(f, fd);
	int saved = errno;
	if (close(fd) < 0 && result == 0)
		return -1;
	errno = saved;
	return result;
}

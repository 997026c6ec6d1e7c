/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile_follow.c - see datafile_follow.h. Unlike datafile_read.c, this file assumes that
 * anything incomplete at the end is still being written. Whether that is so is known when the
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

#include "wire/wire_file.h"

int follow_open(struct follow *f, const char *path)
{
	/*
	 * a lock of the open file, not of the process: other code that reads the file may close it
	 */
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

	*f = (struct follow){ .chunks.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
	if (f->chunks.fd < 0)
		return -1;
	/* without the lock everything works, but figures are older */
	if (fcntl(f->chunks.fd, F_OFD_SETLK, &lock) < 0)
		errno = 0;
	return 0;
}

void follow_close(struct follow *f)
{
	if (f->chunks.fd >= 0)
		close(f->chunks.fd);
	chunks_release(&f->chunks);
	*f = (struct follow){ .chunks.fd = -1 };
}

void follow_rewind(struct follow *f)
{
	if (f->chunks.offset)
		f->chunks.offset = sizeof f->header;
	f->end_ns = 0;
}

static int fail(int error)
{
	errno = error;
	return -1;
}

/* 1; 0 if the header is not there yet; -1 with errno. */
static int read_header(struct follow *f)
{
	ssize_t n = datafile_read_at(f->chunks.fd, &f->header, sizeof f->header, 0);

	if (n < (ssize_t)sizeof f->header)
		return n < 0 ? -1 : 0;
	enum datafile_result result = datafile_judge_header(&f->header, sizeof f->header);
	if (result == DATAFILE_FOREIGN)
		return fail(EILSEQ);
	if (result == DATAFILE_OTHER_VERSION)
		return fail(ENOTSUP);
	if (result != DATAFILE_OK)
		return fail(EBADMSG);
	f->chunks.offset = sizeof f->header;
	return 1;
}

/* Whether the file continues behind this chunk, so the chunk will not grow. */
static bool is_followed(const struct follow *f, const struct file_chunk *c)
{
	unsigned char byte;

	return datafile_read_at(f->chunks.fd, &byte, 1, f->chunks.offset + sizeof *c + c->len) == 1;
}

/* Reads the next chunk: 1; 0 if it is not there yet; -1 with errno. */
static int next_chunk(struct follow *f, struct file_chunk *c)
{
	size_t got;

	switch (chunks_read(&f->chunks, c, &got)) {
	case CHUNKS_WHOLE:
		return 1;
	case CHUNKS_END:
	case CHUNKS_CUT:
		return 0;
	case CHUNKS_DAMAGED:
		return is_followed(f, c) ? fail(EBADMSG) : 0;
	case CHUNKS_NONE:
		return fail(EBADMSG);
	default:
		return -1;
	}
}

int follow_step(struct follow *f, datafile_take *take, void *arg)
{
	struct file_chunk c;
	int chunks = 0, n = 1;

	if (f->chunks.offset == 0)
		n = read_header(f);
	while (n > 0 && (n = next_chunk(f, &c)) > 0) {
		f->end_ns = c.time_ns;
		const unsigned char *records = chunks_unpack(&f->chunks, &c);
		if (!records || chunks_deliver(&c, records, take, arg) < 0)
			return -1;
		chunks_skip(&f->chunks, &c);
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

/* Writes a chunk that ends the copy here, although the program goes on. */
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
	last.chunk.checksum = wire_checksum((const unsigned char *)&last);
	return write_at(fd, &last, sizeof last, f->chunks.offset);
}

static int copy_into(const struct follow *f, int fd)
{
	char buffer[1 << 16];

	for (uint64_t at = 0; at < f->chunks.offset;) {
		size_t len = f->chunks.offset - at < sizeof buffer ? f->chunks.offset - at
								   : sizeof buffer;
		ssize_t n = datafile_read_at(f->chunks.fd, buffer, len, at);
		if (n >= 0 && n < (ssize_t)len) {
			errno = EIO; /* the file was cut */
			return -1;
		}
		if (n < 0 || write_at(fd, buffer, len, at) < 0)
			return -1;
		at += len;
	}
	return 0;
}

int follow_copy(const struct follow *f, const char *path, bool ended)
{
	/* this moves an older recording aside; its header is then replaced by the copied one */
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

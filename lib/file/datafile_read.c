/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile_read.c - reads ojx.data as a whole, and judges files that end early or are damaged. A
 * few chunks at a time are in memory (datafile_ahead.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "file/datafile.h"
#include "file/datafile_ahead.h"
#include "file/datafile_chunks.h"
#include "wire/wire_checksum.h"

#define MAX_GUESSES 64 /* checksums tried on possible chunks */

enum datafile_result datafile_judge_header(const struct file_header *h, size_t len)
{
	static const char magic[sizeof h->magic] = DATAFILE_MAGIC;

	if (len == 0)
		return DATAFILE_EMPTY;
	if (memcmp(h->magic, magic, len < sizeof magic ? len : sizeof magic) != 0)
		return DATAFILE_FOREIGN;
	if (len < sizeof *h)
		return DATAFILE_TRUNCATED;
	if (h->version > DATAFILE_VERSION || h->wire_version > OJX_WIRE_VERSION)
		return DATAFILE_NEWER;
	return h->version == 0 || h->wire_version == 0 ? DATAFILE_DAMAGED : DATAFILE_OK;
}

/* ---- a whole file ---------------------------------------------------------------------- */

static bool all_zero(const unsigned char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (p[i])
			return false;
	return true;
}

/*
 * Whether there is a valid chunk among `len` bytes. It distinguishes a damaged length, which
 * swallowed the chunks that follow, from a file that ends early.
 */
static bool holds_chunk(const unsigned char *p, size_t len)
{
	int guesses = 0;
	struct file_chunk c;

	for (size_t at = 0; at + sizeof c <= len && guesses < MAX_GUESSES; at += WIRE_ALIGN) {
		memcpy(&c, p + at, sizeof c);
		if (!chunks_is_plausible(&c) || c.len > len - at - sizeof c)
			continue;
		if (wire_checksum(p + at) == c.checksum)
			return true;
		guesses++;
	}
	return false;
}

/*
 * Judges a chunk header that is none. After a crash of the machine, a file may end in zeros where
 * data had not reached the disk.
 */
static enum datafile_result judge_none(const struct chunks *f)
{
	uint64_t offset = f->offset + sizeof(struct file_chunk);
	unsigned char rest[4096];
	ssize_t n;

	if (!all_zero(f->bytes, sizeof(struct file_chunk)))
		return DATAFILE_DAMAGED;
	for (; (n = datafile_read_at(f->fd, rest, sizeof rest, offset)) > 0; offset += (size_t)n)
		if (!all_zero(rest, (size_t)n))
			return DATAFILE_DAMAGED;
	return n < 0 ? DATAFILE_ERRNO : DATAFILE_TRUNCATED;
}

/* Judges a payload of which `got` bytes exist and whose checksum is wrong. */
static enum datafile_result judge_payload(const struct chunks *f, size_t got)
{
	const size_t head = sizeof(struct file_chunk);
	unsigned char more;
	ssize_t n = datafile_read_at(f->fd, &more, 1, f->offset + head + got);

	if (n < 0)
		return DATAFILE_ERRNO;
	if (n > 0 || holds_chunk(f->bytes + head, got))
		return DATAFILE_DAMAGED;
	return DATAFILE_TRUNCATED;
}

enum datafile_result chunks_judge(const struct chunks *f, enum chunks_found found, size_t got)
{
	switch (found) {
	case CHUNKS_END:
		return DATAFILE_OK;
	case CHUNKS_NONE:
		return judge_none(f);
	case CHUNKS_CUT:
	case CHUNKS_DAMAGED:
		return judge_payload(f, got);
	default:
		return DATAFILE_ERRNO;
	}
}

static enum datafile_result read_chunks(int fd, uint64_t *end_ns, datafile_take *take, void *arg)
{
	struct ahead *a = ahead_new(fd, sizeof(struct file_header));
	const struct ahead_chunk *next;
	enum datafile_result result = DATAFILE_OK;

	if (!a)
		return DATAFILE_ERRNO;
	while (result == DATAFILE_OK && (next = ahead_next(a))->found == CHUNKS_WHOLE) {
		*end_ns = next->head.time_ns;
		errno = next->error;
		if (!next->records || chunks_deliver(&next->head, next->records, take, arg) < 0)
			result = errno == ENOMEM ? DATAFILE_ERRNO : DATAFILE_DAMAGED;
	}
	if (result == DATAFILE_OK) {
		errno = next->error;
		result = chunks_judge(&next->chunks, next->found, next->got);
	}
	int saved = errno;
	ahead_free(a);
	errno = saved;
	return result;
}

enum datafile_result datafile_read(const char *path, struct file_header *header, uint64_t *end_ns,
				   datafile_take *take, void *arg)
{
	bool own_fd = strcmp(path, "-") != 0;
	int fd = own_fd ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;

	*end_ns = 0;
	memset(header, 0, sizeof *header);
	if (fd < 0)
		return DATAFILE_ERRNO;
	ssize_t n = datafile_read_at(fd, header, sizeof *header, 0);
	enum datafile_result result =
		n < 0 ? DATAFILE_ERRNO : datafile_judge_header(header, (size_t)n);
	if (result == DATAFILE_TRUNCATED)
		memset(header, 0, sizeof *header);
	if (result == DATAFILE_OK)
		result = read_chunks(fd, end_ns, take, arg);
	int saved = errno;
	if (own_fd)
		close(fd);
	errno = saved;
	return result;
}

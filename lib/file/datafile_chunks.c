/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile_chunks.c - see datafile_chunks.h. It uses read(), since a mapping of a file that is
 * truncated ends in SIGBUS, and since read() works for pipes.
 */
#include "file/datafile_chunks.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wire/wire_checksum.h"
#include <zlib.h>

ssize_t datafile_read_at(int fd, void *data, size_t len, uint64_t offset)
{
	size_t got = 0;

	while (got < len) {
		unsigned char *to = (unsigned char *)data + got;
		ssize_t n = pread(fd, to, len - got, (off_t)(offset + got));
		if (n < 0 && errno == ESPIPE)
			n = read(fd, to, len - got);
		if (n == 0)
			break;
		if (n > 0) {
			got += (size_t)n;
		} else if (errno == EAGAIN) { /* a standard input that somebody made non-blocking */
			struct pollfd wait = { .fd = fd, .events = POLLIN };
			poll(&wait, 1, -1);
		} else if (errno != EINTR) {
			return -1;
		}
	}
	return (ssize_t)got;
}

static int make_room(unsigned char **buffer, size_t *room, size_t bytes)
{
	if (bytes <= *room)
		return 0;
	unsigned char *bigger = realloc(*buffer, bytes);
	if (!bigger)
		return -1;
	*buffer = bigger;
	*room = bytes;
	return 0;
}

static bool is_length(uint32_t len)
{
	return len > 0 && len <= DATAFILE_MAX_CHUNK && len % WIRE_ALIGN == 0;
}

bool chunks_is_plausible(const struct file_chunk *c)
{
	return c->magic == DATAFILE_CHUNK_MAGIC && is_length(c->len) &&
	       (c->unpacked == 0 || is_length(c->unpacked));
}

enum chunks_found chunks_read(struct chunks *f, struct file_chunk *c, size_t *got)
{
	*got = 0;
	if (make_room(&f->bytes, &f->room, sizeof *c) < 0)
		return CHUNKS_ERRNO;
	ssize_t n = datafile_read_at(f->fd, f->bytes, sizeof *c, f->offset);
	if (n <= 0)
		return n < 0 ? CHUNKS_ERRNO : CHUNKS_END;
	if (n < (ssize_t)sizeof *c)
		return CHUNKS_CUT;
	memcpy(c, f->bytes, sizeof *c);
	if (!chunks_is_plausible(c))
		return CHUNKS_NONE;
	if (make_room(&f->bytes, &f->room, sizeof *c + c->len) < 0)
		return CHUNKS_ERRNO;
	n = datafile_read_at(f->fd, f->bytes + sizeof *c, c->len, f->offset + sizeof *c);
	if (n < 0)
		return CHUNKS_ERRNO;
	*got = (size_t)n;
	if (*got < c->len)
		return CHUNKS_CUT;
	return wire_checksum(f->bytes) == c->checksum ? CHUNKS_WHOLE : CHUNKS_DAMAGED;
}

/*
 * Unpacks a payload. Z_OK, or an error of zlib's. The checksum of the chunk covers the payload, so
 * the one that zlib would compute of the records tells nothing more.
 */
static int unpack_to(unsigned char *to, const struct file_chunk *c, unsigned char *payload)
{
	z_stream z = {
		.next_in = payload, .avail_in = c->len, .next_out = to, .avail_out = c->unpacked
	};
	int result = inflateInit(&z);

	if (result != Z_OK)
		return result;
	inflateValidate(&z, 0);
	result = inflate(&z, Z_FINISH);
	inflateEnd(&z);
	if (result == Z_STREAM_END && z.avail_out == 0)
		return Z_OK;
	return result == Z_MEM_ERROR ? result : Z_DATA_ERROR;
}

const unsigned char *chunks_unpack(struct chunks *f, const struct file_chunk *c)
{
	if (!c->unpacked)
		return f->bytes + sizeof *c;
	if (make_room(&f->records, &f->records_room, c->unpacked) < 0)
		return NULL;
	int result = unpack_to(f->records, c, f->bytes + sizeof *c);
	if (result == Z_OK)
		return f->records;
	errno = result == Z_MEM_ERROR ? ENOMEM : EBADMSG;
	return NULL;
}

int chunks_deliver(const struct file_chunk *c, const unsigned char *records, datafile_take *take,
		   void *arg)
{
	const unsigned char *p = records;

	for (uint32_t left = c->unpacked ? c->unpacked : c->len; left > 0;) {
		const struct wire_rec *rec = (const struct wire_rec *)p;
		uint32_t len = left < sizeof *rec ? 0 : rec->len;
		if (len < sizeof *rec || len % WIRE_ALIGN || len > left) {
			errno = EBADMSG;
			return -1;
		}
		if (take(c->jvm, c->time_ns, rec, len, arg) < 0)
			return -1;
		p += len;
		left -= len;
	}
	return 0;
}

void chunks_release(struct chunks *f)
{
	free(f->bytes);
	free(f->records);
}

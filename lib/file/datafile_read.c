/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile_read.c - reads ojx.data as a whole, and judges files that end early or are damaged. A
 * few chunks at a time are in memory.
 */
#include "file/datafile_read.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/progress.h"
#include "file/datafile.h"
#include "file/inflate.h"
#include "wire/wire_file.h"

/*
 * ---- It uses read(), since a mapping of a file that is truncated ends in SIGBUS, and since
 * read() works for pipes.
 */

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

/* Whether it can be the header of a chunk. */
static bool chunks_is_plausible(const struct file_chunk *c)
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

const unsigned char *chunks_unpack(struct chunks *f, const struct file_chunk *c)
{
	if (!c->unpacked)
		return f->bytes + sizeof *c;
	if (make_room(&f->records, &f->records_room, c->unpacked) < 0)
		return NULL;
	return inflate_to(&f->inflater, f->records, c->unpacked, f->bytes + sizeof *c, c->len) < 0
		       ? NULL
		       : f->records;
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
	inflater_free(f->inflater);
}

/*
 * ---- reads and unpacks the chunks of a file in a thread of its own, ahead of who takes their
 * records. Unpacking takes about as long as what is done with the records. Without a second
 * processor, with a pipe, which may keep the thread waiting, with a small file, or if no
 * thread can be started, each chunk is read when it is asked for. A process that has started a
 * thread hands other dispositions of signals on, and `record` looks at small files before it
 * starts the program. Chunks are in a ring. The reader fills those that follow `taken`; chunk
 * `taken` itself is in use by the taker.
 */

struct ahead_chunk {
	struct chunks chunks; /* its offset is that of the chunk */
	struct file_chunk head;
	size_t got;		      /* bytes of payload that exist */
	const unsigned char *records; /* if found is CHUNKS_WHOLE; NULL: see error */
	enum chunks_found found;
	int error; /* errno; 0: none */
};

struct ahead;
enum { CHUNKS = 4 };
#define WORTH_BYTES (128 << 10) /* of a file, from which on a thread pays */

struct ahead {
	struct ahead_chunk ring[CHUNKS];
	int fd;
	uint64_t offset; /* of the next chunk to be read */
	bool in_use;	 /* the taker has a chunk */
	bool threaded;
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	size_t filled, taken; /* chunks so far */
	bool stop;
};

/* Reads a chunk. Whether there may be another. */
static bool fill(struct ahead *a, struct ahead_chunk *c)
{
	c->chunks.fd = a->fd;
	c->chunks.offset = a->offset;
	c->records = NULL;
	errno = 0;
	c->found = chunks_read(&c->chunks, &c->head, &c->got);
	if (c->found == CHUNKS_WHOLE) {
		c->records = chunks_unpack(&c->chunks, &c->head);
		a->offset += sizeof c->head + c->head.len;
	}
	c->error = c->records ? 0 : errno;
	return c->records != NULL;
}

static void *read_ahead(void *arg)
{
	struct ahead *a = arg;
	bool more = true;

	pthread_mutex_lock(&a->lock);
	while (more && !a->stop) {
		if (a->filled - a->taken == CHUNKS) {
			pthread_cond_wait(&a->changed, &a->lock);
			continue;
		}
		struct ahead_chunk *next = &a->ring[a->filled % CHUNKS];
		pthread_mutex_unlock(&a->lock);
		more = fill(a, next);
		pthread_mutex_lock(&a->lock);
		a->filled++;
		pthread_cond_signal(&a->changed);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

/*
 * Begins at an offset of `fd`, which the caller keeps; `thread`: it may start one. NULL with
 * ENOMEM. Free with ahead_free.
 */
static struct ahead *ahead_new(int fd, uint64_t offset, bool thread)
{
	struct ahead *a = calloc(1, sizeof *a);
	struct stat st;

	if (!a)
		return NULL;
	a->fd = fd;
	a->offset = offset;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	a->threaded = thread && processors_allowed() > 1 && fstat(fd, &st) == 0 &&
		      S_ISREG(st.st_mode) && st.st_size >= WORTH_BYTES &&
		      pthread_create(&a->thread, NULL, read_ahead, a) == 0;
	return a;
}

/*
 * The next chunk, valid until the next call. Not to be called again once `found` is something else
 * than CHUNKS_WHOLE, or without records.
 */
static const struct ahead_chunk *ahead_next(struct ahead *a)
{
	if (!a->threaded) {
		fill(a, &a->ring[0]);
		return &a->ring[0];
	}
	pthread_mutex_lock(&a->lock);
	if (a->in_use) {
		a->taken++;
		pthread_cond_signal(&a->changed);
	}
	a->in_use = true;
	while (a->filled == a->taken)
		pthread_cond_wait(&a->changed, &a->lock);
	pthread_mutex_unlock(&a->lock);
	return &a->ring[a->taken % CHUNKS];
}

static void ahead_free(struct ahead *a)
{
	if (a->threaded) {
		pthread_mutex_lock(&a->lock);
		a->stop = true;
		pthread_cond_signal(&a->changed);
		pthread_mutex_unlock(&a->lock);
		pthread_join(a->thread, NULL);
	}
	for (size_t i = 0; i < CHUNKS; i++)
		chunks_release(&a->ring[i].chunks);
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->changed);
	free(a);
}

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
	return h->version == DATAFILE_VERSION && h->wire_version == WIRE_RECORDS_VERSION
		       ? DATAFILE_OK
		       : DATAFILE_OTHER_VERSION;
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

static enum datafile_result read_chunks(int fd, bool thread, uint64_t *end_ns, datafile_take *take,
					void *arg)
{
	struct ahead *a = ahead_new(fd, sizeof(struct file_header), thread);
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

static enum datafile_result read_file(const char *path, bool thread, struct file_header *header,
				      uint64_t *end_ns, datafile_take *take, void *arg)
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
		result = read_chunks(fd, thread, end_ns, take, arg);
	int saved = errno;
	if (own_fd)
		close(fd);
	errno = saved;
	return result;
}

enum datafile_result datafile_read(const char *path, struct file_header *header, uint64_t *end_ns,
				   datafile_take *take, void *arg)
{
	return read_file(path, true, header, end_ns, take, arg);
}

enum datafile_result datafile_read_alone(const char *path, struct file_header *header,
					 uint64_t *end_ns, datafile_take *take, void *arg)
{
	return read_file(path, false, header, end_ns, take, arg);
}

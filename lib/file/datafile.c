/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile.c - writes ojx.data. datafile_read.c reads it.
 *
 * A chunk is written with one write(), so that a tool that is killed leaves only whole chunks. If
 * the disk fills up in the middle of a chunk, its part is cut off. A recording is never
 * overwritten: only a file that this process created, or that was empty, is written to. A recording
 * that ended without a JVM does not count: it is removed, since otherwise a mistyped command or two
 * would displace the previous recording. A recording that is being made is not displaced either:
 * who makes it holds a lock (flock).
 */
#include "file/datafile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/outfile.h"
#include "wire/wire_file.h"
#include <zlib.h>

#define CHUNK_BYTES   (256u << 10) /* a chunk is written when its payload would exceed this */
#define NOTHING_BYTES (64 << 10)   /* more than a command line and the end take */

struct datafile_writer {
	int fd;
	bool own_fd;
	int error;     /* errno of the first failure; every later call returns it */
	uint64_t size; /* bytes of whole chunks written */
	bool timeless; /* chunks have time 0 */
	struct timespec start;
	uint32_t jvm;	       /* of the chunk in `buffer` */
	uint32_t len, room;    /* bytes of payload in `buffer`, and its capacity */
	unsigned char *buffer; /* a struct file_chunk, then the records */
	unsigned char *packed; /* the same with the records packed */
	size_t packed_room;    /* its capacity for the payload */
	z_stream packer;       /* its state is NULL before the first chunk */
};

/* ---- opening --------------------------------------------------------------------------- */

/* Locks a regular file until it is closed. Fails with EBUSY if another process records into it. */
static int lock(int fd)
{
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
		return 0; /* some file systems know no locks */
	errno = EBUSY;
	return -1;
}

/* Whether somebody records into the file; a symbolic link to it can be renamed all the same. */
static bool is_being_written(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
	bool is = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;

	if (fd >= 0)
		close(fd);
	return is;
}

/* Opens a pipe, a device or an empty file; fails with EEXIST if the file has content. */
static int open_as_it_is(const char *path, int flags)
{
	struct stat st;
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | flags, 0600);

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && (!S_ISREG(st.st_mode) || st.st_size == 0)) {
		/* somebody else's empty file keeps its mode */
		if (S_ISREG(st.st_mode) && st.st_uid == geteuid())
			fchmod(fd, 0600);
		if (!S_ISREG(st.st_mode) || lock(fd) == 0)
			return fd;
	} else {
		errno = EEXIST;
	}
	int saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

static int rotate(const char *path)
{
	size_t room = strlen(path) + sizeof ".old";
	char *old = malloc(room);

	if (!old)
		return -1;
	snprintf(old, room, "%s.old", path);
	int rc = -1, saved = EBUSY;
	if (!is_being_written(path) && !is_being_written(old)) {
		rc = rename(path, old);
		saved = errno;
	}
	free(old);
	errno = saved;
	return rc;
}

static int is_of_jvm(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		     void *arg)
{
	bool *ended = arg;

	(void)time_ns, (void)len;
	*ended |= atomic_load_explicit(&rec->type, memory_order_relaxed) == FILE_END;
	return jvm ? -1 : 0;
}

/* Whether a recording has ended without a JVM. */
static bool holds_nothing(const char *path, const struct stat *st)
{
	struct file_header header;
	uint64_t end_ns;
	bool ended = false;

	return st->st_size <= NOTHING_BYTES &&
	       datafile_read(path, &header, &end_ns, is_of_jvm, &ended) == DATAFILE_OK && ended;
}

static bool is_symlink(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/*
 * A symbolic link to a recording is itself renamed, as perf does; path.old then leads to the old
 * recording. A link to a device or pipe is followed, and so is a dangling one.
 */
static int open_path(const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0) {
		if (S_ISDIR(st.st_mode)) {
			errno = EISDIR;
			return -1;
		}
		if (!S_ISREG(st.st_mode) || st.st_size == 0 || outfile_names_descriptor(path))
			return open_as_it_is(path, 0);
		bool nothing = !is_symlink(path) && holds_nothing(path, &st);
		if ((nothing ? unlink(path) : rotate(path)) < 0)
			return -1;
	} else if (errno != ENOENT) {
		return -1;
	} else if (is_symlink(path)) {
		return open_as_it_is(path, O_CREAT);
	}
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		flock(fd, LOCK_EX); /* who only asks lets go of it at once */
	return fd;
}

const char *datafile_why(int error)
{
	return error == EBUSY
		       ? "a recording is being made there, or in its .old: choose another name"
		       : strerror(error);
}

/* ---- writing --------------------------------------------------------------------------- */

/* Writes `len` bytes: all of them or, if the file can be cut, none. */
static int append(struct datafile_writer *w, const void *data, size_t len)
{
	if (outfile_write(w->fd, data, len) < 0) {
		w->error = errno;
		/* if this fails, nothing is lost: the reader accepts half a chunk */
		if (w->own_fd && ftruncate(w->fd, (off_t)w->size) < 0)
			errno = w->error;
		errno = w->error;
		return -1;
	}
	w->size += len;
	return 0;
}

/* `given`: NULL: of a recording that begins now. */
static int write_header(struct datafile_writer *w, const struct file_header *given)
{
	struct file_header h = given ? *given : wire_file_header();

	w->timeless = given != NULL;
	clock_gettime(CLOCK_MONOTONIC, &w->start);
	return append(w, &h, sizeof h);
}

static uint64_t since_start(const struct datafile_writer *w)
{
	struct timespec now;

	if (w->timeless)
		return 0;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)((now.tv_sec - w->start.tv_sec) * 1000000000 + now.tv_nsec -
			  w->start.tv_nsec);
}

/* Takes over the descriptor, unless it is standard output; -1: errno says what is wrong. */
static struct datafile_writer *begin(int fd, bool own_fd, const struct file_header *header)
{
	struct datafile_writer *w = fd >= 0 ? calloc(1, sizeof *w) : NULL;

	if (w) {
		w->fd = fd;
		w->own_fd = own_fd;
		w->room = CHUNK_BYTES;
		w->buffer = malloc(sizeof(struct file_chunk) + w->room);
		if (w->buffer && write_header(w, header) == 0)
			return w;
	}
	int saved = errno;
	if (fd >= 0 && own_fd)
		close(fd);
	if (w)
		free(w->buffer);
	free(w);
	errno = saved;
	return NULL;
}

struct datafile_writer *datafile_begin(int fd)
{
	return begin(fd, true, NULL);
}

struct datafile_writer *datafile_create(const char *path)
{
	return datafile_create_of(path, NULL);
}

struct datafile_writer *datafile_create_of(const char *path, const struct file_header *header)
{
	bool own_fd = strcmp(path, "-") != 0;

	return begin(own_fd ? open_path(path) : STDOUT_FILENO, own_fd, header);
}

static int fail_again(const struct datafile_writer *w)
{
	errno = w->error;
	return -1;
}

/* Makes room for `len` bytes of packed records. */
static bool make_room(struct datafile_writer *w, size_t len)
{
	if (len <= w->packed_room)
		return true;
	unsigned char *bigger = realloc(w->packed, sizeof(struct file_chunk) + len);
	if (!bigger)
		return false;
	w->packed = bigger;
	w->packed_room = len;
	return true;
}

/* The length of the packed records; 0 if there is no memory. Keeps what zlib allocates. */
static size_t deflate_records(struct datafile_writer *w)
{
	z_stream *z = &w->packer;

	if (!z->state && deflateInit(z, Z_BEST_SPEED) != Z_OK)
		return 0;
	z->next_in = w->buffer + sizeof(struct file_chunk);
	z->avail_in = w->len;
	z->next_out = w->packed + sizeof(struct file_chunk);
	z->avail_out = (uInt)w->packed_room;
	size_t len = deflate(z, Z_FINISH) == Z_STREAM_END ? z->total_out : 0;
	deflateReset(z);
	return len;
}

/*
 * Packs the records if that makes them shorter. Names, stacks and sums shrink to a fifth, evidence
 * to two thirds. Returns the chunk to write.
 */
static unsigned char *pack(struct datafile_writer *w, struct file_chunk *c)
{
	if (!make_room(w, compressBound(w->len) + WIRE_ALIGN))
		return w->buffer;
	size_t len = deflate_records(w);
	if (len == 0 || wire_pad(len) >= w->len)
		return w->buffer;
	memset(w->packed + sizeof *c + len, 0, wire_pad(len) - len);
	c->unpacked = w->len;
	c->len = (uint32_t)wire_pad(len);
	return w->packed;
}

int datafile_flush(struct datafile_writer *w)
{
	if (w->error)
		return fail_again(w);
	if (w->len == 0)
		return 0;
	struct file_chunk c = {
		.magic = DATAFILE_CHUNK_MAGIC,
		.jvm = w->jvm,
		.time_ns = since_start(w),
		.len = w->len,
	};
	unsigned char *chunk = pack(w, &c);
	memcpy(chunk, &c, sizeof c);
	c.checksum = wire_checksum(chunk);
	memcpy(chunk, &c, sizeof c);
	w->len = 0;
	return append(w, chunk, sizeof c + c.len);
}

/* Makes room for a record larger than a normal chunk. */
static int enlarge(struct datafile_writer *w, uint32_t len)
{
	unsigned char *bigger = realloc(w->buffer, sizeof(struct file_chunk) + len);

	if (!bigger) {
		w->error = errno;
		return -1;
	}
	w->buffer = bigger;
	w->room = len;
	return 0;
}

int datafile_write(struct datafile_writer *w, uint32_t jvm, const struct wire_rec *rec,
		   uint32_t len)
{
	if (w->error)
		return fail_again(w);
	if (len < sizeof *rec || len % WIRE_ALIGN || len > DATAFILE_MAX_CHUNK || rec->len != len) {
		errno = EINVAL;
		return -1;
	}
	if (w->len > 0 && (jvm != w->jvm || len > CHUNK_BYTES || w->len > CHUNK_BYTES - len) &&
	    datafile_flush(w) < 0)
		return -1;
	if (len > w->room && enlarge(w, len) < 0)
		return -1;
	w->jvm = jvm;
	memcpy(w->buffer + sizeof(struct file_chunk) + w->len, rec, len);
	w->len += len;
	return 0;
}

uint64_t datafile_size(const struct datafile_writer *w)
{
	return w->size + (w->len ? sizeof(struct file_chunk) + w->len : 0);
}

bool datafile_watched(const struct datafile_writer *w)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return w->own_fd && fcntl(w->fd, F_GETLK, &lock) == 0 && lock.l_type == F_RDLCK;
}

int datafile_close(struct datafile_writer *w)
{
	if (!w)
		return 0;
	int rc = datafile_flush(w);
	int saved = errno;

	if (w->own_fd && close(w->fd) < 0 && rc == 0) {
		rc = -1;
		saved = errno;
	}
	free(w->buffer);
	free(w->packed);
	deflateEnd(&w->packer);
	free(w);
	errno = saved;
	return rc;
}

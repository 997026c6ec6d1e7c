/* SPDX-License-Identifier: Apache-2.0 */
/* alone_file.c - see alone_file.h. */
#define _GNU_SOURCE
#include "alone_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "core/handshake.h"
#include "core/state.h"
#include "wire/wire_file.h"

#define CHUNK_BYTES (256u << 10)
#define MOST_BYTES  (4u << 20) /* of one record */

/* ---- opening ----------------------------------------------------------------------------- */

/*
 * Whether the file is a recording of this user, or empty, that nobody writes. Else sets errno:
 * EEXIST, or EBUSY if a JVM records into it.
 */
static bool is_old_recording(const char *path)
{
	char magic[sizeof DATAFILE_MAGIC];
	struct stat st;
	int error = EEXIST;
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid()) {
		bool is = st.st_size == 0 || (read(fd, magic, sizeof magic) == sizeof magic &&
					      memcmp(magic, DATAFILE_MAGIC, sizeof magic) == 0);
		if (is)
			error = flock(fd, LOCK_SH | LOCK_NB) < 0 ? EBUSY : 0;
	}
	if (fd >= 0)
		close(fd);
	errno = error;
	return error == 0;
}

static bool is_free(const char *path)
{
	struct stat st;

	return lstat(path, &st) < 0 && errno == ENOENT;
}

static int make_room_for(const char *path)
{
	char old[4096];

	if (is_free(path))
		return 0;
	if (!is_old_recording(path))
		return -1;
	if ((size_t)snprintf(old, sizeof old, "%s.old", path) >= sizeof old) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (!is_free(old) && !is_old_recording(old))
		return -1;
	return rename(path, old);
}

static void append(struct alone_file *f, const void *data, size_t len)
{
	const unsigned char *from = data;
	struct stat now;

	while (!f->error && len > 0) {
		if (fstat(f->fd, &now) < 0 || now.st_dev != f->as_opened.st_dev ||
		    now.st_ino != f->as_opened.st_ino) {
			f->error = EBADF;
			return;
		}
		ssize_t n = write(f->fd, from, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			f->error = n < 0 ? errno : EIO;
			return;
		}
		from += n;
		len -= (size_t)n;
		f->size += (size_t)n;
	}
}

static void put_header(struct alone_file *f)
{
	struct file_header h = wire_file_header();

	append(f, &h, sizeof h);
}

int alone_file_create(struct alone_file *f, const char *path)
{
	*f = (struct alone_file){ .fd = -1, .start_ns = now_ns(), .room = CHUNK_BYTES };
	if (make_room_for(path) < 0)
		return -1;
	f->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (f->fd < 0)
		return -1;
	f->fd = descriptor_move_up(f->fd);
	flock(f->fd, LOCK_EX | LOCK_NB); /* so that no other JVM takes its place */
	f->buffer = malloc(sizeof(struct file_chunk) + f->room);
	f->error = f->buffer && fstat(f->fd, &f->as_opened) == 0 ? 0 : ENOMEM;
	put_header(f);
	if (!f->error)
		return 0;
	int error = f->error;
	alone_file_close(f);
	unlink(path);
	errno = error;
	return -1;
}

/* ---- writing ----------------------------------------------------------------------------- */

void alone_file_flush(struct alone_file *f)
{
	struct file_chunk c = {
		.magic = DATAFILE_CHUNK_MAGIC,
		.jvm = f->jvm,
		.time_ns = now_ns() - f->start_ns,
		.len = f->len,
	};

	if (f->len == 0)
		return;
	memcpy(f->buffer, &c, sizeof c);
	c.checksum = wire_checksum(f->buffer);
	memcpy(f->buffer, &c, sizeof c);
	append(f, f->buffer, sizeof c + f->len);
	f->len = 0;
}

static bool grow(struct alone_file *f, uint32_t room)
{
	unsigned char *bigger =
		room > MOST_BYTES ? NULL : realloc(f->buffer, sizeof(struct file_chunk) + room);

	if (!bigger)
		return false;
	f->buffer = bigger;
	f->room = room;
	return true;
}

void alone_file_put(struct alone_file *f, uint32_t jvm, const struct wire_rec *rec)
{
	if (f->error)
		return;
	if (f->len && (f->jvm != jvm || rec->len > f->room - f->len))
		alone_file_flush(f);
	if (rec->len > f->room && !grow(f, rec->len)) {
		f->left_out++;
		return;
	}
	f->jvm = jvm;
	memcpy(f->buffer + sizeof(struct file_chunk) + f->len, rec, rec->len);
	f->len += rec->len;
}

/* Reads at most `room` bytes of /proc/self/cmdline. */
static size_t read_command(char *to, size_t room)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n;

	while (fd >= 0 && len < room && (n = read(fd, to + len, room - len)) > 0)
		len += (size_t)n;
	if (fd >= 0)
		close(fd);
	return len;
}

void alone_file_put_command(struct alone_file *f)
{
	size_t room = CHUNK_BYTES - sizeof(struct file_command) - WIRE_ALIGN;
	struct file_command *c = calloc(1, CHUNK_BYTES);

	if (!c)
		return;
	char *text = (char *)(c + 1);
	size_t len = read_command(text, room - 1); /* the last text ends with NUL, cut or not */
	if (len > 0 && text[len - 1])
		len++;
	for (size_t i = 0; i < len; i++)
		c->argc += text[i] == '\0';
	c->len = (uint32_t)len;
	atomic_store_explicit(&c->rec.type, FILE_COMMAND, memory_order_relaxed);
	c->rec.len = (uint32_t)sizeof *c + wire_pad(len);
	alone_file_put(f, 0, &c->rec);
	free(c);
}

void alone_file_close(struct alone_file *f)
{
	struct stat now;

	if (f->buffer)
		alone_file_flush(f);
	if (f->fd >= 0 && fstat(f->fd, &now) == 0 && now.st_dev == f->as_opened.st_dev &&
	    now.st_ino == f->as_opened.st_ino)
		close(f->fd);
	free(f->buffer);
	f->buffer = NULL;
	f->fd = -1;
}

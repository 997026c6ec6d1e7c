/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hprof_open.c - see hprof.h: the file of a dump. A dump holds what the program knew, passwords
 * too, so the temporary file has no name, and nobody else can open it.
 */
#define _GNU_SOURCE 1 /* O_TMPFILE, F_SETLEASE */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <zlib.h>

#include "base/outfile.h"
#include "base/units.h"
#include "heapdump/hprof_private.h"

enum { COPY_BLOCK = 1 << 18, ROOM_STEP = 1 << 26, RESERVED_MAX = 1 << 30 };

static int fail(struct hprof *h, const char *what, int error)
{
	snprintf(h->error, sizeof h->error, "%s: %s", what,
		 error ? strerror(error) : "out of memory");
	return -1;
}

/* A descriptor, or -1 with errno. */
static int open_temporary(void)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];

	if (!folder || !*folder)
		folder = "/var/tmp"; /* /tmp may be memory */
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT))
		return fd;
	if ((size_t)snprintf(path, sizeof path, "%s/ojx-heap.XXXXXX", folder) >= sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

static int fail_room(struct hprof *h, double bytes)
{
	char free_text[UNITS_TEXT];

	snprintf(h->error, sizeof h->error,
		 "there is no room to write it to a temporary file, but for %s: TMPDIR may name "
		 "another folder",
		 units_bytes(free_text, bytes));
	return -1;
}

/*
 * Whether the disk has room for `more` bytes, and for what others write meanwhile. 0, or -1 with
 * h->error.
 */
static int check_room(struct hprof *h, int fd, uint64_t more)
{
	struct statvfs fs;

	if (fstatvfs(fd, &fs) < 0)
		return 0; /* writing fails, if there is none */
	double left = (double)fs.f_bavail * (double)fs.f_frsize;
	double others = (double)fs.f_blocks * (double)fs.f_frsize / 100;
	if (others > RESERVED_MAX)
		others = RESERVED_MAX;
	return left >= (double)more + others ? 0 : fail_room(h, left);
}

/* What gzread said at the end of what it could read. 0, or -1 with h->error. */
static int check_end(struct hprof *h, gzFile packed, int n, uint64_t written)
{
	int error, saved = errno;
	const char *why = gzerror(packed, &error);

	if (n == 0 && (error == Z_OK || error == Z_STREAM_END))
		return 0;
	if (error == Z_ERRNO || written == 0) {
		snprintf(h->error, sizeof h->error, "cannot unpack it behind byte %llu: %s",
			 (unsigned long long)written, error == Z_ERRNO ? strerror(saved) : why);
		return -1;
	}
	snprintf(h->cut, sizeof h->cut, "the file cannot be unpacked behind byte %llu (%s)",
		 (unsigned long long)written,
		 error == Z_BUF_ERROR ? "it ends too early" : "it is damaged");
	return 0;
}

/* Unpacks to `out`, beginning with the `n` bytes of the block. 0, or -1 with h->error. */
static int write_all(struct hprof *h, gzFile packed, int out, unsigned char *block, int n)
{
	uint64_t written = 0, checked = 0;

	for (; n > 0; n = gzread(packed, block, COPY_BLOCK)) {
		if (outfile_write(out, block, (size_t)n) < 0)
			return errno == ENOSPC ? fail_room(h, 0)
					       : fail(h, "cannot write a temporary file", errno);
		written += (uint64_t)n;
		if (written - checked < ROOM_STEP)
			continue;
		checked = written;
		if (check_room(h, out, ROOM_STEP) < 0)
			return -1;
	}
	return check_end(h, packed, n, written);
}

/*
 * Copies what is unpacked, of which the block is for. `least` are bytes that the copy has, at
 * least. The copy, or -1.
 */
static int copy_packed(struct hprof *h, gzFile packed, unsigned char *block, uint64_t least)
{
	int n = gzread(packed, block, COPY_BLOCK);
	size_t first;

	if (n < 0)
		return check_end(h, packed, n, 0);
	if (hprof_check_header(h, block, (size_t)n, &first) < 0)
		return -1;
	int out = open_temporary();
	if (out < 0)
		return fail(h, "cannot make a temporary file", errno);
	if (check_room(h, out, least) == 0 && write_all(h, packed, out, block, n) == 0)
		return out;
	close(out);
	return -1;
}

/* Copies from `in`, which is closed, and unpacks it if it is packed. The copy, or -1. */
static int copy(struct hprof *h, int in, uint64_t least)
{
	gzFile packed = gzdopen(in, "rb");
	unsigned char *block = malloc(COPY_BLOCK);
	int out;

	if (!packed)
		close(in);
	if (packed && block) {
		gzbuffer(packed, COPY_BLOCK);
		out = copy_packed(h, packed, block, least);
	} else {
		out = fail(h, "cannot read it", ENOMEM);
	}
	if (packed)
		gzclose(packed);
	free(block);
	return out;
}

static bool is_packed(int fd)
{
	unsigned char magic[2];

	return pread(fd, magic, 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
}

/* Maps the file. 0, or -1. */
static int map(struct hprof *h, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return fail(h, "cannot read it", errno);
	h->size = (size_t)st.st_size;
	if (h->size == 0)
		return 0;
	void *data = mmap(NULL, h->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED) {
		h->size = 0;
		return fail(h, "cannot map it", errno);
	}
	h->data = data;
	h->mapped = true;
	return 0;
}

/*
 * Whether the owner cannot harm us. The file is read more than once, and what was checked the first
 * time must not change. A read lease is given only if nobody has the file open for writing; if
 * somebody opens it later, the kernel lets him wait and ends us by SIGIO.
 */
static bool is_safe(struct hprof *h, int fd, const struct stat *st)
{
	if (geteuid() != 0 || st->st_uid == 0)
		return true; /* no more rights than the owner's, or the same user */
	h->leased = fcntl(fd, F_SETLEASE, F_RDLCK) == 0;
	return h->leased;
}

int hprof_open(struct hprof *h, const char *path)
{
	struct stat st;

	*h = (struct hprof){ .wanted = h->wanted };
	int fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
					: open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0) {
		fail(h, "cannot open it", errno);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	if (S_ISDIR(st.st_mode)) {
		close(fd);
		return fail(h, "cannot read it", EISDIR);
	}
	if (!S_ISREG(st.st_mode) || is_packed(fd) || !is_safe(h, fd, &st))
		fd = copy(h, fd, S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0);
	if (fd < 0)
		return -1;
	int result = map(h, fd);
	if (h->leased)
		h->fd = fd;
	else
		close(fd);
	return result;
}

int hprof_open_memory(struct hprof *h, const void *data, size_t size)
{
	unsigned char *copied = malloc(size ? size : 1);

	*h = (struct hprof){ .data = copied, .size = copied ? size : 0, .wanted = h->wanted };
	if (!copied)
		return fail(h, "cannot read it", 0);
	memcpy(copied, data, size);
	return 0;
}

void hprof_close(struct hprof *h)
{
	if (h->mapped)
		munmap((void *)(uintptr_t)h->data, h->size);
	else
		free((void *)(uintptr_t)h->data);
	if (h->leased)
		close(h->fd);
	*h = (struct hprof){ .data = NULL };
}

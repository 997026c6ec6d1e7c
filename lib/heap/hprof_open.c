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
#include <unistd.h>
#include <zlib.h>

#include "base/outfile.h"
#include "heap/hprof.h"

enum { COPY_BLOCK = 1 << 18 };

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

/* Copies from `in`, which is closed, and unpacks it if it is packed. The copy, or -1. */
static int copy(struct hprof *h, int in)
{
	int out = open_temporary(), error = 0, n = 0;
	const char *why;

	if (out < 0) {
		close(in);
		return fail(h, "cannot make a temporary file", errno);
	}
	gzFile packed = gzdopen(in, "rb");
	unsigned char *block = malloc(COPY_BLOCK);
	if (!packed)
		close(in);
	if (!packed || !block) {
		error = fail(h, "cannot read it", ENOMEM);
		goto done;
	}
	gzbuffer(packed, COPY_BLOCK);
	while ((n = gzread(packed, block, COPY_BLOCK)) > 0)
		if (outfile_write(out, block, (size_t)n) < 0) {
			error = fail(h, "cannot write a temporary file (TMPDIR says where)", errno);
			goto done;
		}
	why = gzerror(packed, &error);
	if (n < 0 || (error != Z_OK && error != Z_STREAM_END)) {
		int saved = errno;
		snprintf(h->error, sizeof h->error, "cannot unpack it behind byte %lld: %s",
			 (long long)lseek(out, 0, SEEK_CUR),
			 error == Z_ERRNO ? strerror(saved) : why);
		error = -1;
	}
done:
	if (packed)
		gzclose(packed);
	free(block);
	if (error == 0 || error == Z_STREAM_END)
		return out;
	close(out);
	return -1;
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

	*h = (struct hprof){ .data = NULL };
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
		fd = copy(h, fd);
	if (fd < 0)
		return -1;
	int result = map(h, fd);
	if (h->leased)
		h->fd = fd;
	else
		close(fd);
	return result;
}

void hprof_open_memory(struct hprof *h, const void *data, size_t size)
{
	*h = (struct hprof){ .data = data, .size = size };
}

void hprof_close(struct hprof *h)
{
	if (h->mapped)
		munmap((void *)(uintptr_t)h->data, h->size);
	if (h->leased)
		close(h->fd);
	*h = (struct hprof){ .data = NULL };
}

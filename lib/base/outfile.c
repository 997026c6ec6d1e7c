/* SPDX-License-Identifier: Apache-2.0 */
/* outfile.c - see outfile.h. */
#define _GNU_SOURCE
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool outfile_names_descriptor(const char *path)
{
	return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0 ||
	       strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0;
}

bool outfile_is_input(const char *path, const char *input)
{
	struct stat in, out;

	if (stat(path, &out) < 0 ||
	    (strcmp(input, "-") == 0 ? fstat(0, &in) : stat(input, &in)) < 0)
		return false;
	return S_ISREG(in.st_mode) && in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

int outfile_write(int fd, const void *data, size_t len)
{
	const unsigned char *p = data;

	while (len > 0) {
		ssize_t n = write(fd, p, len);
		if (n >= 0) {
			p += n;
			len -= (size_t)n;
			/* a standard output that somebody made non-blocking */
		} else if (errno == EAGAIN) {
			struct pollfd wait = { .fd = fd, .events = POLLOUT };
			poll(&wait, 1, -1);
		} else if (errno != EINTR) {
			return -1;
		}
	}
	return 0;
}

/*
 * Whether the path can be replaced, or does not exist. False for a dangling link. A file that is
 * not secret keeps its owner and its other names; one that must not be written is refused.
 */
static bool can_replace(const char *path, bool secret)
{
	struct stat st;

	if (outfile_names_descriptor(path))
		return false;
	if (stat(path, &st) == 0)
		return S_ISREG(st.st_mode) &&
		       (secret ||
			(st.st_uid == geteuid() && st.st_nlink == 1 && access(path, W_OK) == 0));
	return errno == ENOENT && lstat(path, &st) < 0;
}

static int open_as_it_is(struct outfile *f, const char *path, bool secret)
{
	struct stat st;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY,
		      secret ? 0600 : 0666);

	if (fd < 0)
		return -1;
	/* a dangling link: others may have created the file first */
	if (secret && !outfile_names_descriptor(path) && fstat(fd, &st) == 0 &&
	    S_ISREG(st.st_mode) && (st.st_uid != geteuid() || st.st_mode & 077)) {
		close(fd);
		errno = EEXIST;
		return -1;
	}
	f->out = fdopen(fd, "w");
	return f->out ? 0 : -1;
}

/* Makes a file of this free name with the permissions of any new file, or of the one at `path`. */
static int open_public(const char *name, const char *path)
{
	struct stat st;
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd >= 0 && stat(path, &st) == 0)
		(void)fchmod(fd, st.st_mode & 0777); /* else it has a new file's */
	return fd;
}

/* Creates a new file beside the one it will replace. Follows a link to its target. */
static int open_new(struct outfile *f, const char *path, bool secret)
{
	f->path = realpath(path, NULL);
	if (!f->path && errno == ENOENT)
		f->path = strdup(path);
	if (!f->path)
		return -1;
	if (asprintf(&f->temporary, "%s.XXXXXX", f->path) < 0) {
		f->temporary = NULL;
		return -1;
	}
	int fd = mkostemp(f->temporary, O_CLOEXEC);
	if (fd >= 0 && !secret) {
		close(fd);
		unlink(f->temporary);
		fd = open_public(f->temporary, f->path);
	}
	if (fd < 0)
		return -1;
	f->out = fdopen(fd, "w");
	if (f->out)
		return 0;
	close(fd);
	unlink(f->temporary);
	return -1;
}

static void release(struct outfile *f)
{
	int saved = errno;

	free(f->path);
	free(f->temporary);
	*f = (struct outfile){ .out = NULL };
	errno = saved;
}

int outfile_open(struct outfile *f, const char *path, bool secret)
{
	*f = (struct outfile){ .out = NULL };
	bool replace = can_replace(path, secret);
	int result = replace ? open_new(f, path, secret) : open_as_it_is(f, path, secret);
	/* a folder in which nothing new can be made may have a file that can be written */
	if (result < 0 && replace && !secret && (errno == EACCES || errno == EROFS)) {
		release(f);
		result = open_as_it_is(f, path, secret);
	}
	if (result < 0)
		release(f);
	return result;
}

int outfile_close(struct outfile *f, bool whole)
{
	int result = fclose(f->out) == 0 ? 0 : -1, saved = errno;

	if (f->temporary && result == 0 && whole) {
		result = rename(f->temporary, f->path);
		saved = errno;
	}
	if (f->temporary && (result < 0 || !whole))
		unlink(f->temporary);
	release(f);
	errno = saved;
	return result;
}

void outfile_give_up(const struct outfile *f)
{
	if (f->temporary)
		unlink(f->temporary);
}

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

/* ---- new files ---------------------------------------------------------------------------- */

#define RANDOM "XXXXXX"

enum { NAME_TRIES = 100 };

/* Where link() finds an open file that has no name. */
static void link_source(int fd, char from[32])
{
	snprintf(from, 32, "/proc/self/fd/%d", fd);
}

/*
 * Opens a file that has no name yet, so that nothing of it is left whenever the process ends. -1
 * where the file system has no such files, or the file could not be named later.
 */
static int open_unnamed(const char *path, mode_t mode)
{
	const char *slash = strrchr(path, '/');
	/* "/" for "/file" */
	char *folder =
		slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
	int fd = folder ? open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode) : -1;
	char from[32];

	free(folder);
	link_source(fd, from);
	if (fd < 0 || access(from, F_OK) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Opens a file with the name `f->temporary`, whose end it sets. */
static int open_named(struct outfile *f, bool secret)
{
	int fd = mkostemp(f->temporary, O_CLOEXEC);

	if (fd >= 0 && !secret) { /* with the permissions of any new file */
		close(fd);
		unlink(f->temporary);
		fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	}
	f->named = fd >= 0;
	return fd;
}

/*
 * Gives an open file a free name. A file without a name can only be linked, and a link replaces
 * nothing.
 */
static int name_unnamed(struct outfile *f, const char *from)
{
	char *end = f->temporary + strlen(f->temporary) - strlen(RANDOM);
	unsigned number = (unsigned)getpid();

	for (int i = 0; i < NAME_TRIES && !f->named; i++) {
		snprintf(end, sizeof RANDOM, "%06u", number++ % 1000000);
		f->named = linkat(AT_FDCWD, from, AT_FDCWD, f->temporary, AT_SYMLINK_FOLLOW) == 0;
		if (!f->named && errno != EEXIST)
			break;
	}
	return f->named ? 0 : -1;
}

/* Opens a new file beside the one it will replace. Follows a link to its target. */
static int open_new(struct outfile *f, const char *path, bool secret)
{
	struct stat st;

	f->path = realpath(path, NULL);
	if (!f->path && errno == ENOENT)
		f->path = strdup(path);
	if (!f->path)
		return -1;
	if (asprintf(&f->temporary, "%s." RANDOM, f->path) < 0) {
		f->temporary = NULL;
		return -1;
	}
	f->unnamed = open_unnamed(f->path, secret ? 0600 : 0666);
	int fd = f->unnamed >= 0 ? fcntl(f->unnamed, F_DUPFD_CLOEXEC, 0) : open_named(f, secret);
	if (fd < 0)
		return -1;
	if (!secret && stat(f->path, &st) == 0)
		(void)fchmod(fd, st.st_mode & 0777); /* else it has a new file's */
	f->out = fdopen(fd, "w");
	if (f->out)
		return 0;
	close(fd);
	outfile_give_up(f);
	return -1;
}

/* Puts the new file, which is complete and closed, at its path. */
static int put(struct outfile *f)
{
	char from[32];

	link_source(f->unnamed, from);
	if (!f->named && linkat(AT_FDCWD, from, AT_FDCWD, f->path, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	if (!f->named && (errno != EEXIST || name_unnamed(f, from) < 0))
		return -1;
	int result = rename(f->temporary, f->path);
	f->named = result < 0;
	return result;
}

static void release(struct outfile *f)
{
	int saved = errno;

	if (f->unnamed >= 0)
		close(f->unnamed);
	free(f->path);
	free(f->temporary);
	*f = (struct outfile){ .unnamed = -1 };
	errno = saved;
}

int outfile_open(struct outfile *f, const char *path, bool secret)
{
	*f = (struct outfile){ .unnamed = -1 };
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
	int result = fclose(f->out) == 0 ? 0 : -1;

	if (f->temporary && result == 0 && whole)
		result = put(f);
	int saved = errno;
	outfile_give_up(f);
	release(f);
	errno = saved;
	return result;
}

void outfile_give_up(const struct outfile *f)
{
	if (f->named)
		unlink(f->temporary);
}

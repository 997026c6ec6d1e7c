/* SPDX-License-Identifier: Apache-2.0 */
/* rundir.c - see rundir.h. */
#define _GNU_SOURCE
#include "record/rundir.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/tempdir.h"

enum { BACKLOG = 64 };

_Static_assert(sizeof(((struct sockaddr_un *)0)->sun_path) == RUNDIR_PATH, "RUNDIR_PATH");

/* the longest name that must fit behind the directory */
static const char longest_name[] = "/control";

/* Whether only we and root can replace what is in the directory. */
static bool is_safe(const char *dir)
{
	struct stat st;

	return lstat(dir, &st) == 0 && S_ISDIR(st.st_mode) &&
	       (st.st_uid == geteuid() || st.st_uid == 0) &&
	       (!(st.st_mode & (S_IWGRP | S_IWOTH)) || st.st_mode & S_ISVTX);
}

/* The same for an absolute path without symbolic links, and for all directories above. */
static bool is_safe_path(const char *path)
{
	char part[PATH_MAX];

	for (const char *end = path + 1; *end; end++) {
		if (*end != '/')
			continue;
		memcpy(part, path, (size_t)(end - path));
		part[end - path] = '\0';
		if (!is_safe(part))
			return false;
	}
	return is_safe("/") && is_safe(path);
}

/*
 * Makes the directory below `parent`; 0, or -1 with errno. The path is made absolute, since the JVM
 * may change its directory.
 */
static int make_dir(struct rundir *d, const char *parent)
{
	char absolute[PATH_MAX];

	if (!realpath(parent, absolute))
		return -1;
	if (!is_safe_path(absolute)) {
		errno = EPERM;
		return -1;
	}
	d->lock =
		tempdir_make(d->dir, sizeof d->dir - sizeof longest_name + 1, absolute, "ojx-run-");
	return d->lock < 0 ? -1 : 0;
}

static int make_any_dir(struct rundir *d)
{
	const char *parents[] = { getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp" };

	for (size_t i = 0; i < sizeof parents / sizeof parents[0]; i++)
		if (parents[i] && parents[i][0] && make_dir(d, parents[i]) == 0)
			return 0;
	d->dir[0] = '\0';
	return -1;
}

static int make_socket(struct rundir *d)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	d->listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (d->listen_fd < 0)
		return -1;
	memcpy(address.sun_path, d->socket_path, strlen(d->socket_path) + 1);
	/* not chmod, which would use the path */
	mode_t mask = umask(S_IXUSR | S_IRWXG | S_IRWXO);
	int bound = bind(d->listen_fd, (struct sockaddr *)&address, sizeof address);
	int saved = errno;
	umask(mask);
	errno = saved;
	return bound < 0 ? -1 : listen(d->listen_fd, BACKLOG);
}

int rundir_create(struct rundir *d)
{
	*d = (struct rundir){ .listen_fd = -1 };
	if (make_any_dir(d) < 0)
		return -1;
	/* make_dir has checked that both fit */
	stpcpy(stpcpy(d->socket_path, d->dir), longest_name);
	if (make_socket(d) < 0) {
		int saved = errno;
		rundir_remove(d);
		errno = saved;
		return -1;
	}
	return 0;
}

void rundir_close(struct rundir *d)
{
	if (d->listen_fd >= 0)
		close(d->listen_fd);
	d->listen_fd = -1;
}

void rundir_remove(struct rundir *d)
{
	rundir_close(d);
	if (d->socket_path[0])
		unlink(d->socket_path);
	if (d->dir[0])
		tempdir_remove(d->dir, d->lock);
	*d = (struct rundir){ .listen_fd = -1 };
}

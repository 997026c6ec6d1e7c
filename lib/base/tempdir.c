/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tempdir.c - see tempdir.h. A directory is only removed by who holds its lock. So a process that
 * has just made its own and finds the lock taken, or the file gone, makes another one.
 */
#define _GNU_SOURCE
#include "base/tempdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK   ".lock"
#define RANDOM "XXXXXX"

enum { TRIES = 10, MOST_ENTRIES = 100000 };

/* Takes the lock in an open directory; -1: it is held, or there is none. */
static int take_lock(int dir, int flags)
{
	struct stat st;
	int lock = openat(dir, LOCK, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0600);

	if (lock < 0)
		return -1;
	/* who makes a directory where there are no locks does without: then nobody can remove it */
	bool locked = flock(lock, LOCK_EX | LOCK_NB) == 0 || (flags && errno != EWOULDBLOCK);
	if (locked && fstat(lock, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink > 0)
		return lock;
	close(lock);
	errno = EAGAIN;
	return -1;
}

/* Removes all files but the lock, then that, then the directory. */
static void remove_all(int above, const char *name, int dir)
{
	int again = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = again < 0 ? NULL : fdopendir(again);

	if (!list && again >= 0)
		close(again);
	for (struct dirent *e; list && (e = readdir(list));)
		if (strcmp(e->d_name, LOCK) != 0)
			unlinkat(dir, e->d_name, 0); /* no directory */
	if (list)
		closedir(list);
	unlinkat(dir, LOCK, 0);
	unlinkat(above, name, AT_REMOVEDIR);
}

static void remove_if_left(int above, const char *name)
{
	struct stat st;
	int dir = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool ours = dir >= 0 && fstat(dir, &st) == 0 && st.st_uid == geteuid() &&
		    (st.st_mode & ALLPERMS) == S_IRWXU;
	int lock = ours ? take_lock(dir, 0) : -1;

	if (lock >= 0) {
		remove_all(above, name, dir);
		close(lock);
	}
	if (dir >= 0)
		close(dir);
}

static void remove_left(const char *parent, const char *prefix)
{
	size_t len = strlen(prefix);
	DIR *list = opendir(parent);
	int n = 0;

	for (struct dirent *e; list && n < MOST_ENTRIES && (e = readdir(list)); n++)
		if (strncmp(e->d_name, prefix, len) == 0 &&
		    strlen(e->d_name) == len + strlen(RANDOM))
			remove_if_left(dirfd(list), e->d_name);
	if (list)
		closedir(list);
}

static int make_one(char *path, size_t room, const char *parent, const char *prefix)
{
	int n = snprintf(path, room, "%s/%s" RANDOM, strcmp(parent, "/") == 0 ? "" : parent,
			 prefix);

	if (n < 0 || (size_t)n >= room) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (!mkdtemp(path))
		return -1;
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int lock = dir < 0 ? -1 : take_lock(dir, O_CREAT | O_EXCL), error = errno;
	if (dir >= 0)
		close(dir);
	if (lock < 0)
		rmdir(path);
	errno = error;
	return lock;
}

int tempdir_make(char *path, size_t room, const char *parent, const char *prefix)
{
	int lock = -1;

	remove_left(parent, prefix);
	for (int i = 0; i < TRIES && lock < 0; i++) {
		lock = make_one(path, room, parent, prefix);
		if (lock < 0 && errno != EAGAIN && errno != ENOENT)
			break;
	}
	return lock;
}

void tempdir_remove(const char *path, int lock)
{
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (dir >= 0) {
		unlinkat(dir, LOCK, 0);
		close(dir);
		rmdir(path);
	}
	if (lock >= 0)
		close(lock);
}

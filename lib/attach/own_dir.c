/* SPDX-License-Identifier: Apache-2.0 */
/* own_dir.c - see own_dir.h. */
#define _GNU_SOURCE
#include "attach/own_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	LOCK_TRIES = 10,
	REMOVE_TRIES = 100,
	REMOVE_STEP_US = 10000,
	UNMAPPED = 65534, /* how the owner looks who is not in our user namespace, such as root */
};

bool own_dir_safe(int above, const struct target *t)
{
	struct stat st;

	if (fstat(above, &st) < 0)
		return false;
	bool owned = st.st_uid == 0 || st.st_uid == t->uid || st.st_uid == t->root ||
		     st.st_uid == UNMAPPED;
	return owned && (!(st.st_mode & (S_IWGRP | S_IWOTH)) || st.st_mode & S_ISVTX);
}

int own_dir_open(int above, const char *name, const struct target *t)
{
	struct stat st;

	if (mkdirat(above, name, 0700) < 0 && errno != EEXIST)
		return -1;
	int dir = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir < 0 ||
	    (fstat(dir, &st) == 0 && st.st_uid == t->uid && !(st.st_mode & (S_IRWXG | S_IRWXO))))
		return dir;
	close(dir);
	errno = EPERM;
	return -1;
}

int own_dir_lock(int above, const char *name, const struct target *t, int *dir)
{
	struct stat st = { .st_nlink = 0 };

	*dir = -1;
	/* another ojx may remove it at any time before it is locked */
	for (int tries = 0; tries < LOCK_TRIES && !st.st_nlink; tries++) {
		if (*dir >= 0)
			close(*dir);
		*dir = own_dir_open(above, name, t);
		if (*dir < 0 || flock(*dir, LOCK_EX | LOCK_NB) < 0)
			return -1;
		fstat(*dir, &st);
	}
	errno = EBUSY;
	return st.st_nlink ? 0 : -1;
}

void own_dir_empty(int dir)
{
	int again = openat(dir, ".",
			   O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* with a position of its own */
	DIR *list = again < 0 ? NULL : fdopendir(again);

	if (!list) {
		if (again >= 0)
			close(again);
		return;
	}
	for (struct dirent *e; (e = readdir(list));)
		unlinkat(dir, e->d_name, 0); /* not "." and ".." */
	closedir(list);
}

bool own_dir_remove(int above, const char *name, int dir)
{
	for (int tries = 0; tries < REMOVE_TRIES; tries++) {
		own_dir_empty(dir);
		if (unlinkat(above, name, AT_REMOVEDIR) == 0)
			return true;
		if (errno != ENOTEMPTY && errno != EEXIST)
			return false;
		usleep(REMOVE_STEP_US);
	}
	return false;
}

static bool is_numbered(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(name, prefix, len) == 0 && name[len] &&
	       name[len + strspn(name + len, "0123456789")] == '\0';
}

/* Whether an open directory is the target's user's, and nobody holds its lock; then we do. */
static bool is_left(int dir, const struct target *t)
{
	struct stat st;

	return fstat(dir, &st) == 0 && st.st_uid == t->uid && !(st.st_mode & (S_IRWXG | S_IRWXO)) &&
	       flock(dir, LOCK_EX | LOCK_NB) == 0;
}

void own_dir_sweep(int above, const char *prefix, const struct target *t,
		   void (*also)(const char *name, void *arg), void *arg)
{
	int again = openat(above, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = again < 0 ? NULL : fdopendir(again);

	if (!list && again >= 0)
		close(again);
	for (struct dirent *e; list && (e = readdir(list));) {
		int dir = is_numbered(e->d_name, prefix)
				  ? openat(above, e->d_name,
					   O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
				  : -1;
		if (dir >= 0 && is_left(dir, t)) {
			if (also)
				also(e->d_name, arg);
			own_dir_empty(dir);
			unlinkat(above, e->d_name, AT_REMOVEDIR);
		}
		if (dir >= 0)
			close(dir);
	}
	if (list)
		closedir(list);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* place.c - see place.h. */
#define _GNU_SOURCE

#include "attach/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "attach/hotspot.h"
#include "base/outfile.h"
#include "record/credentials.h"

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

/*
 * Makes it in `above`, or opens what is there. -1 with errno: EPERM if it is another user's.
 */
static int own_dir_open(int above, const char *name, const struct target *t)
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

#define CONTROL	   "control"
#define AGENT_FILE "libojx-agent.so"
#define PREFIX	   ".ojx_pid" /* of the directory; the pid follows */

enum { BACKLOG = 4 };

/* Where a copy of the agent can go; the first is that of the socket. */
static const char *const parents[PLACE_PARENTS] = { HOTSPOT_TMP, "/var/tmp", "/dev/shm" };

static int say_why(char why[PLACE_WHY], const char *what, int error)
{
	snprintf(why, PLACE_WHY, error ? "%s: %s" : "%s", what, strerror(error));
	return -1;
}

/* ---- the directory ----------------------------------------------------------------------- */

static void empty(int dir)
{
	unlinkat(dir, CONTROL, 0);
	unlinkat(dir, AGENT_FILE, 0);
}

static int connect_to(int dir)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/" CONTROL, dir);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* The recorder that has locked the directory. */
static int say_busy(int dir, char why[PLACE_WHY])
{
	struct ucred cred = { .pid = 0 };
	socklen_t len = sizeof cred;
	int fd = connect_to(dir);

	if (fd >= 0) {
		getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len);
		close(fd);
	}
	if (cred.pid > 0)
		snprintf(why, PLACE_WHY, "is recorded already, by the ojx with pid %d",
			 (int)cred.pid);
	else
		snprintf(why, PLACE_WHY, "is recorded already, by another ojx");
	return -1;
}

static int take_dir(struct place *p, char why[PLACE_WHY])
{
	if (own_dir_lock(p->above[0], p->name, p->target, &p->dir) == 0) {
		empty(p->dir); /* of a recorder that was killed */
		return 0;
	}
	int error = errno;
	if (error == EWOULDBLOCK)
		say_busy(p->dir, why);
	else if (error == EPERM)
		say_why(why, "another user has made ojx's directory in its " HOTSPOT_TMP, 0);
	else
		say_why(why, "no directory can be made in its " HOTSPOT_TMP, error);
	if (p->dir >= 0)
		close(p->dir);
	p->dir = -1;
	return -1;
}

/* ---- the socket -------------------------------------------------------------------------- */

static int make_socket(struct place *p, char why[PLACE_WHY])
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	p->listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (p->listen_fd < 0)
		return say_why(why, "cannot make the control socket", errno);
	snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/" CONTROL, p->dir);
	if (bind(p->listen_fd, (struct sockaddr *)&address, sizeof address) < 0 ||
	    listen(p->listen_fd, BACKLOG) < 0)
		return say_why(why, "cannot make the control socket in its " HOTSPOT_TMP, errno);
	return 0;
}

/* ---- the agent --------------------------------------------------------------------------- */

/* The agent's file. */
struct agent {
	const char *path;
	int fd;
	int root; /* the target's root directory; -1: none */
};

/* Whether code in the open file can be executed. */
static bool runs(int fd)
{
	void *page = mmap(NULL, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	if (page == MAP_FAILED)
		return false;
	munmap(page, 1);
	return true;
}

/*
 * Whether the target finds our file under the same path, and its user may load it. Another file
 * that is there is not opened.
 */
static bool sees(const struct agent *a)
{
	struct stat ours, theirs;
	int found = a->root < 0 ? -1 : rootfile_find(a->root, a->path, O_NOFOLLOW);
	bool same = found >= 0 && fstat(a->fd, &ours) == 0 && fstat(found, &theirs) == 0 &&
		    ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
	int fd = same ? rootfile_open(found) : -1;

	same = fd >= 0 && runs(fd);
	if (fd >= 0)
		close(fd);
	if (found >= 0)
		close(found);
	return same;
}

/* Copies the file `from` into the directory; -1 with errno, ENOEXEC if code there cannot run. */
static int copy_to(int dir, int from)
{
	char block[1 << 16];
	ssize_t n = -1;
	off_t at = 0;
	int fd = openat(dir, AGENT_FILE, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0500);

	if (fd < 0)
		return -1;
	while ((n = pread(from, block, sizeof block, at)) > 0 &&
	       outfile_write(fd, block, (size_t)n) == 0)
		at += n;
	bool good = n == 0 && runs(fd);
	int saved = n == 0 ? ENOEXEC : errno;
	close(fd);
	if (good)
		return 0;
	unlinkat(dir, AGENT_FILE, 0);
	errno = saved;
	return -1;
}

/* Copies it below one of the parents; -1 with errno, EPERM if others could replace the copy. */
static int copy_below(struct place *p, int i, int from)
{
	if (p->above[i] >= 0 && !own_dir_safe(p->above[i], p->target)) {
		errno = EPERM;
		return -1;
	}
	if (i == 0)
		return copy_to(p->dir, from);
	int dir = p->above[i] < 0 ? -1 : own_dir_open(p->above[i], p->name, p->target);
	if (dir < 0)
		return -1;
	empty(dir); /* of a recorder that was killed */
	int copied = copy_to(dir, from), error = errno;
	close(dir);
	if (copied < 0)
		unlinkat(p->above[i], p->name, AT_REMOVEDIR);
	errno = error;
	return copied;
}

/* Copies it into the first directory that can have it; 0, or -1 with the errno of the first. */
static int copy_agent(struct place *p, int from)
{
	int error = 0;

	for (int i = 0; i < PLACE_PARENTS; i++) {
		int copied = copy_below(p, i, from);
		error = i == 0 ? errno : error;
		if (copied == 0) {
			p->library_parent = i;
			if (asprintf(&p->library, "%s/%s/" AGENT_FILE, parents[i], p->name) < 0)
				p->library = NULL;
			return 0;
		}
	}
	errno = error;
	return -1;
}

static int settle_agent(struct place *p, const struct agent *a, char why[PLACE_WHY])
{
	if (sees(a))
		p->library = strdup(a->path);
	else if (copy_agent(p, a->fd) < 0 && errno == ENOEXEC)
		return say_why(why,
			       "it does not see the agent's file, and its " HOTSPOT_TMP
			       " is mounted noexec: mount one that is not, or put ojx into its "
			       "image",
			       0);
	else if (p->library_parent < 0 && errno == EPERM)
		return say_why(why,
			       "it does not see the agent's file, and others could replace a copy "
			       "in its " HOTSPOT_TMP ": run chmod +t on that",
			       0);
	else if (p->library_parent < 0)
		return say_why(why, "the agent cannot be copied into its " HOTSPOT_TMP, errno);
	return p->library ? 0 : say_why(why, "out of memory", 0);
}

/* ---- all of it --------------------------------------------------------------------------- */

/* A copy of the agent for a JVM whose directory of that name is being removed. */
static void remove_left_copy(const char *name, void *arg)
{
	const struct place *p = arg;

	for (int i = 1; i < PLACE_PARENTS; i++) {
		int dir = p->above[i] < 0 ? -1
					  : openat(p->above[i], name,
						   O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (dir < 0)
			continue;
		empty(dir);
		close(dir);
		unlinkat(p->above[i], name, AT_REMOVEDIR);
	}
}

/* As the target's user. */
static int fill(struct place *p, const struct agent *a, char why[PLACE_WHY])
{
	mode_t mask = umask(0077);
	if (p->above[0] >= 0)
		own_dir_sweep(p->above[0], PREFIX, p->target, remove_left_copy, p);
	int result = take_dir(p, why);

	if (result == 0)
		result = make_socket(p, why);
	if (result == 0)
		result = settle_agent(p, a, why);
	umask(mask);
	return result;
}

/* Opens what only our own user may look up in /proc. */
static void open_above(struct place *p, struct agent *a)
{
	for (int i = 0; i < PLACE_PARENTS; i++)
		p->above[i] = target_open_dir(p->target, parents[i]);
	a->root = target_open_dir(p->target, "/");
}

int place_make(struct place *p, const struct target *t, const char *agent, char why[PLACE_WHY])
{
	struct agent a = { .path = agent, .fd = open(agent, O_RDONLY | O_CLOEXEC), .root = -1 };
	struct credentials old;

	*p = (struct place){ .target = t, .dir = -1, .listen_fd = -1, .library_parent = -1 };
	snprintf(p->name, sizeof p->name, PREFIX "%d", (int)t->inner_pid);
	snprintf(p->socket_path, sizeof p->socket_path, HOTSPOT_TMP "/" PREFIX "%d/" CONTROL,
		 (int)t->inner_pid);
	int result = a.fd < 0 ? say_why(why, "cannot read the agent", errno) : 0;
	open_above(p, &a);
	if (result == 0 && credentials_become(&old, t->uid, t->gid) < 0) {
		result = say_why(why, "cannot act as its user", errno);
	} else if (result == 0) {
		result = fill(p, &a, why);
		credentials_return(&old);
	}
	if (a.fd >= 0)
		close(a.fd);
	if (a.root >= 0)
		close(a.root);
	if (result < 0)
		place_remove(p);
	return result;
}

/* Removes the copy of the agent that is not beside the socket. */
static void remove_copy(struct place *p)
{
	int above = p->library_parent > 0 ? p->above[p->library_parent] : -1;
	int dir = above < 0 ? -1 : own_dir_open(above, p->name, p->target);

	if (dir < 0)
		return;
	empty(dir);
	close(dir);
	unlinkat(above, p->name, AT_REMOVEDIR);
}

void place_remove(struct place *p)
{
	struct credentials old;

	if (!p->target)
		return;
	if (p->listen_fd >= 0)
		close(p->listen_fd);
	if (p->dir >= 0 && credentials_become(&old, p->target->uid, p->target->gid) == 0) {
		remove_copy(p);
		empty(p->dir);
		unlinkat(p->above[0], p->name, AT_REMOVEDIR);
		credentials_return(&old);
	}
	if (p->dir >= 0)
		close(p->dir);
	for (int i = 0; i < PLACE_PARENTS; i++)
		if (p->above[i] >= 0)
			close(p->above[i]);
	free(p->library);
	*p = (struct place){ .dir = -1, .listen_fd = -1, .library_parent = -1 };
}

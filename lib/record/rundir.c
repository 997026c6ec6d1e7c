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

#define HELLO_NS 3000000000u /* an agent sends its hello right after it connects */

/* Checks who is at the other end: 0, or -1 with errno. The pid that the agent claims is ignored. */
static int check_credentials(struct peer *p, const struct peer_expected *who)
{
	struct ucred cred;
	socklen_t len = sizeof cred;

	if (getsockopt(p->fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) < 0)
		return -1;
	if (who->pid ? cred.pid != who->pid || cred.uid != who->uid
		     : cred.uid != geteuid() && cred.uid != 0) {
		errno = EPERM;
		return -1;
	}
	p->pid = cred.pid;
	return 0;
}

int peer_accept(struct peer *p, int listen_fd, const struct peer_expected *who, uint64_t now_ns)
{
	*p = (struct peer){ .deadline_ns = now_ns + HELLO_NS };
	p->fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (p->fd < 0)
		return -1;
	if (check_credentials(p, who) < 0) {
		int saved = errno;
		peer_close(p);
		errno = saved;
		return -1;
	}
	return 0;
}

enum peer_result peer_read(struct peer *p, uint64_t now_ns)
{
	ssize_t n = recv(p->fd, (char *)&p->hello + p->got, sizeof p->hello - p->got, MSG_DONTWAIT);

	if (n > 0)
		p->got += (size_t)n;
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		return PEER_BAD;
	if (p->got < sizeof p->hello)
		return now_ns > p->deadline_ns ? PEER_BAD : PEER_WAITING;
	if (p->hello.magic != OJX_WIRE_MAGIC)
		return PEER_BAD;
	p->hello.vm_name[WIRE_TEXT - 1] = '\0';
	p->hello.vm_version[WIRE_TEXT - 1] = '\0';
	return PEER_READY;
}

/* `memfd`: -1: none is sent. */
static int answer(const struct peer *p, struct wire_welcome *welcome, int memfd)
{
	union {
		char space[CMSG_SPACE(sizeof memfd)];
		struct cmsghdr align;
	} control = { .space = { 0 } };
	struct iovec iov = { .iov_base = welcome, .iov_len = sizeof *welcome };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	welcome->magic = OJX_WIRE_MAGIC;
	welcome->version = OJX_WIRE_VERSION;
	if (memfd >= 0) {
		msg.msg_control = &control;
		msg.msg_controllen = sizeof control;
		struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof memfd);
		memcpy(CMSG_DATA(c), &memfd, sizeof memfd);
	}
	/* these are the first bytes on this socket, so they fit, or the peer is gone */
	ssize_t n = sendmsg(p->fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (n >= 0 && n != sizeof *welcome)
		errno = EPIPE;
	return n == sizeof *welcome ? 0 : -1;
}

int peer_accepted(const struct peer *p, int memfd, uint64_t shm_size,
		  const struct wire_secret *secret)
{
	struct wire_welcome welcome = { .verdict = WIRE_ACCEPTED,
					.shm_size = shm_size,
					.secret = *secret };

	return answer(p, &welcome, memfd);
}

int peer_refused(const struct peer *p, uint32_t verdict)
{
	struct wire_welcome welcome = { .verdict = verdict };

	return answer(p, &welcome, -1);
}

void peer_close(struct peer *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}

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

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * handshake.c - see handshake.h. docs/wire.md describes the protocol.
 *
 * The path may come from a recording that has ended (a daemon keeps it in its environment), and
 * another user may have created what is there now. So before the agent says anything, it checks the
 * owner of the directory and the listener. It waits for a limited time, so that a stuck tool does
 * not delay the start of the program.
 */
#define _GNU_SOURCE

#include "core/handshake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define FIRST 4096 /* where the limit allows */

int descriptor_move_up(int fd)
{
	struct rlimit limit = { .rlim_cur = 2 * FIRST };

	getrlimit(RLIMIT_NOFILE, &limit);
	int first = limit.rlim_cur > 2 * FIRST ? FIRST : (int)(limit.rlim_cur / 2);
	int high = fcntl(fd, F_DUPFD_CLOEXEC, first);
	if (high < 0)
		return fd;
	close(fd);
	return high;
}

#define LIMIT 5 /* seconds */

void handshake_complain(const char *path, const char *why)
{
	dprintf(STDERR_FILENO, "ojx: this JVM is not recorded: %s: %s\n", path, why);
}

static bool is_trusted(uid_t uid)
{
	return uid == geteuid() || uid == 0;
}

/*
 * The socket's directory must belong to this user or root, and nobody else may have access to it.
 */
static bool check_directory(const char *path)
{
	char dir[sizeof(((struct sockaddr_un *)0)->sun_path)];
	const char *slash = strrchr(path, '/');
	struct stat st;

	if (path[0] != '/' || (size_t)(slash - path) >= sizeof dir) {
		handshake_complain(path, "this is not the path of a control socket");
		return false;
	}
	memcpy(dir, path, (size_t)(slash - path));
	dir[slash - path] = '\0';
	if (lstat(dir, &st) < 0)
		return false; /* the recording has ended */
	if (S_ISDIR(st.st_mode) && is_trusted(st.st_uid) && (st.st_mode & 077) == 0)
		return true;
	handshake_complain(path, "another user owns the directory, or others can access it");
	return false;
}

static bool check_peer(int fd, const char *path, int32_t *pid)
{
	struct ucred cred;
	socklen_t len = sizeof cred;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) == 0 && len == sizeof cred &&
	    is_trusted(cred.uid)) {
		*pid = cred.pid;
		return true;
	}
	handshake_complain(path, "another user listens there");
	return false;
}

static int connect_to(const char *path, int32_t *tool)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval limit = { .tv_sec = LIMIT };

	if (strlen(path) >= sizeof address.sun_path)
		return -1;
	memcpy(address.sun_path, path, strlen(path) + 1);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	fd = descriptor_move_up(fd);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
	if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
	    check_peer(fd, path, tool))
		return fd;
	close(fd);
	return -1;
}

/*
 * Receives the welcome and its descriptor (-1: none). The kernel drops further descriptors: the
 * space has room for one only.
 */
static bool receive_welcome(int fd, struct wire_welcome *welcome, int *memfd)
{
	union {
		/* cppcheck-suppress unusedStructMember */
		char space[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { .iov_base = welcome, .iov_len = sizeof *welcome };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = &control,
			      .msg_controllen = CMSG_LEN(sizeof *memfd) };

	ssize_t n;
	do
		n = recvmsg(fd, &msg, MSG_CMSG_CLOEXEC | MSG_WAITALL);
	while (n < 0 && errno == EINTR);
	struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&msg) : NULL;
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len == CMSG_LEN(sizeof *memfd))
		memcpy(memfd, CMSG_DATA(c), sizeof *memfd);
	return n == sizeof *welcome && welcome->magic == OJX_WIRE_MAGIC &&
	       welcome->version == OJX_WIRE_VERSION;
}

/*
 * Checks that the memory has the size that the tool says, and keeps it. Otherwise an access could
 * kill the process.
 */
static bool check_memory(int memfd, uint64_t size)
{
	const int needed = F_SEAL_SHRINK | F_SEAL_GROW;
	int seals = memfd < 0 ? -1 : fcntl(memfd, F_GET_SEALS);
	struct stat st;

	return seals >= 0 && (seals & needed) == needed && fstat(memfd, &st) == 0 &&
	       S_ISREG(st.st_mode) && st.st_size > 0 && (uint64_t)st.st_size == size;
}

bool handshake(const char *path, const struct wire_hello *hello, struct handshake *h)
{
	struct wire_welcome welcome = { .verdict = WIRE_ACCEPTED };

	h->memfd = -1;
	h->sock = check_directory(path) ? connect_to(path, &h->tool) : -1;
	if (h->sock < 0)
		return false;
	if (send(h->sock, hello, sizeof *hello, MSG_NOSIGNAL) == sizeof *hello &&
	    (!hello->refused || hello->refused == WIRE_NO_SAMPLING) &&
	    receive_welcome(h->sock, &welcome, &h->memfd) && welcome.verdict == WIRE_ACCEPTED) {
		h->size = welcome.shm_size;
		h->secret = welcome.secret;
		if (check_memory(h->memfd, h->size))
			return true;
		handshake_complain(path,
				   "the tool offers memory that is not sealed, or of another size");
	}
	if (h->memfd >= 0)
		close(h->memfd);
	close(h->sock);
	return false;
}

void handshake_refuse(const char *path, const struct wire_hello *why)
{
	struct wire_hello hello = *why;
	struct handshake h;

	hello.magic = OJX_WIRE_MAGIC;
	hello.version = OJX_WIRE_VERSION;
	hello.pid = getpid();
	handshake(path, &hello, &h);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* peer.c - see peer.h. */
#define _GNU_SOURCE
#include "record/peer.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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

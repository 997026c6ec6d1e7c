/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link.c - connection to the tool. docs/wire.md describes the protocol.
 *
 * The agent never waits for the tool after the handshake: a full ring drops, a full table of definitions
 * drops, both are counted. The handshake itself has a time limit, so that a stuck tool does not
 * hold up the program's start. The one exception is link_await_room, which the user has to ask for, and
 * which has a time limit, too.
 */
#define _GNU_SOURCE
#include "link.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "wire/ring.h"

#define HANDSHAKE_SECONDS 5
#define ROOM_PATIENCE	  5000000000u /* ns */
#define ROOM_STEP	  100000      /* ns */

static ino_t sock_inode; /* of ojx.sock */

static int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval limit = { .tv_sec = HANDSHAKE_SECONDS };

	if (strlen(path) >= sizeof address.sun_path)
		return -1;
	memcpy(address.sun_path, path, strlen(path) + 1);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
	if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Receives the welcome and the two descriptors that come with it. */
static bool receive_welcome(int fd, struct wire_welcome *welcome, int fds[2])
{
	union {
		/* cppcheck-suppress unusedStructMember */
		char space[CMSG_SPACE(2 * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { .iov_base = welcome, .iov_len = sizeof *welcome };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = &control,
			      .msg_controllen = sizeof control };

	ssize_t n;
	do
		n = recvmsg(fd, &msg, MSG_CMSG_CLOEXEC | MSG_WAITALL);
	while (n < 0 && errno == EINTR);
	struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&msg) : NULL;
	if (n != sizeof *welcome || !c || c->cmsg_type != SCM_RIGHTS ||
	    c->cmsg_len != CMSG_LEN(2 * sizeof(int)))
		return false;
	memcpy(fds, CMSG_DATA(c), 2 * sizeof(int));
	return true;
}

static bool map_shared(int memfd, uint64_t size)
{
	void *p = size < sizeof(struct wire_shm)
			  ? MAP_FAILED
			  : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memfd, 0);
	if (p == MAP_FAILED)
		return false;
	ojx.shm = p;
	ojx.base = p;
	ojx.config = ojx.shm->config;
	return ojx.shm->magic == OJX_WIRE_MAGIC && ojx.shm->version == OJX_WIRE_VERSION;
}

bool link_open(const char *path, const char *vm_name, const char *vm_version, int refused)
{
	struct wire_hello hello = { .magic = OJX_WIRE_MAGIC,
				    .version = OJX_WIRE_VERSION,
				    .pid = getpid(),
				    .refused = refused };
	struct wire_welcome welcome = { 0 };
	int fds[2] = { -1, -1 };
	struct stat sock;
	bool ok = false;

	snprintf(hello.vm_name, sizeof hello.vm_name, "%s", vm_name);
	snprintf(hello.vm_version, sizeof hello.vm_version, "%s", vm_version);
	int fd = connect_to(path);
	if (fd < 0)
		return false;
	if (send(fd, &hello, sizeof hello, MSG_NOSIGNAL) == sizeof hello && !refused &&
	    receive_welcome(fd, &welcome, fds)) {
		ok = welcome.magic == OJX_WIRE_MAGIC && welcome.verdict == WIRE_ACCEPTED &&
		     map_shared(fds[0], welcome.shm_size);
		close(fds[0]);
	}
	if (!ok) {
		if (fds[1] >= 0)
			close(fds[1]);
		close(fd);
		return false;
	}
	ojx.sock = fd;
	sock_inode = fstat(fd, &sock) == 0 ? sock.st_ino : 0;
	ojx.wake = fds[1];
	snprintf(ojx.shm->status.vm_name, WIRE_TEXT, "%s", vm_name);
	snprintf(ojx.shm->status.vm_version, WIRE_TEXT, "%s", vm_version);
	return true;
}

static struct wire_ring *ring_at(uint32_t i)
{
	return (struct wire_ring *)(ojx.base + ojx.shm->rings_offset) + i;
}

/* Nothing is read: should the program have closed the descriptor and opened another one, it is not ours to read from. */
bool link_wait(int ms)
{
	struct pollfd p = { .fd = ojx.sock, .events = POLLRDHUP };
	return poll(&p, 1, ms) <= 0 || !(p.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL));
}

/* Programs that close what they do not know may have another file under its number by now. */
static bool is_ours(int fd)
{
	struct stat now;

	return fstat(fd, &now) == 0 && S_ISSOCK(now.st_mode) && now.st_ino == sock_inode;
}

void link_wake(void)
{
	if (is_ours(ojx.sock))
		shutdown(ojx.sock, SHUT_RD); /* which the tool does not notice */
}

void link_close(void)
{
	unsigned char *rings = ojx.base + ring_at(0)->offset;

	if (is_ours(ojx.sock))
		close(ojx.sock);
	ojx.sock = -1;
	madvise(ojx.base + ojx.shm->defs_offset, ojx.shm->defs_size, MADV_REMOVE);
	madvise(rings, (size_t)(ojx.base + ojx.shm->size - rings), MADV_REMOVE);
}

static bool ring_take(struct link_ring *r, uint32_t i)
{
	struct wire_ring *ring = ring_at(i);
	uint32_t free = 0;
	if (!atomic_compare_exchange_strong(&ring->owned, &free, 1))
		return false;
	r->ring = ring;
	r->data = ojx.base + ring->offset;
	r->woken = false;
	return true;
}

void link_ring_acquire(struct link_ring *r, bool service)
{
	if (service) {
		ring_take(r, 0);
		return;
	}
	for (uint32_t i = 1; i < ojx.shm->ring_count; i++)
		if (!atomic_load_explicit(&ring_at(i)->owned, memory_order_relaxed) &&
		    ring_take(r, i))
			return;
}

void link_ring_release(struct link_ring *r)
{
	if (r->ring)
		atomic_store(&r->ring->owned, 0);
	r->ring = NULL;
}

void *link_reserve(struct link_ring *r, uint16_t type, uint32_t len)
{
	if (!r->ring) {
		status_add(rings_lost, 1);
		return NULL;
	}
	return ring_reserve(r->ring, r->data, len, type);
}

void link_commit(struct link_ring *r, const void *rec)
{
	ring_commit(r->ring, rec);
	/* wake the tool once when the ring is a third full; it comes by itself otherwise */
	uint64_t used = ring_used(r->ring);
	if (used > r->ring->size / 3 && !r->woken) {
		uint64_t one = 1;
		r->woken = write(ojx.wake, &one, sizeof one) == sizeof one;
	} else if (used < r->ring->size / 4) {
		r->woken = false;
	}
}

/* Twice the length: what does not fit before the ring's end begins at its start. */
static bool has_room(const struct link_ring *r, uint32_t len)
{
	return r->ring->size - ring_used(r->ring) >= 2 * (uint64_t)len;
}

/* Where the tool was last waited for in vain: it stands still while nothing of this ring is read. */
static struct wire_ring *_Atomic stuck;
static _Atomic uint64_t stuck_tail;

static bool tool_stands_still(void)
{
	struct wire_ring *r = atomic_load(&stuck);

	return r && atomic_load(&r->tail) == atomic_load(&stuck_tail);
}

void link_await_room(struct link_ring *r, uint32_t len)
{
	const struct timespec step = { .tv_nsec = ROOM_STEP };
	uint64_t one = 1, since = now_ns();

	while (r->ring && !has_room(r, len) && atomic_load(&ojx.live) && !tool_stands_still()) {
		if (now_ns() - since > ROOM_PATIENCE) {
			atomic_store(&stuck_tail, atomic_load(&r->ring->tail));
			atomic_store(&stuck, r->ring);
			return;
		}
		r->woken = write(ojx.wake, &one, sizeof one) == sizeof one;
		nanosleep(&step, NULL);
	}
}

void *link_define_reserve(uint32_t len)
{
	uint64_t at = atomic_load_explicit(&ojx.shm->defs_tail, memory_order_relaxed);
	do {
		if (len > ojx.shm->defs_size - at) {
			status_add(defs_lost, 1);
			return NULL;
		}
	} while (!atomic_compare_exchange_weak(&ojx.shm->defs_tail, &at, at + len));
	struct wire_rec *rec = (struct wire_rec *)(ojx.base + ojx.shm->defs_offset + at);
	rec->len = len;
	return rec;
}

void link_define(void *rec, uint16_t type)
{
	atomic_store_explicit(&((struct wire_rec *)rec)->type, type, memory_order_release);
}

void link_note(const char *format, ...)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	char text[WIRE_NOTE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args); /* NOLINT: va_start stands above */
	va_end(args);
	pthread_mutex_lock(&lock);
	uint32_t n = atomic_load(&ojx.shm->status.notes);
	bool known = n >= WIRE_NOTES;
	for (uint32_t i = 0; i < n && !known; i++)
		known = strcmp(ojx.shm->status.note[i], text) == 0;
	if (!known) {
		memcpy(ojx.shm->status.note[n], text, sizeof text);
		atomic_store(&ojx.shm->status.notes, n + 1);
	}
	pthread_mutex_unlock(&lock);
}

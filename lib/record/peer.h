/* SPDX-License-Identifier: Apache-2.0 */
/*
 * peer.h - the tool's side of the handshake on the control socket.
 *
 * A peer is whoever connected: an agent, normally. It must be a process of our own user or of
 * root, say struct wire_hello within a time limit, and nothing after it. Nothing here waits.
 */
#ifndef OJX_PEER_H
#define OJX_PEER_H

#include <stddef.h>
#include <stdint.h>

#include "wire/wire.h"

struct peer {
	int fd;
	int32_t pid;	      /* as the kernel says */
	uint64_t deadline_ns; /* monotonic time by which the hello must be here */
	size_t got;	      /* bytes of it so far */
	struct wire_hello hello;
};

enum peer_result {
	PEER_WAITING, /* the hello is not complete yet */
	PEER_READY,   /* hello: magic checked, texts terminated; the version may be any */
	PEER_BAD,     /* gone, too slow, or no agent: to be closed */
};

/* Takes the next connection, if there is one. 0, or -1 with errno (EAGAIN: none is waiting). A
 * connection that may not be made is closed: EPERM. */
int peer_accept(struct peer *p, int listen_fd, uint64_t now_ns);

/* Takes what has come of the hello. */
enum peer_result peer_read(struct peer *p, uint64_t now_ns);

/* Sends the verdict; with WIRE_ACCEPTED the descriptor of the shared memory, and its size. 0, or -1
 * with errno. */
int peer_answer(const struct peer *p, uint32_t verdict, int memfd, uint64_t shm_size);

/* Closes the connection, unless p->fd is -1: it is somebody else's then. */
void peer_close(struct peer *p);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rundir.h - the private directory of one recording, with its control socket.
 *
 * The directory is new, has mode 0700 and an unpredictable name, so that only processes of the same
 * user (and root) find the socket. It is made below the first suitable one of $XDG_RUNTIME_DIR,
 * $TMPDIR and /tmp. A suitable directory exists, is writable, leaves room for the socket's name,
 * and is safe: nobody else can replace an entry, since it and the directories above belong to this
 * user or root, and others can write to them only if they are sticky. What a killed recording left
 * there is removed (tempdir.h).
 */
#ifndef OJX_RUNDIR_H
#define OJX_RUNDIR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "wire/wire.h"

#define RUNDIR_PATH 108 /* sun_path of sockaddr_un, NUL included */

struct rundir {
	char dir[RUNDIR_PATH];
	char socket_path[RUNDIR_PATH];
	int lock;      /* see tempdir.h; valid if there is a directory */
	int listen_fd; /* non-blocking, close-on-exec; -1: closed */
};

/*
 * Makes the directory and the socket, and listens. 0, or -1 with errno (then nothing is left
 * behind).
 */
int rundir_create(struct rundir *d);

/* Stops listening: later connections are refused. */
void rundir_close(struct rundir *d);

/* Closes and removes everything. Harmless on a struct that is zeroed except for listen_fd -1. */
void rundir_remove(struct rundir *d);

/*
 * ---- the tool's side of the handshake on the control socket. A peer is a process that
 * connected: normally an agent. It must be the one that is expected, or belong to our own user
 * or to root, send struct wire_hello within a time limit, and send nothing after it. No
 * function here waits.
 */

/* Who may connect: pid 0: any process of our own user or root; else that process of that user. */
struct peer_expected {
	pid_t pid;
	uid_t uid;
};

struct peer {
	int fd;
	unsigned listener;    /* the caller's: where it connected */
	int32_t pid;	      /* from the kernel */
	uint64_t deadline_ns; /* monotonic time by which the hello must have arrived */
	size_t got;	      /* bytes of the hello so far */
	struct wire_hello hello;
};

enum peer_result {
	PEER_WAITING, /* the hello is not complete yet */
	/* hello complete: magic checked, texts terminated; the version is not checked */
	PEER_READY,
	PEER_BAD, /* gone, too slow, or not an agent: close it */
};

/*
 * Accepts the next connection. 0, or -1 with errno: EAGAIN if none is waiting; EPERM if it was not
 * permitted and has been closed.
 */
int peer_accept(struct peer *p, int listen_fd, const struct peer_expected *who, uint64_t now_ns);

/* Reads what has arrived of the hello. */
enum peer_result peer_read(struct peer *p, uint64_t now_ns);

/*
 * Sends the verdict; with WIRE_ACCEPTED also the descriptor and the size of the shared memory, and
 * the secret. 0, or -1 with errno.
 */
int peer_accepted(const struct peer *p, int memfd, uint64_t shm_size,
		  const struct wire_secret *secret);
int peer_refused(const struct peer *p, uint32_t verdict);

/* Closes the connection, unless p->fd is -1 (somebody else owns it). */
void peer_close(struct peer *p);

#endif

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

#endif

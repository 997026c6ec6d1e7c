/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rundir.h - the private directory of one recording, and the control socket in it.
 *
 * The directory is new, mode 0700 and has a name that nobody can foresee, so that only processes
 * of the same user (and root) find the socket. It is made below the first of $XDG_RUNTIME_DIR,
 * $TMPDIR and /tmp that exists, can be written to, leaves room for the socket's name, and in which
 * nobody else can put another directory in its place: it and those above belong to this user or
 * root, and others can write to them only where they are sticky.
 */
#ifndef OJX_RUNDIR_H
#define OJX_RUNDIR_H

#define RUNDIR_PATH 108 /* sockaddr_un.sun_path, the terminating NUL included */

struct rundir {
	char dir[RUNDIR_PATH];
	char socket_path[RUNDIR_PATH];
	int listen_fd; /* non-blocking, close-on-exec; -1: closed */
};

/* Makes directory and socket, and listens. 0, or -1 with errno (then there is nothing to remove).
 */
int rundir_create(struct rundir *d);

/* Stops listening: who connects from now on is refused. */
void rundir_close(struct rundir *d);

/* Closes and removes everything. Harmless on a struct that is all zeros but for listen_fd -1. */
void rundir_remove(struct rundir *d);

#endif

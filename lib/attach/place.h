/* SPDX-License-Identifier: Apache-2.0 */
/*
 * place.h - what a JVM in another file system must find in its own: a directory with the control
 * socket and, if the agent's file cannot be seen there, a copy of it.
 *
 * The directory is /tmp/.ojx_pidN in the target's file system, N being its own pid there. It has
 * mode 0700 and belongs to the target's user, as does everything in it; we listen at the socket as
 * that user, since a JVM trusts its own user and root, and root may be nobody there. The name is
 * always the same, so that a recorder finds out about another one of this JVM, and so that what a
 * killed one has left does not pile up.
 */
#ifndef OJX_PLACE_H
#define OJX_PLACE_H

#include <stdbool.h>

#include "attach/target.h"

enum { PLACE_PATH = 108, PLACE_WHY = 512, PLACE_PARENTS = 3 };

struct place {
	const struct target *target;  /* the caller's */
	int above[PLACE_PARENTS];     /* directories that can have ours */
	int dir;		      /* ours, which is locked; -1: none */
	int listen_fd;		      /* non-blocking */
	char name[PLACE_PATH];	      /* of the directory below its parent */
	char socket_path[PLACE_PATH]; /* as the target sees it */
	char *library;		      /* the agent's path, as the target sees it; owned */
	int library_parent;	      /* index of the directory that has the copy; -1: no copy */
};

/*
 * Makes the directory, the socket, and a copy of the agent where it needs one. `agent` is a path
 * without symbolic links. 0, or -1 with the reason in `why`. Release with place_remove.
 */
int place_make(struct place *p, const struct target *t, const char *agent, char why[PLACE_WHY]);

/* Removes all of it. Harmless where place_make has failed. */
void place_remove(struct place *p);

/*
 * ---- a directory of ojx's own in a running JVM's file system, such as below its /tmp: it has
 * mode 0700 and belongs to the JVM's user. Call these functions as that user (credentials.h).
 * A directory is locked by whoever uses it. What a killed ojx has left is taken over.
 */

/* Whether no other user can rename or remove what is ours in the directory `above`. */
bool own_dir_safe(int above, const struct target *t);

/*
 * The same, locked. 0, or -1 with errno: EWOULDBLOCK if another ojx has it. `dir` is the open
 * directory, also if another has it; -1: none. The caller closes it.
 */
int own_dir_lock(int above, const char *name, const struct target *t, int *dir);

/* Removes all files in it. */
void own_dir_empty(int dir);

/*
 * Removes it with all files in it. A JVM may be making files there at this moment, so it is tried
 * again for a second. False if it stays.
 */
bool own_dir_remove(int above, const char *name, int dir);

/*
 * Removes what killed processes left in `above`: directories of the target's user that are named
 * `prefix` and a number, and whose lock nobody holds. Calls `also` (if not NULL) for each name,
 * while it has the lock. As the target's user.
 */
void own_dir_sweep(int above, const char *prefix, const struct target *t,
		   void (*also)(const char *name, void *arg), void *arg);

#endif

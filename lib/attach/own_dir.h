/* SPDX-License-Identifier: Apache-2.0 */
/*
 * own_dir.h - a directory of ojx's own in a running JVM's file system, such as below its /tmp: it
 * has mode 0700 and belongs to the JVM's user. Call these functions as that user (credentials.h).
 *
 * A directory is locked by whoever uses it. What a killed ojx has left is taken over.
 */
#ifndef OJX_OWN_DIR_H
#define OJX_OWN_DIR_H

#include <stdbool.h>

#include "attach/target.h"

/* Whether no other user can rename or remove what is ours in the directory `above`. */
bool own_dir_safe(int above, const struct target *t);

/*
 * Makes it in `above`, or opens what is there. -1 with errno: EPERM if it is another user's.
 */
int own_dir_open(int above, const char *name, const struct target *t);

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

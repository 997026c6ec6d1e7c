/* SPDX-License-Identifier: Apache-2.0 */
/*
 * credentials.h - acting as the user of a process. Inside a user namespace root of the host is
 * nobody: it can create no file there, and a JVM there does not talk to it. And what root does in a
 * directory that a user can change is safer done with that user's rights.
 */
#ifndef OJX_CREDENTIALS_H
#define OJX_CREDENTIALS_H

#include <stdbool.h>
#include <sys/types.h>

struct credentials {
	bool changed;
	uid_t uid; /* what to return to */
	gid_t gid;
	gid_t *groups; /* supplementary ones, owned; NULL: they were not changed */
	int ngroups;
	int dumpable, death_signal; /* of the process (prctl) */
};

/*
 * Changes the effective user and group, and drops the other groups, if the user is another than
 * ours. 0, or -1 with errno. The process must have one thread.
 */
int credentials_become(struct credentials *old, uid_t uid, gid_t gid);
void credentials_return(struct credentials *old);

/*
 * ---- opens files of a process that may have another root directory, and may be another
 * user's. Its links lead nowhere out of its root directory. A file is looked at before it is
 * opened, since to open a device can do something, and to open a pipe can wait.
 */

/*
 * Finds what `path` names for a process with this root directory, which is an open one, or
 * AT_FDCWD: ours. A descriptor with O_PATH and `flags` (O_DIRECTORY, O_NOFOLLOW), or -1 with errno.
 * A kernel before Linux 5.6 follows no links below `root`.
 */
int rootfile_find(int root, const char *path, int flags);

/*
 * Opens for reading what was found, which stays open. -1 with errno: EINVAL if it is not a regular
 * file.
 */
int rootfile_open(int found);

#endif

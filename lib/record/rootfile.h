/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rootfile.h - opens files of a process that may have another root directory, and may be another
 * user's. Its links lead nowhere out of its root directory. A file is looked at before it is
 * opened, since to open a device can do something, and to open a pipe can wait.
 */
#ifndef OJX_ROOTFILE_H
#define OJX_ROOTFILE_H

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

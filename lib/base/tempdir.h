/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tempdir.h - private directories of mode 0700 for as long as a process lives. A process that is
 * killed leaves its directory, and the next one that makes one of that kind removes it: in each is
 * a file `.lock` that the process holds a lock on. So a directory of the user's is never touched,
 * and neither is one whose process lives.
 */
#ifndef OJX_TEMPDIR_H
#define OJX_TEMPDIR_H

#include <stddef.h>

/*
 * Makes PARENT/PREFIXxxxxxx, with a new name, in `path` (`room` bytes). Returns the descriptor of
 * the lock, or -1 with errno. Removes what killed processes left under such names, first.
 */
int tempdir_make(char *path, size_t room, const char *parent, const char *prefix);

/* Removes the directory, if nothing else is in it, and closes the lock. */
void tempdir_remove(const char *path, int lock);

#endif

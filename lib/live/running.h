/* SPDX-License-Identifier: Apache-2.0 */
/*
 * running.h - finds the recordings in progress of the same user on this machine, from /proc.
 *
 * A recorder is a process that runs this program and has a recording open for writing. The file is
 * opened through the process's descriptor, which works even if the file was renamed, removed, or
 * lies where we cannot see it.
 */
#ifndef OJX_RUNNING_H
#define OJX_RUNNING_H

#include <stddef.h>
#include <sys/types.h>

enum { RUNNING_MAX = 64, RUNNING_PATH = 64, RUNNING_NAME = 256 };

struct running {
	pid_t pid;		    /* of the recorder */
	char path[RUNNING_PATH];    /* path through which the recording can be opened */
	char command[RUNNING_NAME]; /* its command line, words separated by blanks; may be cut */
};

/* Lists the recordings, ordered by pid. Returns their number, at most RUNNING_MAX. */
size_t running_find(struct running list[RUNNING_MAX]);

/*
 * Finds the recording that this process makes, whatever its program. 0, or -1 if it makes none
 * (yet).
 */
int running_by(pid_t pid, struct running *r);

/*
 * The recording that `pid` belongs to: `pid` is the recorder, a process below it, such as its JVM,
 * or a JVM that the recording names. NULL: none.
 */
const struct running *running_of(const struct running *list, size_t n, pid_t pid);

#endif

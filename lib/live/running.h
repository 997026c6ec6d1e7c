/* SPDX-License-Identifier: Apache-2.0 */
/*
 * running.h - recordings that are being made on this machine by the same user, found in /proc.
 *
 * A recorder is a process of this very program that has a recording open for writing. The file is
 * reached through the process's descriptor, so that it is the right one also where it has been
 * renamed, removed, or lies where we cannot see it.
 */
#ifndef OJX_RUNNING_H
#define OJX_RUNNING_H

#include <stddef.h>
#include <sys/types.h>

enum { RUNNING_MAX = 64, RUNNING_PATH = 64, RUNNING_NAME = 256 };

struct running {
	pid_t pid;		    /* of the recorder */
	char path[RUNNING_PATH];    /* opens its recording */
	char command[RUNNING_NAME]; /* its command line, words separated by blanks, perhaps cut */
};

/* Lists the recordings, by pid; returns how many there are, at most RUNNING_MAX. */
size_t running_find(struct running list[RUNNING_MAX]);

/* The recording that this process makes, whatever program it is. 0, or -1 where it makes none
 * (yet). */
int running_by(pid_t pid, struct running *r);

/*
 * The one of them that `pid` belongs to: the recorder itself, or a process below it, such as its
 * JVM, or a JVM that the recording tells of. NULL: none.
 */
const struct running *running_of(const struct running *list, size_t n, pid_t pid);

#endif

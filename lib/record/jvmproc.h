/* SPDX-License-Identifier: Apache-2.0 */
/* jvmproc.h - finds out about JVM processes from /proc. */
#ifndef OJX_JVMPROC_H
#define OJX_JVMPROC_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/jvmargs.h"

/* A process. The start time distinguishes it from a later one with the same pid. */
struct jvmproc {
	pid_t pid;
	uint64_t start; /* clock ticks after boot; 0: the process is gone */
};

struct jvmproc jvmproc_of(pid_t pid);

/*
 * When a process started, by its /proc/PID/stat; 0: it is gone, a zombie, or ending. One that ends
 * loses its memory and its signals before it is a zombie, and then seems to be no JVM.
 */
uint64_t jvmproc_start(const char *stat);

/* Whether the process still runs. */
bool jvmproc_runs(const struct jvmproc *p);

/*
 * Reads strings of a process, each of which ends with NUL: its `cmdline` or `environ`, which it can
 * make as long as it likes. At most 8 MiB: malloc'ed, with a NUL behind *len bytes. NULL if it
 * cannot be read, or out of memory.
 */
char *jvmproc_strings(pid_t pid, const char *name, size_t *len);

/*
 * Whether all paths of a process lead where ours do: it has the same mounts (each has a number, and
 * those of a copy of the file system have others) below the same root directory. This can be seen
 * of every process, its root directory only of one that has no more rights than we.
 */
bool jvmproc_shares_files(pid_t pid);

/* Where the paths of a process lead. It is used as it is, since it has pointers into itself. */
struct jvmproc_place {
	char root[64], dir[PATH_MAX];
	struct process_paths place;
};

void jvmproc_find_place(struct jvmproc_place *p, pid_t pid);

/*
 * What the JVM runs: class, jar or module; or the process's name if that cannot be seen, or if it
 * is no JVM: a program can call itself java, and name files in its arguments. malloc'ed, or NULL.
 */
char *jvmproc_main(pid_t pid, bool is_jvm);

/*
 * What a JVM runs; NULL if that cannot be seen, or if it runs nothing: it was asked for its
 * version. malloc'ed.
 */
char *jvmproc_program(pid_t pid);

/*
 * The value of a variable in an `environ` of jvmproc_strings, which may be NULL; NULL if it is not
 * there. Of several of one name the first counts, as for getenv.
 */
const char *jvmproc_variable(const char *text, size_t len, const char *name);

/* Whether a variable of the process contains the text; true if its environment cannot be seen. */
bool jvmproc_has_variable(pid_t pid, const char *name, const char *text);

/*
 * Calls `see` for JVMs in the process `below` and all its descendants, until it returns true. `uid`
 * is their effective user. Of our own user these are processes named `java`; if /proc hides other
 * users' processes, there are no others.
 */
void jvmproc_below(pid_t below, bool (*see)(const struct jvmproc *p, uid_t uid, void *arg),
		   void *arg);

#endif

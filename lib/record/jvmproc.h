/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jvmproc.h - JVMs as processes: what /proc tells of them.
 */
#ifndef OJX_JVMPROC_H
#define OJX_JVMPROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A process, and not another one that gets its number later. */
struct jvmproc {
	pid_t pid;
	uint64_t start; /* clock ticks after boot; 0: it is gone */
};

struct jvmproc jvmproc_of(pid_t pid);

/* Whether it still runs. */
bool jvmproc_runs(const struct jvmproc *p);

/* What the JVM runs: class, jar or module, or the process's name where that is not seen; malloc'ed,
 * or NULL. */
char *jvmproc_main(pid_t pid);

/*
 * Calls `see` for JVMs whose effective user is another than ours, in the process `below` and all
 * that descend from it, until it returns true. None is seen where /proc hides other users'
 * processes.
 */
void jvmproc_foreign(pid_t below, bool (*see)(const struct jvmproc *p, uid_t uid, void *arg),
		     void *arg);

#endif

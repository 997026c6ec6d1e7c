/* SPDX-License-Identifier: Apache-2.0 */
/* jvms.h - JVMs that run: those that an option -p names, and the heap dump of one. */
#ifndef OJX_JVMS_H
#define OJX_JVMS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Reads a list, separated by commas, of process ids and of patterns, each of which must match one
 * JVM; reports errors, with the candidates. `n` is the room for pids, and then their number, at
 * least 1. Whether a pid is a JVM is not checked. Returns -1, or the exit status.
 */
int select_jvms(const char *list, pid_t *pids, size_t *n);

/* ---- `ojx heap -p`: the heap dump of a JVM that runs. */

enum { HEAP_PID_NAME = 160 };

/*
 * Has the JVM that `who` names (a pid or a pattern) write a dump. `all`: with the objects that
 * nothing references. Says how long the JVM stood still, unless `quiet`. Returns the dump, open for
 * reading and without a name; `name` receives what to call it. -1 after an error message. If a
 * signal ends ojx meanwhile, nothing of the dump stays. The process must have one thread.
 */
int heap_pid_dump(const char *who, bool all, bool quiet, char name[HEAP_PID_NAME]);

#endif

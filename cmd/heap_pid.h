/* SPDX-License-Identifier: Apache-2.0 */
/* heap_pid.h - `ojx heap -p`: the heap dump of a JVM that runs. */
#ifndef OJX_HEAP_PID_H
#define OJX_HEAP_PID_H

#include <stdbool.h>

enum { HEAP_PID_NAME = 160 };

/*
 * Has the JVM that `who` names (a pid or a pattern) write a dump. `all`: with the objects that
 * nothing references. Says how long the JVM stood still, unless `quiet`. Returns the dump, open for
 * reading and without a name; `name` receives what to call it. -1 after an error message. If a
 * signal ends ojx meanwhile, nothing of the dump stays. The process must have one thread.
 */
int heap_pid_dump(const char *who, bool all, bool quiet, char name[HEAP_PID_NAME]);

#endif

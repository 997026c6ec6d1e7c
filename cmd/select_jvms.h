/* SPDX-License-Identifier: Apache-2.0 */
/* select_jvms.h - the JVMs that an option -p names. */
#ifndef OJX_SELECT_JVMS_H
#define OJX_SELECT_JVMS_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Reads a list, separated by commas, of process ids and of patterns, each of which must match one
 * JVM; reports errors, with the candidates. `n` is the room for pids, and then their number, at
 * least 1. Whether a pid is a JVM is not checked. Returns -1, or the exit status.
 */
int select_jvms(const char *list, pid_t *pids, size_t *n);

#endif

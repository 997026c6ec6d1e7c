/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seccomp.h - whether the program has seccomp filters that the tool does not have.
 *
 * A filter can kill the caller of a system call. The tool has found out what its own filters
 * kill for (lib/host/machine.h), and the program inherits them. A command between the two can
 * add filters. So can the program, at any time, for one thread or for all. Filters cannot be
 * removed, so a thread with as many filters as the tool has the same ones. To try out what a
 * further filter does would risk the process. So from the first such filter on, the agent makes
 * no call that a JVM does not make by itself: no perf_event_open, process_vm_readv,
 * timer_create, move_pages.
 */
#ifndef OJX_AGENT_SECCOMP_H
#define OJX_AGENT_SECCOMP_H

#include <stdbool.h>

/*
 * At start: the tool's mode and number of filters, as in its /proc/self/status; -1: not known.
 * Compares them at once.
 */
void seccomp_expect(int mode, int filters);

/*
 * [handler] Whether the calling thread may make such calls. If the tool itself is under a filter,
 * as in a container, the answer may be a millisecond old, since it requires reading /proc.
 */
bool seccomp_permits(void);

/* [handler] The same, always up to date: before anything is opened. */
bool seccomp_permits_now(void);

/* [handler] Whether any thread was ever found with another filter. */
bool seccomp_differs(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seccomp.h - whether the program has seccomp filters that the tool does not have.
 *
 * A filter can kill whoever makes a system call. The tool has found out what its own filters kill
 * for (lib/host/probe.h), and the program inherits these. A command between the two can add
 * filters, and so can the program, at any time, for one thread or for all. Filters cannot be
 * removed, so a thread with as many filters as the tool has the same ones. What a further filter
 * does cannot be found out without risking the process. So from the first one on, the agent makes
 * no call that a JVM does not make by itself: no perf_event_open, process_vm_readv, timer_create,
 * move_pages.
 */
#ifndef OJX_AGENT_SECCOMP_H
#define OJX_AGENT_SECCOMP_H

#include <stdbool.h>

/*
 * At start: the tool's mode and number of filters, as /proc/self/status tells them; -1: it does
 * not. Compares them at once.
 */
void seccomp_expect(int mode, int filters);

/*
 * [handler] Whether the calling thread may make such calls. Where the tool itself is under a
 * filter, as in a container, the answer may be a millisecond old, as /proc has to be read for it.
 */
bool seccomp_permits(void);

/* [handler] The same, as of now: before anything is opened. */
bool seccomp_permits_now(void);

/* [handler] Whether any thread was seen to have another filter; it stays so. */
bool seccomp_differs(void);

#endif
